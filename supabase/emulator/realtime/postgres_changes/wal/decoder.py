"""The write-ahead log in the format of pgoutput (protocol version 1): bytes to values.

Source: PostgreSQL documentation, "Logical Replication Message Formats".
"""

import struct
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Literal

EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


class Unchanged:
    """A stored value that an UPDATE did not touch and the log does not repeat."""

    __slots__ = ()


UNCHANGED: Final = Unchanged()
Value = str | None | Unchanged
Row = dict[str, Value]
Kind = Literal["INSERT", "UPDATE", "DELETE"]


@dataclass(frozen=True, slots=True)
class RelationColumn:
    name: str
    is_identity: bool
    type_oid: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A table as the log describes it before its first change and after every alteration."""

    oid: int
    schema: str
    table: str
    identity: str  # d default, n nothing, f full, i index
    columns: tuple[RelationColumn, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    final_lsn: int
    committed_us: int  # since 2000-01-01
    xid: int


@dataclass(frozen=True, slots=True)
class Commit:
    end_lsn: int
    committed_us: int


@dataclass(frozen=True, slots=True)
class RowChange:
    """One changed row: texts by column name. `old` has what the replica identity gives.

    `number` counts the rows of the commit from 1, so that a change is recognized when a resumed slot repeats it.
    """

    relation: Relation
    kind: Kind
    new: Row | None
    old: Row | None
    old_is_full: bool = False
    number: int = 0


Message = Relation | Begin | Commit | RowChange


def committed_at(committed_us: int) -> datetime:
    return EPOCH + timedelta(microseconds=committed_us)


class Decoder:
    """Reads one connection's messages; keeps the relations that the log has described."""

    def __init__(self) -> None:
        self.relations: dict[int, Relation] = {}
        self.rows = 0  # of the current commit; the stream counts those that it skips

    def relation_of(self, oid: bytes) -> Relation:
        """The table of a row, by the four bytes that name it."""
        return self.relations[int.from_bytes(oid, "big")]

    def decode(self, data: bytes) -> Message | None:
        """One message; None for kinds that are not used here (type, origin, truncate, message)."""
        tag = data[0]
        if tag == 0x49:  # I
            relation = self.relations[_u32(data, 1)]
            new, _ = _tuple(data, 6, relation)
            self.rows += 1
            return RowChange(relation, "INSERT", new, None, number=self.rows)
        if tag == 0x55:  # U
            return self._update(data)
        if tag == 0x44:  # D
            relation = self.relations[_u32(data, 1)]
            old, _ = _tuple(data, 6, relation)
            is_full = data[5] == 0x4F
            self.rows += 1
            old = old if is_full else _identity(old, relation)
            return RowChange(relation, "DELETE", None, old, is_full, self.rows)
        if tag == 0x42:  # B
            self.rows = 0
            return Begin(*struct.unpack_from(">QqI", data, 1))
        if tag == 0x43:  # C
            _, end_lsn, committed_us = struct.unpack_from(">QQq", data, 2)
            return Commit(end_lsn, committed_us)
        if tag == 0x52:  # R
            relation = _relation(data)
            self.relations[relation.oid] = relation
            return relation
        return None

    def _update(self, data: bytes) -> RowChange:
        relation = self.relations[_u32(data, 1)]
        marker, at, old = data[5], 6, None
        if marker in (0x4B, 0x4F):  # K, O
            old, at = _tuple(data, 6, relation)
            at += 1
        new, _ = _tuple(data, at, relation)
        if marker == 0x4F and old is not None:
            new = {name: old.get(name) if value is UNCHANGED else value for name, value in new.items()}
        elif old is not None:
            old = _identity(old, relation)
        self.rows += 1
        return RowChange(relation, "UPDATE", new, old, marker == 0x4F, self.rows)


def _identity(row: Row, relation: Relation) -> Row:
    """The columns of a key tuple that mean something: it has all, and null for those outside the identity."""
    return {column.name: row.get(column.name) for column in relation.columns if column.is_identity}


def _u32(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _tuple(data: bytes, at: int, relation: Relation) -> tuple[Row, int]:
    count = int.from_bytes(data[at : at + 2], "big")
    at += 2
    row: Row = {}
    for column in relation.columns[:count]:
        kind = data[at]
        at += 1
        if kind == 0x74:  # t
            size = int.from_bytes(data[at : at + 4], "big")
            at += 4
            row[column.name] = data[at : at + size].decode()
            at += size
        else:
            row[column.name] = None if kind == 0x6E else UNCHANGED  # n, u
    return row, at


def _relation(data: bytes) -> Relation:
    oid = _u32(data, 1)
    schema, at = _text(data, 5)
    table, at = _text(data, at)
    identity = chr(data[at])
    count = int.from_bytes(data[at + 1 : at + 3], "big")
    at += 3
    columns = []
    for _ in range(count):
        name, after = _text(data, at + 1)
        columns.append(RelationColumn(name, data[at] == 1, _u32(data, after)))
        at = after + 8
    return Relation(oid, schema or "pg_catalog", table, identity, tuple(columns))


def _text(data: bytes, at: int) -> tuple[str, int]:
    end = data.index(0, at)
    return data[at:end].decode(), end + 1
