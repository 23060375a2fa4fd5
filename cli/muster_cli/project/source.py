"""What the services' variables are made of: a project's configuration, the stack's keys, where it listens. No I/O."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from muster_cli.project.auth_config import Auth
from muster_cli.project.config import ProjectConfig


@dataclass(frozen=True)
class Keys:
    """The stack's keys. `jwks` verifies every token, `signing_keys` sign those of users: JSON texts."""

    jwt_secret: str
    anon: str
    service_role: str
    publishable: str
    secret: str
    jwks: str
    signing_keys: str


@dataclass(frozen=True)
class Place:
    """Where the services of one stack listen and keep things. `database_url` makes the URL of a role."""

    origin: str
    host: str
    port: int
    smtp_port: int
    database: tuple[str, int, str]
    database_password: str
    database_url: Callable[[str], str]
    secret_key_base: str
    mail: Path
    files: Path
    template: Callable[[str], Path | None]


@dataclass(frozen=True)
class Source:
    """What the rows are made of."""

    config: ProjectConfig
    keys: Keys
    place: Place

    @property
    def auth(self) -> Auth:
        """The section that most rows are about."""
        return self.config.auth

    @property
    def origin(self) -> str:
        """The public origin of the API."""
        return (self.config.api.external_url or self.place.origin).rstrip("/")

    @property
    def auth_url(self) -> str:
        """Where auth is reached from outside."""
        return (self.auth.external_url or f"{self.origin}/auth/v1").rstrip("/")

    @property
    def issuer(self) -> str:
        """Of users' tokens."""
        return self.auth.jwt_issuer or self.auth_url

    @property
    def has_mail_server(self) -> bool:
        """Whether mails leave this machine."""
        return self.auth.email.smtp is not None and self.auth.email.smtp.enabled


Row = Callable[[Source], str | int | bool | None]
Table = Mapping[str, Row]
