"""The REST service: pool, authenticator, and the snapshot of settings and schema cache that it serves with. I/O.

A reload builds a new snapshot and puts it in place in one assignment, so a request sees the old one or the new one.
"""

import asyncio
import gc
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import psycopg

from emulator.db.pool import PipelinePool, PoolLimits
from emulator.db.statement import Statement
from emulator.principal import Principal
from emulator.rest.api_request.http_request import Headers, RawHeaders, read_headers
from emulator.rest.api_request.query_params import QueryForm
from emulator.rest.auth.authenticator import Authenticator
from emulator.rest.bodies import BodyReaders
from emulator.rest.compiler import CompiledRequest, Compiler
from emulator.rest.database_config import load_database_config, load_role_settings
from emulator.rest.execute import Executor
from emulator.rest.introspect import (
    FINGERPRINT,
    Arguments,
    Catalogs,
    Known,
    StoredConfig,
    load_schema_cache,
    read_fingerprint,
)  # fmt: skip
from emulator.rest.plan.planner import Planner
from emulator.rest.plan.read import PlanOptions
from emulator.rest.query.pre_query import RoleSettings
from emulator.rest.query.transaction import TransactionPlan
from emulator.rest.response.types import ResponseContext
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.settings import RestSettings

log = logging.getLogger(__name__)

Argument = TypeVar("Argument")
Result = TypeVar("Result")

_NO_SETTINGS = RoleSettings()
_MAX_HEADER_SETS = 1000
# Longer ones are rare and would let a client fill the memory.
_MAX_CACHED_HEADER_BYTES = 8192


@dataclass(slots=True)
class Counters:
    """Loads of the schema cache, for /metrics."""

    loads: int = 0
    failed_loads: int = 0
    last_load_s: float = 0.0


class KnownRequest(NamedTuple):
    """What requests without a body share that differ in plain values alone, up to their transaction."""

    compiled: CompiledRequest
    principal: Principal
    transaction: TransactionPlan
    caller: str | None


@dataclass(frozen=True)
class Snapshot:
    """One configuration and one schema cache, with everything derived from them. A request uses one snapshot only."""

    settings: RestSettings
    cache: SchemaCache
    planner: Planner
    compiler: Compiler
    roles: dict[str, RoleSettings]
    transactions: dict[tuple[CompiledRequest, Headers, Principal], TransactionPlan] = field(default_factory=dict)
    known: dict[tuple[str, bytes, QueryForm, Headers], KnownRequest] = field(default_factory=dict)
    contexts: dict[CompiledRequest, ResponseContext] = field(default_factory=dict)
    # API descriptions by schema and privileges: of some hundred relations one takes 40 ms to write.
    documents: dict[tuple[str, bytes | None], bytes] = field(default_factory=dict)

    def role_settings(self, role: str) -> RoleSettings:
        """Return the settings of a role."""
        return self.roles.get(role, _NO_SETTINGS)


