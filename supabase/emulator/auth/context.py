"""One request as an endpoint sees it, and the parts of the service that it may use."""

import asyncio
import ipaddress
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool
from starlette.requests import Request

from emulator.addresses import client_key
from emulator.asgi.body import BodyTooLarge, read_body
from emulator.auth import errors
from emulator.auth.background import BackgroundTasks
from emulator.auth.conf.settings import AuthSettings
from emulator.auth.crypto.keyring import Keyring
from emulator.auth.crypto.password import Hasher
from emulator.auth.models.sql import Db
from emulator.auth.ratelimit.intervals import RequestIntervals
from emulator.auth.ratelimit.limits import RateLimits
from emulator.auth.utilities import redirects
from emulator.auth.utilities.go_json import GoJsonError, fill, parse
from emulator.auth.utilities.seen_assertions import SeenAssertions
from emulator.auth.utilities.ttl_cache import TtlCache
from emulator.errors import ApiError
from emulator.mail.email import MailSender
from emulator.observe import trace
from emulator.principal import Principal
from emulator.rate_limit import RateLimiter

if TYPE_CHECKING:
    import httpx

T = TypeVar("T", bound=Any)
MAX_BODY_BYTES = 1024 * 1024
MAX_USER_AGENT_LENGTH = 1024
MAX_AUDIENCE_LENGTH = 255
MAX_FORM_BYTES, MAX_FORM_FIELDS = 64 * 1024, 100
LARGE_BODY_BYTES = 32 * 1024
DOCUMENT_TTL_S = 600
_BEARER = re.compile(r"bearer (\S+)", re.IGNORECASE)


@dataclass
class Service:
    """What lives as long as the process (GoTrue's `API`)."""

    settings: AuthSettings
    keyring: Keyring
    hasher: Hasher
    mailer: MailSender
    pool: AsyncConnectionPool[AsyncConnection[Any]]
    rate_limits: RateLimits
    mail_intervals: RequestIntervals = field(default_factory=RequestIntervals)
    background: BackgroundTasks = field(default_factory=BackgroundTasks)
    mail_templates: TtlCache[str] = field(default_factory=lambda: TtlCache(DOCUMENT_TTL_S))
    provider_documents: TtlCache[dict[str, Any]] = field(default_factory=lambda: TtlCache(DOCUMENT_TTL_S))
    seen_assertions: SeenAssertions = field(default_factory=SeenAssertions)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    clock: Callable[[], float] = time.monotonic  # seconds, for limits: the wall clock may be set back

    @cached_property
    def http(self) -> "httpx.AsyncClient":
        """For providers, hooks and templates; made when first needed, as most stacks need none of them."""
        import httpx

        return httpx.AsyncClient(timeout=8.0, follow_redirects=False, trust_env=False)

    async def close(self) -> None:
        """Wait for mails on their way, then release everything."""
        await self.background.wait()
        if "http" in vars(self):
            await self.http.aclose()
        await self.pool.close()
        self.hasher.close()


