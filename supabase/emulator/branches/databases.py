"""The databases of branches and snapshots: made, claimed, dropped, and found again after a crash. I/O, for threads.

PostgreSQL itself is the record: a database's name says which branch it is, its comment where it came from.
"""

import json
import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from emulator.branches.names import DROPPED, READY, Kind, name_of
from emulator.branches.settings import BranchSettings
from emulator.db.copies import allow_connections, copy_database, end_sessions

log = logging.getLogger(__name__)

END_S = 10.0
HALF_DROPPED = -2  # the connection limit of a database whose dropping a crash cut short: it can't be altered any more
SLOT_TIMEOUT_MS = 5000
_CATALOGS = (
    "pg_class", "pg_attribute", "pg_proc", "pg_constraint", "pg_type", "pg_namespace", "pg_rewrite", "pg_cast",
    "pg_description", "pg_depend", "pg_index", "pg_statistic", "pg_attrdef", "pg_policy",
)  # fmt: skip
Connection = psycopg.Connection[tuple[Any, ...]]
_LISTED = """
select datname, coalesce(shobj_description(oid, 'pg_database'), '') from pg_database where datname like 'muster\\_%'
"""


@dataclass(frozen=True)
class Record:
    """What a database's comment says: what it is a copy of, and since when. `digest` is of the files of a base."""

    source: str
    created_at: str
    digest: str = ""

    @classmethod
    def of(cls, source: str, digest: str = "") -> "Record":
        """A record of now."""
        return cls(source, datetime.now(UTC).isoformat(timespec="milliseconds"), digest)

    @classmethod
    def read(cls, text: str) -> "Record":
        """The record of a comment; an empty one for a comment that is none."""
        try:
            return cls(**json.loads(text))
        except (ValueError, TypeError):
            return cls("", "")

    def text(self) -> str:
        """The comment."""
        return json.dumps(asdict(self))


def new_name() -> str:
    """A name for a copy that has none yet."""
    return READY + secrets.token_hex(6)


def dropped_name() -> str:
    """A name for a database that is to be dropped."""
    return DROPPED + secrets.token_hex(6)


