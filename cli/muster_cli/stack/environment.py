"""The environment of the embedded services: the very variables their containers read."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from psycopg.conninfo import conninfo_to_dict

from muster_cli.extension import load_extension
from muster_cli.stack.origin import bracketed, local_origin, passkey_domain
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.services import fill, read_variables
from muster_cli.stack.variables import chosen_variables

LOCAL_MAIL_FREQUENCY = "1s"  # the pause between two mails to an account, where mails stay on this machine


@dataclass(frozen=True)
class Addresses:
    """Where one stack listens and where its database is."""

    host: str
    port: int
    smtp_port: int
    database_host: str
    database_port: int
    database_name: str = "postgres"
    public_url: str | None = None

    @classmethod
    def of_database(
        cls, dsn: str, *, host: str, port: int, smtp_port: int, public_url: str | None = None
    ) -> "Addresses":
        """With the database of a libpq connection string."""
        parts = conninfo_to_dict(dsn)
        where = str(parts.get("host") or "127.0.0.1"), int(parts.get("port") or 5432)
        return cls(host, port, smtp_port, *where, str(parts.get("dbname") or "postgres"), public_url)

    @property
    def url(self) -> str:
        """The public origin."""
        return self.public_url or f"http://{bracketed(self.host)}:{self.port}"

    def database_url(self, user: str, password: str) -> str:
        """A libpq URL; a socket folder stands in the query, percent-encoded."""
        if self.database_host.startswith("/"):
            host = quote(self.database_host, safe="")
            return f"postgresql://{user}:{password}@/{self.database_name}?host={host}&port={self.database_port}"
        return f"postgresql://{user}:{password}@{self.database_host}:{self.database_port}/{self.database_name}"


MAIL_SERVER = ("SMTP_HOST", "SMTP_PORT", "SMTP_USER", "SMTP_PASS", "SMTP_ADMIN_EMAIL", "SMTP_SENDER_NAME", "SMTP_TLS")
CHOICES = (
    "MAIL_MAX_FREQUENCY", "MAIL_PER_HOUR", "OAUTH_REGISTRATION", "SIGN_IN_LIMIT", "STORAGE_FILE_SIZE_LIMIT",
    "VAPID_SUBJECT",
)  # fmt: skip


def service_environment(
    addresses: Addresses, secrets: Secrets, web_root: Path | None, mail: Path, files: Path, outside: Mapping[str, str]
) -> dict[str, str]:
    """Everything the services of one stack read. No value is a default that another stack would share.

    `outside` is the environment of the person who starts it. With SMTP_HOST mails go to that server, and no mailbox is
    kept in `mail`. `files` is the folder of storage.
    """
    has_server = bool(outside.get("SMTP_HOST"))
    given = {name: outside[name] for name in CHOICES if outside.get(name)}
    domain, origins = passkey_domain(addresses.url)
    values = {
        "PASSKEY_DOMAIN": domain,
        "PASSKEY_ORIGINS": origins,
        "PUBLIC_URL": addresses.url,
        "HOST": addresses.host,
        "PORT": str(addresses.port),
        "STORAGE_FOLDER": str(files),
        "LOCAL_URL": local_origin(addresses.host, addresses.port),
        **_database(addresses, secrets),
        **_keys(secrets),
        **_mailbox_server(addresses),
        **({name: outside[name] for name in MAIL_SERVER if outside.get(name)} if has_server else {}),
        **({"SMTP_TLS": outside.get("SMTP_TLS", "")} if has_server else {"MAIL_MAX_FREQUENCY": LOCAL_MAIL_FREQUENCY}),
        **given,
    }
    env = {
        name: fill(value, values)
        for variables in read_variables("embedded").values()
        for name, value in variables.items()
    }
    mailbox = {
        "MAILBOX_DIR": str(mail),
        "MAILBOX_SMTP_HOST": values["SMTP_HOST"],
        "MAILBOX_SMTP_PORT": values["SMTP_PORT"],
    }
    own = {**env, "MUSTER_WEB_ROOT": str(web_root or ""), **({} if has_server else mailbox)}
    return {**own, **chosen_variables(outside)}


def _database(addresses: Addresses, secrets: Secrets) -> Mapping[str, str]:
    password = secrets.postgres_password
    roles = ("authenticator", "supabase_auth_admin", "supabase_storage_admin", "postgres")
    return {
        "DB_HOST": addresses.database_host,
        "DB_PORT": str(addresses.database_port),
        "DB_NAME": addresses.database_name,
        "POSTGRES_PASSWORD": password,
        **{f"{role.upper()}_URL": addresses.database_url(role, password) for role in roles},
    }


def _keys(secrets: Secrets) -> Mapping[str, str]:
    return {
        "JWT_SECRET": secrets.jwt_secret,
        "ANON_KEY": secrets.anon_key,
        "SERVICE_ROLE_KEY": secrets.service_role_key,
        "PUBLISHABLE_KEY": secrets.publishable_key,
        "SECRET_KEY": secrets.secret_key,
        "SECRET_KEY_BASE": secrets.secret_key_base,
        "STORAGE_KEY_ID": secrets.s3_access_key_id,
        "STORAGE_KEY_SECRET": secrets.s3_access_key_secret,
        "VAPID_PUBLIC_KEY": secrets.vapid_public_key,
        "VAPID_PRIVATE_KEY": secrets.vapid_private_key,
    }


def _mailbox_server(addresses: Addresses) -> Mapping[str, str]:
    name, address = load_extension().mail_sender
    return {
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(addresses.smtp_port),
        "SMTP_USER": "",
        "SMTP_PASS": "",
        "SMTP_ADMIN_EMAIL": address,
        "SMTP_SENDER_NAME": name,
        "SMTP_TLS": "none",
    }
