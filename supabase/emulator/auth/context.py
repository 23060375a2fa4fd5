"""One request as an endpoint sees it, and the parts of the service that it may use."""

import asyncio
import ipaddress
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import parse_qs

import psycopg
import psycopg_pool
from psycopg import AsyncConnection
from psycopg_pool import AsyncConnectionPool
from starlette.requests import Request

from emulator.auth import errors
from emulator.auth.conf.settings import AuthSettings, Rate
from emulator.auth.crypto.password import Hasher
from emulator.auth.mailer.smtp import Mailer
from emulator.auth.models.sql import Db
from emulator.auth.ratelimit.limiter import Limiter
from emulator.auth.tokens.access_tokens import Keyring
from emulator.auth.utilities import redirects
from emulator.auth.utilities.go_json import GoJsonError, decode
from emulator.errors import ApiError
from emulator.jwt import Claims
from emulator.observe import trace

if TYPE_CHECKING:
    import httpx

T = TypeVar("T", bound=Any)
MAX_BODY_BYTES = 1024 * 1024
MAX_USER_AGENT_LENGTH = 1024
MAX_BACKGROUND_TASKS = 200
log = logging.getLogger("emulator.auth")
_BEARER = re.compile(r"bearer (\S+)", re.IGNORECASE)


@dataclass
class Service:
    """What lives as long as the process."""

    settings: AuthSettings
    keyring: Keyring
    hasher: Hasher
    mailer: Mailer
    pool: AsyncConnectionPool[AsyncConnection[Any]]
    limiters: dict[str, Limiter] = field(default_factory=dict)
    caches: dict[str, Any] = field(default_factory=dict)
    now: Callable[[], datetime] = lambda: datetime.now(UTC)

    @cached_property
    def http(self) -> "httpx.AsyncClient":
        """For providers and templates; made when first needed, as most stacks need neither."""
        import httpx

        return httpx.AsyncClient(timeout=8.0, follow_redirects=False, trust_env=False)

    async def close(self) -> None:
        """Let everything go; mails on their way are waited for."""
        await asyncio.gather(*self.caches.get("tasks", ()), return_exceptions=True)
        if "http" in vars(self):
            await self.http.aclose()
        await self.pool.close()
        self.hasher.close()

    def limiter(self, name: str, rate: Rate) -> Limiter:
        """The buckets of one name."""
        return self.limiters.setdefault(name, Limiter(rate))


@dataclass
class Call:
    """One request. `effects` run after the transaction committed."""

    service: Service
    request: Request
    body: bytes
    form: dict[str, str]
    effects: list[Callable[[], Awaitable[None]]] = field(default_factory=list)

    @classmethod
    async def receive(cls, service: Service, request: Request) -> "Call":
        """Read the whole body; raises request_entity_too_large."""
        body = await _read_body(request)
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        form: dict[str, str] = {}
        if kind == "application/x-www-form-urlencoded" and request.method == "POST":
            form = {name: values[0] for name, values in parse_qs(body.decode("utf-8", "replace")).items()}
        return cls(service, request, body, form)

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
            return decode(cls, self.body)
        except GoJsonError as error:
            raise errors.bad_json(str(error), prefix) from None

    def query(self, name: str) -> str:
        """A value of the form body or else of the query string; "" when absent. NUL never gets through."""
        return (self.form.get(name) or self.request.query_params.get(name, "")).replace("\0", "")

    def header(self, name: str) -> str:
        """A request header, "" when absent."""
        return self.request.headers.get(name, "")

    @property
    def user_agent(self) -> str | None:
        """Who says to be calling, shortened; None when silent."""
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
        """The token of the Authorization header, None when missing or misshapen."""
        found = _BEARER.fullmatch(self.header("authorization"))
        return found[1] if found else None

    @cached_property
    def judged_bearer(self) -> Claims | ApiError | None:
        """The claims of the bearer or what is wrong with it, None without one; judged once a request."""
        try:
            return self.service.keyring.verify(self.bearer, self.now) if self.bearer else None
        except ApiError as error:
            return error

    def verified_bearer(self) -> Claims | None:
        """The claims of the bearer when it is good."""
        return None if isinstance(self.judged_bearer, ApiError) else self.judged_bearer

    @property
    def is_admin(self) -> bool:
        """Whether the bearer's role may administer."""
        claims = self.verified_bearer()
        return claims is not None and claims.get("role") in self.settings.jwt.admin_roles

    @property
    def aud(self) -> str:
        """Which audience the request is about: header, a user's token, or the configured one."""
        named = self.header("x-jwt-aud")
        if named:
            return named
        claims = self.verified_bearer()
        if claims and claims.get("role") not in self.settings.jwt.admin_roles and isinstance(claims.get("aud"), str):
            return str(claims["aud"]) or self.settings.jwt.aud
        return self.settings.jwt.aud

    def redirect_to(self, in_body: str = "") -> str:
        """Where the browser shall end: the first allowed of what was asked, the Referer, SITE_URL."""
        asked = self.header("redirect_to") or self.query("redirect_to")
        candidates = [in_body, asked, self.header("referer")]
        return redirects.choose_redirect(candidates, self.settings.site_url, self.settings.uri_allow_list)

    def limit(self, name: str, rate: Rate) -> None:
        """Take from the address's bucket; raises over_request_rate_limit. Off unless a header names the address."""
        key = self._limit_key()
        if key and not self.service.limiter(name, rate).allow(key, self.now.timestamp()):
            raise errors.over_request_rate_limit()

    def _limit_key(self) -> str:
        if self.settings.security.sb_forwarded_for and self.header("sb-forwarded-for"):
            return self.header("sb-forwarded-for").split(",")[0].strip()
        name = self.settings.rates.header
        return self.header(name).split(",")[0].strip() if name else ""

    @asynccontextmanager
    async def transaction(self, *, pipelined: bool = False) -> AsyncIterator[Db]:
        """A connection in a transaction; what was promised for afterwards runs when it committed.

        `pipelined` sends statements without awaiting each answer: fewer round trips, but a refusal of the database
        shows at the next rows that are fetched, so it is for work that handles none.
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
        while self.effects:
            await self.effects.pop(0)()


async def _read_body(request: Request) -> bytes:
    chunks, size = [], 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > MAX_BODY_BYTES:
            raise errors.request_entity_too_large(MAX_BODY_BYTES)
        chunks.append(chunk)
    return b"".join(chunks)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return "%" not in text


async def run_in_background(service: Service, work: Callable[[], Awaitable[None]]) -> None:
    """Start work whose end nobody waits for; the service's shutdown does. With too much of it, wait after all."""
    tasks: set[asyncio.Task[None]] = service.caches.setdefault("tasks", set())

    async def run() -> None:
        try:
            await work()
        except (psycopg_pool.PoolTimeout, psycopg.OperationalError) as error:
            log.warning("work after an answer was given up, the database does not answer: %s", error)
        except Exception:
            log.exception("unexpected failure after an answer")

    if len(tasks) >= MAX_BACKGROUND_TASKS:
        await run()
        return
    task = asyncio.create_task(run())
    tasks.add(task)
    task.add_done_callback(tasks.discard)