class Databases:
    """The databases of one cluster. Everything raises psycopg.Error."""

    def __init__(self, settings: BranchSettings) -> None:
        self._settings = settings

    @contextmanager
    def session(self, database: str = "template1") -> Iterator[Connection]:
        """A superuser's session for a block; by default in a database that no branch is a copy of."""
        with psycopg.connect(self._settings.dsn(database), autocommit=True) as connection:
            yield connection

    def listed(self) -> dict[str, Record]:
        """Every database of ours, by name."""
        with self.session() as connection:
            return {name: Record.read(text) for name, text in connection.execute(_LISTED).fetchall()}

    def found(self, kind: Kind) -> dict[str, Record]:
        """The branches or the snapshots, by name."""
        named = ((name_of(kind, database), record) for database, record in self.listed().items())
        return {name: record for name, record in named if name is not None}

    def copy_used(self, source: str, name: str, record: Record) -> None:
        """Copy a database that may be in use: its sessions are ended, and nobody signs in meanwhile.

        Raises StillInUse.
        """
        with self.session() as connection, _alone(connection, source):
            self.make_copy(source, name, record)

    def make_copy(self, source: str, name: str, record: Record) -> None:
        """Copy a database that nobody uses."""
        with self.session() as connection:
            copy_database(connection, source, name, keeps_role_settings=True)
            _note(connection, name, record)

    def make_ready(self, base: str, name: str, record: Record) -> None:
        """Make a copy in advance, with the replication slot: making one waits for every transaction that writes."""
        self.make_copy(base, name, record)
        with self.session(name) as connection:
            connection.execute(sql.SQL("set statement_timeout = {}").format(sql.Literal(SLOT_TIMEOUT_MS)))
            try:
                found = connection.execute("select oid from pg_database where datname = current_database()").fetchone()
                # A query of its own: after decoding what is under way PostgreSQL can't let go of a row it was reading.
                slot = f"{self._settings.slot}_{found[0] if found else ''}"
                connection.execute("select pg_create_logical_replication_slot(%s, 'pgoutput')", (slot,))
            except psycopg.Error as error:  # Realtime makes it when it is needed
                log.info("no slot was made in advance: %s", str(error).strip())
            for catalog in _CATALOGS:  # they are in PostgreSQL's memory when the first request asks for them
                connection.execute(sql.SQL("select count(*) from pg_catalog.{}").format(sql.Identifier(catalog)))

    def swap(self, ready: str, name: str, record: Record | None, gone: str) -> bool:
        """Give a copy its name; what had that becomes `gone`, to be dropped; whether there was any. Raises StillInUse.

        Sessions of both are ended. The slots of what had the name are dropped, those of the copy stay.
        """
        with self.session() as connection:
            is_there = _exists(connection, name)
            with _alone(connection, name) if is_there else nullcontext():
                if is_there:
                    end_sessions(connection, name, END_S, with_slots=True)
                with connection.transaction():
                    if is_there:
                        _rename(connection, name, gone)
                    _rename(connection, ready, name)
                    if record is not None:
                        _note(connection, name, record)
        return is_there

    def settle(self, name: str) -> None:
        """End what is left of the sessions and slots of a database. Raises StillInUse."""
        with self.session() as connection:
            allow_connections(connection, name, False)
            end_sessions(connection, name, END_S, with_slots=True)
            allow_connections(connection, name, True)

    def retire(self, name: str, gone: str) -> bool:
        """End everything in a database and rename it to `gone`, so that its name is free; False if it is not there.

        Raises StillInUse.
        """
        with self.session() as connection:
            if not _exists(connection, name):
                return False
            allow_connections(connection, name, False)
            end_sessions(connection, name, END_S, with_slots=True)
            _rename(connection, name, gone)
        return True

    def drop(self, name: str) -> None:
        """Drop a database with its slots, if it is there. PostgreSQL writes a checkpoint first, which takes time."""
        with self.session() as connection:
            found = connection.execute("select datconnlimit from pg_database where datname = %s", (name,)).fetchone()
            if found is None:
                return
            if found != (HALF_DROPPED,):
                allow_connections(connection, name, False)
                end_sessions(connection, name, END_S, with_slots=True)
            connection.execute(sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name)))
        self._remove_journal(name)

    def drop_slots(self, name: str) -> None:
        """Drop the slots of a database that nobody reads: PostgreSQL would keep its log for them."""
        with self.session() as connection:
            connection.execute(
                "select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                " where database = %s and not active",
                (name,),
            )

    def drop_unused_slots(self) -> None:
        """The same for every database of a branch, when the stack ends or begins."""
        with self.session() as connection:
            connection.execute(
                "select pg_drop_replication_slot(slot_name) from pg_replication_slots"
                " where not active and (database like 'muster\\_branch\\_%%' or database like 'muster\\_ready\\_%%')",
            )

    def _remove_journal(self, name: str) -> None:
        """What the sender of pg_net keeps beside the server's socket."""
        if self._settings.host.startswith("/"):
            (Path(self._settings.host) / f"net-{name}.journal").unlink(missing_ok=True)


@contextmanager
def _alone(connection: Connection, name: str) -> Iterator[None]:
    """Nobody else is in a database during a block."""
    oid = connection.execute("select oid from pg_database where datname = %s", (name,)).fetchone()
    allow_connections(connection, name, False)
    try:
        end_sessions(connection, name, END_S, with_slots=False)
        yield
    finally:
        # It may have another name by now.
        for (now,) in connection.execute("select datname from pg_database where oid = any(%s)", (list(oid or ()),)):
            allow_connections(connection, now, True)


def _exists(connection: Connection, name: str) -> bool:
    return connection.execute("select from pg_database where datname = %s", (name,)).fetchone() is not None


def _rename(connection: Connection, name: str, new: str) -> None:
    connection.execute(sql.SQL("alter database {} rename to {}").format(sql.Identifier(name), sql.Identifier(new)))


def _note(connection: Connection, name: str, record: Record) -> None:
    comment = sql.SQL("comment on database {} is {}")
    connection.execute(comment.format(sql.Identifier(name), sql.Literal(record.text())))
