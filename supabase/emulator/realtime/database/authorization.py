"""Private channels: what policies on realtime.messages allow a member. I/O.

Both questions are asked with real rows in a transaction that is rolled back, so policies may look at the row's columns
or at `realtime.topic()`. Caching is the channel's matter.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

import psycopg

from emulator.realtime import errors
from emulator.realtime.channel.machine.types import Extension
from emulator.realtime.database.messages import Messages
from emulator.realtime.database.pool import Connection, Database, DatabaseAway
from emulator.realtime.wire.frames import dump
from emulator.realtime.wire.tokens import Member

log = logging.getLogger(__name__)
Answer = TypeVar("Answer")
# Refused by a policy or a grant, or the role does not exist.
_DENIED = (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue)

_PROBE = """
insert into realtime.messages (topic, extension, private) select %s, unnest(%s::text[]), true returning id, extension
"""
_BECOME = """
select set_config('role', %s, true), set_config('realtime.topic', %s, true),
  set_config('request.jwt.claims', %s, true), set_config('request.jwt.claim.sub', %s, true),
  set_config('request.jwt.claim.role', %s, true), set_config('request.headers', %s, true)
"""
_VISIBLE = "select extension from realtime.messages where id = any(%s)"
_WRITE = "insert into realtime.messages (topic, extension, private) values (%s, %s, true)"


class Authorizer:
    """Asks PostgreSQL what a member may do on a private topic."""

    def __init__(self, database: Database, messages: Messages) -> None:
        self._database = database
        self._messages = messages

    async def may_read(self, member: Member, topic: str, headers: Mapping[str, str], extensions: list[str]) -> set[str]:
        """Which of the extensions the member may receive; raises errors.Refused."""

        async def probe(connection: Connection) -> set[str]:
            rows = await (await connection.execute(_PROBE, (topic, extensions))).fetchall()
            try:
                await _become(connection, member, topic, headers)
                seen = await (await connection.execute(_VISIBLE, ([row[0] for row in rows],))).fetchall()
            except _DENIED as error:
                log.info("read of %r is refused: %s", topic, error)
                return set()
            return {row[0] for row in seen}

        return await self._ask(probe)

    async def may_write(self, member: Member, topic: str, headers: Mapping[str, str], extension: Extension) -> bool:
        """Whether the member may send on the topic; raises errors.Refused."""

        async def probe(connection: Connection) -> bool:
            try:
                await _become(connection, member, topic, headers)
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
        except DatabaseAway as error:
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


async def _become(connection: Connection, member: Member, topic: str, headers: Mapping[str, str]) -> None:
    values = (member.role, topic, member.claims, member.subject, member.role, dump(dict(headers)))
    await connection.execute(_BECOME, values)
