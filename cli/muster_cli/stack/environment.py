"""The environment of the embedded services: the very variables their containers read. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from muster_cli.stack.secrets import Secrets


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

    @property
    def url(self) -> str:
        """The public origin."""
        return self.public_url or f"http://{self.host}:{self.port}"

    def database_url(self, user: str, password: str) -> str:
        """A libpq URL; a socket folder stands in the query, percent-encoded."""
        if self.database_host.startswith("/"):
            host = quote(self.database_host, safe="")
            return f"postgresql://{user}:{password}@/{self.database_name}?host={host}&port={self.database_port}"
        return f"postgresql://{user}:{password}@{self.database_host}:{self.database_port}/{self.database_name}"


def service_environment(addresses: Addresses, secrets: Secrets, web_root: Path | None, mail: Path) -> dict[str, str]:
    """Everything the services of one stack read. No value is a default that another stack would share."""
    return {
        **_gateway(addresses, secrets, web_root),
        **_rest(addresses, secrets),
        **_auth(addresses, secrets),
        **_realtime(addresses, secrets),
        **_functions(addresses, secrets),
        "MAILBOX_DIR": str(mail),
        "MAILBOX_SMTP_HOST": "127.0.0.1",
        "MAILBOX_SMTP_PORT": str(addresses.smtp_port),
    }


def with_mail_server(env: Mapping[str, str], outside: Mapping[str, str]) -> dict[str, str]:
    """The same services with the mail server of SMTP_HOST, _PORT, _USER, _PASS, ... and without the mailbox."""
    found = {name: value for name, value in env.items() if not name.startswith("MAILBOX_")}
    names = ("SMTP_HOST", "SMTP_PORT", "SMTP_USER", "SMTP_PASS", "SMTP_ADMIN_EMAIL", "SMTP_SENDER_NAME")
    given = {name: outside[name] for name in names if outside.get(name)}
    found |= given | {f"GOTRUE_{name}": value for name, value in given.items()}
    limits = {"GOTRUE_SMTP_MAX_FREQUENCY": outside.get("MAIL_MAX_FREQUENCY") or "60s"}
    return found | limits | {"SMTP_TLS": outside.get("SMTP_TLS") or "auto"}


def _gateway(addresses: Addresses, secrets: Secrets, web_root: Path | None) -> Mapping[str, str]:
    return {
        "MUSTER_HOST": addresses.host,
        "MUSTER_PORT": str(addresses.port),
        "MUSTER_WEB_ROOT": str(web_root) if web_root is not None else "",
        "SITE_URL": addresses.url,
        "ANON_KEY": secrets.anon_key,
        "SERVICE_ROLE_KEY": secrets.service_role_key,
        "PUBLISHABLE_KEY": secrets.publishable_key,
        "SECRET_KEY": secrets.secret_key,
        "JWT_SECRET": secrets.jwt_secret,
    }


def _rest(addresses: Addresses, secrets: Secrets) -> Mapping[str, str]:
    return {
        "PGRST_DB_URI": addresses.database_url("authenticator", secrets.postgres_password),
        "PGRST_DB_SCHEMAS": "public",
        "PGRST_DB_EXTRA_SEARCH_PATH": "public,extensions",
        "PGRST_DB_ANON_ROLE": "anon",
        "PGRST_DB_MAX_ROWS": "1000",
        "PGRST_DB_POOL": "10",
        "PGRST_JWT_SECRET": secrets.jwt_secret,
        "PGRST_OPENAPI_SERVER_PROXY_URI": f"{addresses.url}/rest/v1",
    }


def _auth(addresses: Addresses, secrets: Secrets) -> Mapping[str, str]:
    return {
        "GOTRUE_DB_DRIVER": "postgres",
        "GOTRUE_DB_DATABASE_URL": addresses.database_url("supabase_auth_admin", secrets.postgres_password),
        "GOTRUE_DB_MAX_POOL_SIZE": "10",
        "API_EXTERNAL_URL": f"{addresses.url}/auth/v1",
        "GOTRUE_SITE_URL": addresses.url,
        "GOTRUE_URI_ALLOW_LIST": f"{addresses.url}/**,http://localhost:{addresses.port}/**",
        "GOTRUE_JWT_SECRET": secrets.jwt_secret,
        "GOTRUE_JWT_EXP": "3600",
        "GOTRUE_JWT_AUD": "authenticated",
        "GOTRUE_JWT_DEFAULT_GROUP_NAME": "authenticated",
        "GOTRUE_JWT_ADMIN_ROLES": "service_role",
        "GOTRUE_JWT_ISSUER": f"{addresses.url}/auth/v1",
        "GOTRUE_EXTERNAL_EMAIL_ENABLED": "true",
        "GOTRUE_EXTERNAL_PHONE_ENABLED": "false",
        "GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED": "false",
        "GOTRUE_MAILER_AUTOCONFIRM": "false",
        "GOTRUE_MAILER_URLPATHS_INVITE": "/auth/v1/verify",
        "GOTRUE_MAILER_URLPATHS_CONFIRMATION": "/auth/v1/verify",
        "GOTRUE_MAILER_URLPATHS_RECOVERY": "/auth/v1/verify",
        "GOTRUE_MAILER_URLPATHS_EMAIL_CHANGE": "/auth/v1/verify",
        "GOTRUE_PASSWORD_MIN_LENGTH": "8",
        "GOTRUE_SMTP_HOST": "127.0.0.1",
        "GOTRUE_SMTP_PORT": str(addresses.smtp_port),
        "GOTRUE_SMTP_ADMIN_EMAIL": "no-reply@muster.test",
        "GOTRUE_SMTP_SENDER_NAME": "Muster",
        "GOTRUE_SMTP_MAX_FREQUENCY": "1s",
        "GOTRUE_RATE_LIMIT_EMAIL_SENT": "200",
        "GOTRUE_MAILER_EMAIL_BACKGROUND_SENDING": "true",  # the answer takes as long for an unknown address
        "GOTRUE_RATE_LIMIT_HEADER": "X-Forwarded-For",
        # A whole station shares one address; who guesses passwords is stopped per account.
        "GOTRUE_RATE_LIMIT_TOKEN_REFRESH": "3000",
        "GOTRUE_RATE_LIMIT_PASSWORD_FAILURES": "10/5m",
    }


def _realtime(addresses: Addresses, secrets: Secrets) -> Mapping[str, str]:
    return {
        "DB_HOST": addresses.database_host,
        "DB_PORT": str(addresses.database_port),
        "DB_NAME": addresses.database_name,
        "DB_USER": "supabase_admin",
        "DB_PASSWORD": secrets.postgres_password,
        "DB_AFTER_CONNECT_QUERY": "SET search_path TO _realtime",
        "API_JWT_SECRET": secrets.jwt_secret,
        "METRICS_JWT_SECRET": secrets.jwt_secret,
        "SECRET_KEY_BASE": secrets.secret_key_base,
        "APP_NAME": "realtime",
        "MAX_CONNECTIONS": "16384",
        "TENANT_MAX_CONCURRENT_USERS": "16384",
    }


def _functions(addresses: Addresses, secrets: Secrets) -> Mapping[str, str]:
    return {
        "SUPABASE_URL": addresses.url,
        "SUPABASE_ANON_KEY": secrets.anon_key,
        "SUPABASE_SERVICE_ROLE_KEY": secrets.service_role_key,
        "SUPABASE_DB_URL": addresses.database_url("postgres", secrets.postgres_password),
        "SMTP_HOST": "127.0.0.1",
        "SMTP_PORT": str(addresses.smtp_port),
        "SMTP_ADMIN_EMAIL": "no-reply@muster.test",
        "SMTP_SENDER_NAME": "Muster",
        "SMTP_TLS": "none",
    }
