"""The REST service's state: settings, pool, schema cache and what is derived from them. I/O at the edges.

A reload builds new state beside the old and swaps it in one assignment, so a request sees one or the other.
"""

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Any

import psycopg

from emulator.db.pool import PipelinePool, PoolLimits
from emulator.rest.api_request.request import Headers, RawHeaders, read_headers
from emulator.rest.auth.authenticator import Authenticator
from emulator.rest.compiler import Compiler
from emulator.rest.introspect import load_database_config, load_role_settings, load_schema_cache
from emulator.rest.plan.planner import Planner
from emulator.rest.plan.read import PlanOptions
from emulator.rest.schema_cache.cache import RoleSettings, SchemaCache
from emulator.rest.settings import RestSettings

log = logging.getLogger(__name__)

_MAX_HEADER_SETS = 1000
# Longer ones are rare and would let a stranger fill the memory.
_MAX_REMEMBERED_HEADERS = 8192


@dataclass(slots=True)
class Counters:
    """What /metrics tells of schema cache loads."""

    loads: int = 0
    failed_loads: int = 0
    last_load_s: float = 0.0


@dataclass(frozen=True)
class State:
    """What one configuration and one schema cache make possible."""

    settings: RestSettings
    cache: SchemaCache
    planner: Planner
    compiler: Compiler
    roles: dict[str, RoleSettings]


class RestService:
    """Holds the state of one service and knows how to renew it."""

    def __init__(self, settings: RestSettings) -> None:
        self.base_settings = settings
        self.settings = settings
        self.authenticator = Authenticator(settings)
        self.state: State | None = None
        self.pool = PipelinePool(
            named(settings.db_uri),
            PoolLimits(
                settings.db_pool,
                settings.db_pool_acquisition_timeout_s,
                settings.db_pool_max_idletime_s,
                settings.db_pool_max_lifetime_s,
            ),
        )
        self.retry_after_s = 1
        self.is_reachable = True
        self.counters = Counters()
        self._headers: dict[RawHeaders, Headers] = {}
        self._reloading = asyncio.Lock()

    def headers(self, raw: RawHeaders) -> Headers:
        """Return a header set, read; equal sets are read once."""
        found = self._headers.get(raw)
        if found is None:
            if len(self._headers) >= _MAX_HEADER_SETS:
                self._headers.clear()
            found = read_headers(raw)
            if sum(len(name) + len(value) for name, value in raw) <= _MAX_REMEMBERED_HEADERS:
                self._headers[raw] = found
        return found

    async def reload(self, *, schema: bool = True, config: bool = True) -> None:
        """Read configuration and catalogue again. Raises psycopg.Error; the old state then stays in service."""
        async with self._reloading:
            started = time.monotonic()
            connection = await psycopg.AsyncConnection.connect(self.base_settings.db_uri, autocommit=True)
            try:
                await self._reload(connection, schema=schema or self.state is None, config=config)
                self.counters.loads += 1
                self.counters.last_load_s = time.monotonic() - started
            finally:
                await connection.close()

    async def _reload(self, connection: psycopg.AsyncConnection[Any], *, schema: bool, config: bool) -> None:
        settings, roles = self.settings, self.state.roles if self.state else {}
        if config and self.base_settings.db_config:
            stored = await load_database_config(connection, self.base_settings.db_pre_config)
            settings = self.base_settings.overridden(stored) if stored else self.base_settings
            roles = await load_role_settings(connection)
        if not schema and self.state is not None and settings.db_schemas == self.settings.db_schemas:
            cache = self.state.cache
        else:
            cache = await load_schema_cache(
                connection, settings.db_schemas, settings.db_extra_search_path, settings.db_hoisted_tx_settings
            )
        state = build_state(settings, cache, roles)
        if settings != self.settings:
            self.authenticator = Authenticator(settings)
            self.settings = settings
        self.state = state
        self.pool.forget_prepared()
        log.info("schema cache loaded: %d relations, %d functions", len(cache.tables), len(cache.functions))


def named(uri: str) -> str:
    """The connection string, its connections called `rest` where PostgreSQL lists them (unless it says otherwise)."""
    try:
        return psycopg.conninfo.make_conninfo(uri, fallback_application_name="rest")
    except psycopg.Error:
        return uri  # connecting says what is wrong with it


def build_state(settings: RestSettings, cache: SchemaCache, roles: dict[str, RoleSettings]) -> State:
    """Derive everything from settings and cache. Pure."""
    options = PlanOptions(settings.db_aggregates_enabled, settings.db_max_rows, settings.url_use_legacy_target_names)
    planner = Planner(cache, options, settings.db_plan_enabled)
    return State(
        settings,
        cache,
        planner,
        Compiler(planner, settings.db_schemas, settings.db_max_rows, settings.db_root_spec),
        roles,
    )