class RestService:
    """One REST service. `snapshot` is None until the schema cache has been loaded for the first time."""

    def __init__(
        self, settings: RestSettings, catalogs: Catalogs | None = None, now: Callable[[], float] = time.time
    ) -> None:
        """`catalogs`: what is known of databases that are copies of each other. `now`: what tokens expire by."""
        # What a pre-config function says may depend on anything.
        self._catalogs = catalogs if settings.db_pre_config is None else None
        self.now = now
        self.base_settings = settings
        self.settings = settings
        self.authenticator = build_authenticator(settings)
        self.snapshot: Snapshot | None = None
        self.pool = PipelinePool(
            with_application_name(settings.db_uri),
            PoolLimits(
                settings.db_pool,
                settings.db_pool_acquisition_timeout_s,
                settings.db_pool_max_idletime_s,
                settings.db_pool_max_lifetime_s,
                # Slow statements of one caller leave room for everybody else's.
                per_caller=max(1, settings.db_pool * 2 // 5),
            ),
        )
        self.executor = Executor(self.pool)
        self.retry_after_s = 1
        self.is_reachable = True
        self.counters = Counters()
        self.bodies = BodyReaders()
        self._compiling: ThreadPoolExecutor | None = None
        self._headers: dict[RawHeaders, Headers] = {}
        self._reloading = asyncio.Lock()

    @property
    def shares_catalogs(self) -> bool:
        """Whether other services of the process are over copies of this database, so that its catalog may be known."""
        return self._catalogs is not None

    def headers(self, raw: RawHeaders) -> Headers:
        """Parse a set of headers; equal sets are parsed once."""
        found = self._headers.get(raw)
        if found is None:
            if len(self._headers) >= _MAX_HEADER_SETS:
                self._headers.clear()
            found = read_headers(raw)
            if sum(len(name) + len(value) for name, value in raw) <= _MAX_CACHED_HEADER_BYTES:
                self._headers[raw] = found
        return found

    async def in_turn(self, function: Callable[[Argument], Result], argument: Argument) -> Result:
        """Call what takes long in a thread, one call after another: others then wait for the interpreter, 5 ms a turn.

        Any number of such requests at once slows down the rest no more than one does.
        """
        if self._compiling is None:
            self._compiling = ThreadPoolExecutor(1, "rest-compile")
        return await asyncio.get_running_loop().run_in_executor(self._compiling, function, argument)

    async def close(self) -> None:
        """Close every connection, and end what works for this service."""
        await self.pool.close()
        self.bodies.close()
        if self._compiling is not None:
            self._compiling.shutdown(wait=False, cancel_futures=True)

    async def reload(
        self, *, schema: bool = True, config: bool = True, connection: psycopg.AsyncConnection[Any] | None = None
    ) -> None:
        """Read configuration and catalog again, over a connection of the caller's or an own one.

        Raises psycopg.Error; the old snapshot then stays in service.
        """
        async with self._reloading, AsyncExitStack() as exits:
            started = time.monotonic()
            if connection is None:
                connection = await psycopg.AsyncConnection.connect(self.base_settings.db_uri, autocommit=True)
                exits.push_async_callback(connection.close)
            await self._reload(connection, schema=schema or self.snapshot is None, config=config)
            self.counters.loads += 1
            self.counters.last_load_s = time.monotonic() - started

    async def adopt(self) -> bool:
        """Serve with what is known of a copy of this database, asked over a connection of the pool; whether it is.

        A first request for a copy then waits for one connection and one statement. Raises what the pool raises.
        """
        if self._catalogs is None:
            return False
        connection = await self.pool.acquire()
        try:
            [[(found,)]] = await connection.execute([Statement(FINGERPRINT, is_prepared=False)])
        finally:
            await self.pool.release(connection)
        fingerprint = (found or b"").decode()
        known = self._catalogs.find(fingerprint)
        if known is None:
            return False
        settings, roles = self._configured(known.config)
        if _arguments(settings) != known.arguments:
            return False
        self._serve_with(settings, known.cache, roles)
        self.counters.loads += 1
        return True

    async def _reload(self, connection: psycopg.AsyncConnection[Any], *, schema: bool, config: bool) -> None:
        known, fingerprint = None, ""
        if self._catalogs is not None:
            fingerprint = await read_fingerprint(connection)
            known = self._catalogs.find(fingerprint)
        stored = StoredConfig({}, {})
        settings, roles = self.settings, self.snapshot.roles if self.snapshot else {}
        if config and self.base_settings.db_config:
            stored = known.config if known is not None else await self._stored_config(connection)
            settings, roles = self._configured(stored)
        arguments = _arguments(settings)
        if known is not None and known.arguments == arguments:
            cache = known.cache
        elif not schema and self.snapshot is not None and arguments == _arguments(self.settings):
            cache = self.snapshot.cache
        else:
            cache = await load_schema_cache(connection, *arguments)
            # Not under the fingerprint of what was changed while it was read.
            if self._catalogs is not None and config and await read_fingerprint(connection) == fingerprint:
                self._catalogs.keep(fingerprint, Known(stored, arguments, cache))
        now = self.snapshot
        if now is None or now.cache is not cache or (now.settings, now.roles) != (settings, roles):
            self._serve_with(settings, cache, roles)

    async def _stored_config(self, connection: psycopg.AsyncConnection[Any]) -> StoredConfig:
        settings = await load_database_config(connection, self.base_settings.db_pre_config)
        return StoredConfig(settings, await load_role_settings(connection))

    def _configured(self, stored: StoredConfig) -> tuple[RestSettings, dict[str, RoleSettings]]:
        base = self.base_settings
        if not base.db_config:
            return base, {}
        return base.overridden(stored.settings) if stored.settings else base, stored.roles

    def _serve_with(self, settings: RestSettings, cache: SchemaCache, roles: dict[str, RoleSettings]) -> None:
        snapshot = build_snapshot(settings, cache, roles)
        if settings != self.settings:
            self.authenticator = build_authenticator(settings)
            self.settings = settings
        self.snapshot = snapshot
        self.pool.forget_prepared()
        # The cache lives until the next load: the garbage collector need not walk it, which everybody would wait for.
        gc.freeze()
        log.info("schema cache loaded: %d relations, %d functions", len(cache.tables), len(cache.functions))


def _arguments(settings: RestSettings) -> Arguments:
    """What a schema cache is read with."""
    return settings.db_schemas, settings.db_extra_search_path, settings.db_hoisted_tx_settings


def with_application_name(uri: str) -> str:
    """Return the connection string with the application name `rest`, unless it has one."""
    try:
        return psycopg.conninfo.make_conninfo(uri, fallback_application_name="rest")
    except psycopg.Error:
        return uri  # connecting reports what is wrong with it


def build_authenticator(settings: RestSettings) -> Authenticator:
    """Return the authenticator of a configuration."""
    return Authenticator(
        settings.jwt_secret,
        audience=settings.jwt_aud,
        anon_role=settings.db_anon_role,
        role_claim_key=settings.jwt_role_claim_key,
        max_entries=settings.jwt_cache_max_entries,
    )


def build_snapshot(settings: RestSettings, cache: SchemaCache, roles: dict[str, RoleSettings]) -> Snapshot:
    """Derive everything from settings and schema cache. Pure."""
    options = PlanOptions(settings.db_aggregates_enabled, settings.db_max_rows, settings.url_use_legacy_target_names)
    planner = Planner(cache, options, settings.db_plan_enabled)
    return Snapshot(
        settings,
        cache,
        planner,
        Compiler(
            planner,
            settings.db_schemas,
            settings.db_max_rows,
            settings.db_root_spec,
            has_root=settings.openapi_mode != "disabled",
        ),
        roles,
    )
