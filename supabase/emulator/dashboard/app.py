"""The dashboard as an ASGI application: its page and files are public, its JSON is behind the stack's secret key.

The gateway checks that key (supabase/config/routes.toml), as for anything that the service role alone may read.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp

from emulator.asgi.body import BodyTooLarge, read_body
from emulator.dashboard import queries
from emulator.observe.recent import Recent, Recorded

ASSETS = Path(__file__).parent / "assets"
PATH = "/_muster"
ASSET_TYPES = {"dashboard.css": "text/css; charset=utf-8", "dashboard.js": "text/javascript; charset=utf-8"}
HEADERS = {
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
}  # fmt: skip
MAX_BODY_BYTES = 64 * 1024
MOST_CONNECTIONS = 2
_ROWS_FIELDS = ("schema", "name", "role", "claims", "offset")
_RECORDED = tuple(field.name for field in fields(Recorded))

Read = Callable[[psycopg.AsyncConnection[Any]], Awaitable[Any]]


@dataclass(frozen=True)
class Sources:
    """What the dashboard shows beside the database, where it is role postgres. `branches` gives None without any."""

    conninfo: str
    recent: Recent
    channels: Callable[[], Sequence[Mapping[str, Any]]]
    branches: Callable[[], Awaitable[Sequence[Mapping[str, Any]] | None]]


class Refused(Exception):
    """A request that is not understood; the text says what is wrong."""


def create_app(sources: Sources) -> ASGIApp:
    """The dashboard; its lifespan opens the connections, which are made when they are needed."""
    pages = _Dashboard(sources)
    api = f"{PATH}/api"
    routes = [
        Route(PATH, pages.page),
        Route(f"{PATH}/assets/{{name}}", pages.asset),
        Route(f"{api}/database", pages.database),
        Route(f"{api}/requests", pages.requests),
        Route(f"{api}/tables", pages.tables),
        Route(f"{api}/table", pages.table),
        Route(f"{api}/rows", pages.rows, methods=["POST"]),
        Route(f"{api}/users", pages.users),
        Route(f"{api}/realtime", pages.realtime),
        Route(f"{api}/jobs", pages.jobs),
        Route(f"{api}/storage", pages.storage),
        Route(f"{api}/branches", pages.branches),
    ]
    return Router(routes, redirect_slashes=False, default=_not_found, lifespan=pages.lifespan)


async def _not_found(scope: Any, receive: Any, send: Any) -> None:
    await PlainTextResponse("not found", 404, HEADERS)(scope, receive, send)


class _Dashboard:
    """The endpoints."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._pool: AsyncConnectionPool[psycopg.AsyncConnection[Any]] = AsyncConnectionPool(
            sources.conninfo, min_size=0, max_size=MOST_CONNECTIONS, max_idle=30, timeout=5, open=False,
            name="dashboard", check=AsyncConnectionPool.check_connection, num_workers=1,
        )  # fmt: skip

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        """Open the pool, and close it at the end."""
        await self._pool.open(wait=False)
        try:
            yield
        finally:
            await self._pool.close()

    async def page(self, _request: Request) -> Response:
        """The page, which asks for everything itself."""
        return FileResponse(ASSETS / "dashboard.html", headers=HEADERS)

    async def asset(self, request: Request) -> Response:
        """Its script or style sheet."""
        name = request.path_params["name"]
        if name not in ASSET_TYPES:
            return PlainTextResponse("not found", 404, HEADERS)
        return FileResponse(ASSETS / name, media_type=ASSET_TYPES[name], headers=HEADERS)

    async def database(self, _request: Request) -> Response:
        """The database's size and connections."""
        return await self._read(queries.database)

    async def requests(self, request: Request) -> Response:
        """The requests since one, with their SQL."""
        after = _number(request, "after")
        # Not asdict, which would copy every statement.
        return _json([{name: getattr(one, name) for name in _RECORDED} for one in self._sources.recent.since(after)])

    async def tables(self, _request: Request) -> Response:
        """Every table and view."""
        return await self._read(queries.tables)

    async def table(self, request: Request) -> Response:
        """One table's policies and grants."""
        schema, name = request.query_params.get("schema", ""), request.query_params.get("name", "")
        return await self._read(lambda connection: queries.table(connection, schema, name))

    async def rows(self, request: Request) -> Response:
        """Rows as a role with claims sees them: `{schema, name, role, claims, offset}`."""
        try:
            body = json.loads(await read_body(request.receive, MAX_BODY_BYTES))
            schema, name, role, claims, offset = (body[field] for field in _ROWS_FIELDS)
        except (ValueError, KeyError, TypeError, RecursionError):
            return _refusal(f"the body must be JSON with {', '.join(_ROWS_FIELDS)}")
        except BodyTooLarge:
            return _refusal(f"the body is longer than {MAX_BODY_BYTES} bytes", 413)
        texts = isinstance(schema, str) and isinstance(name, str) and queries.known_role(role)
        if texts and "\0" in schema + name:  # where libpq's texts end
            return _refusal("a name has no NUL")
        if not texts or not isinstance(claims, dict) or type(offset) is not int or not 0 <= offset < 2**31:
            return _refusal(f"role is one of {', '.join(queries.ROLES)}, claims an object, offset a number")
        return await self._read(lambda db: queries.rows_as(db, schema, name, role, claims, offset))

    async def users(self, request: Request) -> Response:
        """Users to read as, each with the claims of a token."""
        asked = request.query_params.get("q", "")[:200]

        async def read(connection: psycopg.AsyncConnection[Any]) -> list[dict[str, Any]]:
            found = await queries.users(connection, asked)
            return [{"id": one["id"], "name": one["email"] or one["phone"] or one["id"],
                     "claims": queries.claims_of(one)} for one in found]  # fmt: skip

        return await self._read(read)

    async def realtime(self, _request: Request) -> Response:
        """The channels of this process."""
        return _json(self._sources.channels())

    async def jobs(self, _request: Request) -> Response:
        """Scheduled jobs, requests of pg_net, queues."""
        return await self._read(queries.jobs)

    async def storage(self, _request: Request) -> Response:
        """The buckets."""
        return await self._read(queries.buckets)

    async def branches(self, _request: Request) -> Response:
        """The branches; null where the stack has none."""
        return _json(await self._sources.branches())

    async def _read(self, read: Read) -> Response:
        """What a read-only transaction of role postgres gives, or PostgreSQL's error."""
        try:
            async with self._pool.connection() as connection, connection.transaction():
                await connection.execute(
                    f"set transaction read only; set local statement_timeout = '{queries.TIMEOUT}'"
                )
                return _json(await read(connection))
        except psycopg.errors.Error as error:
            diagnosis = error.diag
            found = {"message": diagnosis.message_primary or str(error).strip(), "code": error.sqlstate,
                     "details": diagnosis.message_detail, "hint": diagnosis.message_hint}  # fmt: skip
            return _json(found, 400)
        except PoolTimeout:
            return _json({"message": "the database can't be reached"}, 503)


def _number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "0")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else 0


def _refusal(message: str, status: int = 400) -> Response:
    return _json({"message": message}, status)


def _json(payload: Any, status: int = 200) -> Response:
    body = json.dumps(payload, ensure_ascii=False, default=_plain).encode("utf-8", "replace")
    return Response(body, status, HEADERS | {"content-type": "application/json; charset=utf-8"})


def _plain(value: object) -> object:
    """What JSON lacks: times, and PostgreSQL's numeric."""
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    return float(value) if isinstance(value, Decimal) else str(value)