@dataclass
class RequestContext:
    """One request. `effects` run after the transaction committed."""

    service: Service
    request: Request
    body: bytes
    form: dict[str, str]
    effects: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    @classmethod
    async def receive(cls, service: Service, request: Request) -> "RequestContext":
        """Read the whole body; raises request_entity_too_large, ClientDisconnected."""
        try:
            body = await read_body(request.receive, MAX_BODY_BYTES)
        except BodyTooLarge as error:
            raise errors.request_entity_too_large(error.limit) from None
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        form: dict[str, str] = {}
        if kind == "application/x-www-form-urlencoded" and request.method == "POST":
            form = _parse_form(body)
        ctx = cls(service, request, body, form)
        if len(body) > LARGE_BODY_BYTES and not form:
            ctx.__dict__["json"] = await asyncio.to_thread(_parse_json, body)  # others must not wait for it
        return ctx

    @property
    def settings(self) -> AuthSettings:
        """The configuration."""
        return self.service.settings

    @property
    def now(self) -> datetime:
        """The time, in UTC."""
        return self.service.now()

    def params(self, cls: type[T], *, prefix: str = "Could not parse request body as JSON") -> T:
        """The JSON body as a dataclass; raises bad_json."""
        try:
            if isinstance(self.json, GoJsonError):
                raise self.json
            return fill(cls, self.json)
        except GoJsonError as error:
            raise errors.bad_json(str(error), prefix) from None

    @cached_property
    def json(self) -> Any:
        """The body as a JSON value, or the GoJsonError that says why it is none."""
        return _parse_json(self.body)

    def query(self, name: str) -> str:
        """A value of the form body or else of the query string; "" when absent. NUL never gets through."""
        return (self.form.get(name) or self.request.query_params.get(name, "")).replace("\0", "")

    def header(self, name: str) -> str:
        """A request header, "" when absent."""
        return self.request.headers.get(name, "")

    @property
    def user_agent(self) -> str | None:
        """The User-Agent header, cut off at MAX_USER_AGENT_LENGTH; None when it is absent."""
        return self.header("user-agent").replace("\0", "")[:MAX_USER_AGENT_LENGTH] or None

    @property
    def ip(self) -> str:
        """The client's address: the first that parses in X-Forwarded-For, else the peer's."""
        forwarded = self.header("x-forwarded-for").split(",")
        if self.settings.security.sb_forwarded_for:
            forwarded = [*self.header("sb-forwarded-for").split(",")[:1], *forwarded]
        peer = self.request.client.host if self.request.client else ""
        return next((text for text in (item.strip() for item in [*forwarded, peer]) if _is_address(text)), "127.0.0.1")

    @cached_property
    def bearer(self) -> str | None:
        """The token of the Authorization header, None when it is missing or malformed."""
        found = _BEARER.fullmatch(self.header("authorization"))
        return found[1] if found else None

    @cached_property
    def verified_bearer(self) -> Principal | ApiError | None:
        """Who the bearer token is for, or what is wrong with it, None without one; verified once per request."""
        try:
            return self.service.keyring.verify(self.bearer, self.now) if self.bearer else None
        except ApiError as error:
            return error

    @property
    def principal(self) -> Principal | None:
        """Who the bearer token is for, if it is valid."""
        return self.verified_bearer if isinstance(self.verified_bearer, Principal) else None

    @property
    def is_admin(self) -> bool:
        """Whether the token's role is one of GOTRUE_JWT_ADMIN_ROLES."""
        return self.principal is not None and self.principal.role in self.settings.jwt.admin_roles

    @property
    def aud(self) -> str:
        """Which audience the request is about: an admin's X-JWT-AUD, a user's token, or the configured one."""
        named = self.header("x-jwt-aud")
        if named and self.is_admin:  # addresses are unique over all audiences: another one would show whose is taken
            if len(named) > MAX_AUDIENCE_LENGTH:
                raise errors.validation_failed("X-JWT-AUD is too long")
            return named
        if self.principal is not None and not self.is_admin:
            aud = self.principal.claims.get("aud")
            return aud if isinstance(aud, str) and aud else self.settings.jwt.aud
        return self.settings.jwt.aud

    def redirect_to(self, in_body: str = "") -> str:
        """Where the browser ends up: the first allowed of what was asked for, the Referer, SITE_URL."""
        asked = self.header("redirect_to") or self.query("redirect_to")
        candidates = [in_body, asked, self.header("referer")]
        return redirects.choose_redirect(candidates, self.settings.site_url, self.settings.uri_allow_list)

    @property
    def rate_limits(self) -> RateLimits:
        """The service's token buckets."""
        return self.service.rate_limits

    def check_rate_limit(self, limiter: RateLimiter) -> None:
        """Take a token for the client's address; raises over_request_rate_limit.

        As in GoTrue, nothing is limited unless RATE_LIMIT_HEADER names the header that holds the address.
        """
        key = self._rate_limit_key()
        if key and limiter.take(key, self.service.clock()) > 0:
            raise errors.over_request_rate_limit()

    def _rate_limit_key(self) -> str:
        if self.settings.security.sb_forwarded_for and self.header("sb-forwarded-for"):
            return client_key(self.header("sb-forwarded-for").split(",")[0].strip())
        name = self.settings.rates.header
        return client_key(self.header(name).split(",")[0].strip()) if name else ""

    async def run_in_background(self, work: Callable[[], Awaitable[None]]) -> None:
        """Start work that the response does not wait for."""
        await self.service.background.run(work)

    @asynccontextmanager
    async def transaction(self, *, pipelined: bool = False) -> AsyncIterator[Db]:
        """A connection in a transaction; `effects` run once it is committed.

        `pipelined` sends statements without awaiting each result: fewer round trips, but an error of the database
        surfaces at the next rows that are fetched, so it is for work that handles none.
        """
        async with (
            self.service.pool.connection() as db,
            db.pipeline() if pipelined else nullcontext(),
            db.transaction(),
        ):
            name = trace.application_name("auth")
            if name is not None:
                await db.execute("select set_config('application_name', %s, true)", (name,))
            yield db
        failed: ApiError | None = None
        while self.effects:
            try:
                await self.effects.pop(0)()
            except ApiError as error:  # the others are due, too: all of them belong to what is committed
                failed = failed or error
        if failed is not None:
            raise failed


def _parse_form(body: bytes) -> dict[str, str]:
    """The first value of each field; raises request_entity_too_large, validation_failed. Long forms cost much."""
    if len(body) > MAX_FORM_BYTES:
        raise errors.request_entity_too_large(MAX_FORM_BYTES)
    try:
        fields = parse_qs(body.decode("utf-8", "replace"), max_num_fields=MAX_FORM_FIELDS)
    except ValueError:
        raise errors.validation_failed("Too many form fields") from None
    return {name: values[0] for name, values in fields.items()}


def _parse_json(body: bytes) -> Any:
    try:
        return parse(body)
    except GoJsonError as error:
        return error


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text  # an IPv6 zone means nothing outside of its host
