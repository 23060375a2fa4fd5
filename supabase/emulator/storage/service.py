"""What every handler works with: settings, tokens, the database, the files; and who a request speaks for."""

from dataclasses import dataclass

from emulator.clock import Clock
from emulator.principal import Principal
from emulator.storage.database.session import Actor, Database
from emulator.storage.errors import StorageError, access_denied
from emulator.storage.files.backend import Backend
from emulator.storage.files.disk import Disk
from emulator.storage.files.partial import UploadStore
from emulator.storage.files.parts import PartStore
from emulator.storage.images.renderer import Renderer
from emulator.storage.lookups import PublicLookups
from emulator.storage.recent import Recent
from emulator.storage.settings import StorageSettings
from emulator.storage.tokens import SERVICE_ROLE, TokenError, Tokens, bearer
from emulator.storage.wire.request import StorageRequest


@dataclass(frozen=True)
class Service:
    """One storage service. `disk` holds what is being written, whichever the backend.

    `clock`: what tokens, signed URLs and resumable uploads expire by.
    """

    settings: StorageSettings
    tokens: Tokens
    db: Database
    files: Backend
    disk: Disk
    uploads: UploadStore
    parts: PartStore
    renderer: Renderer
    lookups: PublicLookups
    recent: Recent
    service_principal: Principal
    service_token: str
    clock: Clock


@dataclass
class Context:
    """One request: the service, the request, and as whom it runs. `operation` is what policies can ask for."""

    service: Service
    request: StorageRequest
    operation: str

    @property
    def settings(self) -> StorageSettings:
        return self.service.settings

    @property
    def db(self) -> Database:
        return self.service.db

    def principal(self) -> Principal:
        """Who the bearer token speaks for. Raises AccessDenied."""
        try:
            return self.service.tokens.principal(self.token)
        except TokenError as error:
            raise access_denied(str(error)) from error

    def principal_or_none(self) -> Principal | None:
        """The same; None for a token that is absent or refused."""
        try:
            return self.principal() if self.request.header("authorization") else None
        except StorageError:
            return None

    @property
    def token(self) -> str:
        return bearer(self.request.header("authorization") or "")

    def user(self) -> Actor:
        """Transactions as the caller. Raises AccessDenied."""
        return self.actor(self.principal(), self.token)

    def superuser(self) -> Actor:
        """Transactions as the service role, which row security does not bind."""
        return self.actor(self.service.service_principal, self.service.service_token)

    def actor(self, principal: Principal, token: str) -> Actor:
        """Transactions as somebody."""
        request = self.request
        return Actor(principal, token, request.headers_json, request.method, request.path, self.operation)

    def owner(self) -> str | None:
        """Who becomes the owner of what is written; None for tokens without a subject."""
        return self.principal().subject or None

    def require_service_role(self) -> bool:
        """Whether the caller is the service itself."""
        return self.principal().role == SERVICE_ROLE
