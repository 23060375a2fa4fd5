"""What the service is told by its environment, read once and typed. Refuses what would be unsafe or useless."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.headerregistry import Address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from emulator.settings import SettingsError
from muster_functions.mailer.backoff import Backoff

OWN_FUNCTIONS = Path(__file__).parent / "functions"
LOOPBACK = ("localhost", "127.0.0.1", "::1")

Tls = Literal["auto", "none", "starttls", "tls"]
TLS: dict[str, Tls] = {"auto": "auto", "none": "none", "starttls": "starttls", "tls": "tls"}


@dataclass(frozen=True)
class SmtpSettings:
    """Where mails go. `tls`: auto = TLS on port 465, else STARTTLS when offered (demanded once there is a password)."""

    host: str
    port: int = 25
    user: str = ""
    password: str = field(default="", repr=False)
    sender: str = "no-reply@muster.local"
    sender_name: str = "Muster"
    tls: Tls = "auto"
    ca_file: str | None = None
    timeout_s: float = 20.0


@dataclass(frozen=True)
class Limits:
    """How much is taken: requests a caller may make, mails that may leave for it, mails that may wait."""

    requests_per_minute: int = 60
    mails_per_caller_per_hour: int = 60
    mails_per_recipient_per_hour: int = 30
    queue_length: int = 2000


@dataclass(frozen=True)
class FunctionsSettings:
    """Everything the service knows about its surroundings."""

    jwt_secret: str = field(repr=False)
    database_url: str = field(repr=False)
    site_url: str
    smtp: SmtpSettings
    supabase_url: str = ""
    web_url: str = ""
    anon_key: str = field(default="", repr=False)
    service_role_key: str = field(default="", repr=False)
    functions_dir: Path = OWN_FUNCTIONS
    host: str = "127.0.0.1"
    port: int = 8000
    development: bool = False
    timeout_s: float = 150.0
    max_body_bytes: int = 10 * 1024 * 1024
    limits: Limits = Limits()
    backoff: Backoff = Backoff()

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "FunctionsSettings":
        """Read the variables of the container this stands in for; raises SettingsError."""
        site_url = _origin(_required(env, "SITE_URL"))
        return cls(
            jwt_secret=_required(env, "JWT_SECRET"),
            database_url=_required(env, "SUPABASE_DB_URL"),
            site_url=site_url,
            smtp=_read_smtp(env),
            supabase_url=env.get("SUPABASE_URL", "").rstrip("/"),
            web_url=_origin(env["WEB_URL"]) if env.get("WEB_URL") else "",
            anon_key=env.get("SUPABASE_ANON_KEY", ""),
            service_role_key=env.get("SUPABASE_SERVICE_ROLE_KEY", ""),
            functions_dir=Path(env.get("FUNCTIONS_DIR") or OWN_FUNCTIONS),
            host=env.get("HOST") or "127.0.0.1",
            port=_integer(env, "PORT", 8000, low=0, high=65535),
            development=_flag(env, "FUNCTIONS_DEVELOPMENT", default=urlsplit(site_url).hostname in LOOPBACK),
            timeout_s=float(_integer(env, "FUNCTIONS_TIMEOUT_S", 150, low=1)),
            max_body_bytes=_integer(env, "FUNCTIONS_MAX_BODY_BYTES", 10 * 1024 * 1024, low=1),
            limits=_read_limits(env),
        )


def from_os() -> FunctionsSettings:
    """The settings of this process."""
    return FunctionsSettings.from_env(os.environ)


def _read_smtp(env: Mapping[str, str]) -> SmtpSettings:
    tls = env.get("SMTP_TLS") or "auto"
    if tls not in TLS:
        raise SettingsError(f"SMTP_TLS must be one of {', '.join(TLS)}")
    host, user = _required(env, "SMTP_HOST"), env.get("SMTP_USER", "")
    if user and tls == "none" and host not in LOOPBACK:
        raise SettingsError("SMTP_TLS=none would send the password of SMTP_USER in the clear")
    sender = env.get("SMTP_ADMIN_EMAIL") or "no-reply@muster.local"
    try:
        Address(addr_spec=sender)
    except (ValueError, IndexError) as error:
        raise SettingsError("SMTP_ADMIN_EMAIL is no e-mail address") from error
    return SmtpSettings(
        host=host, port=_integer(env, "SMTP_PORT", 25, low=1, high=65535),
        user=user, password=env.get("SMTP_PASS", ""),
        sender=sender, sender_name=env.get("SMTP_SENDER_NAME") or "Muster",
        tls=TLS[tls], ca_file=env.get("SMTP_CA_FILE") or None,
        timeout_s=float(_integer(env, "SMTP_TIMEOUT_S", 20, low=1)),
    )  # fmt: skip


def _read_limits(env: Mapping[str, str]) -> Limits:
    return Limits(
        requests_per_minute=_integer(env, "FUNCTIONS_REQUESTS_PER_MINUTE", Limits.requests_per_minute, low=1),
        mails_per_caller_per_hour=_integer(env, "MAILS_PER_CALLER_PER_HOUR", Limits.mails_per_caller_per_hour, low=1),
        mails_per_recipient_per_hour=_integer(
            env, "MAILS_PER_RECIPIENT_PER_HOUR", Limits.mails_per_recipient_per_hour, low=1
        ),
        queue_length=_integer(env, "MAIL_QUEUE_LENGTH", Limits.queue_length, low=1),
    )


def _required(env: Mapping[str, str], name: str) -> str:
    value = env.get(name, "")
    if not value:
        raise SettingsError(f"{name} is not set")
    return value


def _integer(env: Mapping[str, str], name: str, default: int, *, low: int, high: int | None = None) -> int:
    text = env.get(name) or str(default)
    if not text.isdecimal() or int(text) < low or (high is not None and int(text) > high):
        raise SettingsError(f"{name} must be a whole number" + (f" up to {high}" if high else f" from {low}"))
    return int(text)


def _flag(env: Mapping[str, str], name: str, *, default: bool) -> bool:
    text = env.get(name, "").lower()
    if text not in ("", "true", "false"):
        raise SettingsError(f"{name} must be true or false")
    return default if not text else text == "true"


def _origin(url: str) -> str:
    """The origin of the site; a path would be lost in links and is refused."""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise SettingsError("SITE_URL must be an origin such as https://muster.example")
    return f"{parts.scheme}://{parts.netloc}"
