"""Private channels: what policies on realtime.messages allow. I/O.

As in the original, rows are written and read in a transaction that is rolled back, so policies may use the row's
columns or `realtime.topic()`. Answers are cached by the channel (channel/machine).
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

import psycopg

from emulator.principal import Principal
from emulator.realtime import errors
from emulator.realtime.database.messages import MessageStore
from emulator.realtime.database.pool import Connection, Database, DatabaseUnavailable
from emulator.realtime.wire.frames import dump
from emulator.realtime.wire.payloads import Extension

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")
Headers = Mapping[str, str]  # those of the client that policies may read: x-...
# Refused by a policy or a grant, or the role does not exist.
_DENIED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)

_PROBE = """
insert into realtime.messages (topic, extension, private) select %s, unnest(%s::text[]), true returning id, extension
"""
_IS_SUPERUSER = "select from pg_catalog.pg_roles where rolname = %s and rolsuper"
_BECOME = """
select set_config('role', %s, true), set_config('realtime.topic', %s, true),
  set_config('request.jwt.claims', %s, true), set_config('request.jwt.claim.sub', %s, true),
  set_config('request.jwt.claim.role', %s, true), set_config('request.headers', %s, true)
"""
_VISIBLE = "select extension from realtime.messages where id = any(%s)"
_WRITE = "insert into realtime.messages (topic, extension, private) values (%s, %s, true)"


class Authorizer:
    """Asks PostgreSQL what a principal may do on a private topic."""

    def __init__(self, database: Database, messages: MessageStore) -> None:
        self._database = database
        self._messages = messages

    async def may_read(self, principal: Principal, topic: str, headers: Headers, extensions: list[str]) -> set[str]:
        """Which of the extensions the principal may receive; raises errors.Refused."""

        async def probe(connection: Connection) -> set[str]:
            rows = await (await connection.execute(_PROBE, (topic, extensions))).fetchall()
            try:
                await _become(connection, principal, topic, headers)
                seen = await (await connection.execute(_VISIBLE, ([row[0] for row in rows],))).fetchall()
            except _DENIED as error:
                log.info("read of %r is refused: %s", topic, error)
                return set()
            return {row[0] for row in seen}

        return await self._ask(probe)

    async def may_write(self, principal: Principal, topic: str, headers: Headers, extension: Extension) -> bool:
        """Whether the principal may send on the topic; raises errors.Refused."""

        async def probe(connection: Connection) -> bool:
            try:
                await _become(connection, principal, topic, headers)
                await connection.execute(_WRITE, (topic, extension))
            except _DENIED:
                return False
            return True

        return await self._ask(probe)

    async def _ask(self, probe: Callable[[Connection], Awaitable[Answer]]) -> Answer:
        """Run a probe in a transaction that is rolled back; days without a partition get one."""
        try:
            try:
                return await self._rolled_back(probe)
            except psycopg.errors.CheckViolation:
                await self._messages.keep_partitions(datetime.now(UTC))
                return await self._rolled_back(probe)
        except DatabaseUnavailable as error:
            raise errors.database_unavailable() from error
        except psycopg.errors.QueryCanceled as error:
            raise errors.query_canceled() from error
        except psycopg.errors.CheckViolation as error:
            raise errors.missing_partition() from error
        except psycopg.Error as error:
            log.warning("a policy check failed: %s", str(error).strip())
            raise errors.unknown_error() from error

    async def _rolled_back(self, probe: Callable[[Connection], Awaitable[Answer]]) -> Answer:
        async with self._database.connection() as connection, connection.transaction(force_rollback=True):
            return await probe(connection)


async def _become(connection: Connection, principal: Principal, topic: str, headers: Headers) -> None:
    """Take the principal's role for the rest of the transaction; superusers, whom no policy binds, are refused."""
    if await (await connection.execute(_IS_SUPERUSER, (principal.role,))).fetchone() is not None:
        raise psycopg.errors.InsufficientPrivilege(f"{principal.role} is a superuser")
    values = (
        principal.role, topic, principal.claims_json, principal.subject, principal.role, dump(dict(headers))
    )  # fmt: skip
    await connection.execute(_BECOME, values)
