"""Commits in chunks: which rows are decoded, and where a chunk ends."""

import struct

import pytest

from emulator.realtime.postgres_changes.wal import chunks
from emulator.realtime.postgres_changes.wal.chunks import ChunkAssembler, CommitChunk

HEADER = b"w" + bytes(24)
BEGIN = HEADER + b"B" + struct.pack(">QqI", 50, 6, 9)
RELATION = HEADER + b"R" + struct.pack(">I", 7) + b"public\0t\0d" + struct.pack(">h", 1)
RELATION += b"\1id\0" + struct.pack(">Ii", 20, -1)
INSERT = HEADER + b"I" + struct.pack(">I", 7) + b"N" + struct.pack(">h", 1) + b"t" + struct.pack(">I", 1) + b"1"
COMMIT = HEADER + b"C\0" + struct.pack(">QQq", 50, 80, 6)


def taken(assembler: ChunkAssembler, *messages: bytes) -> list[CommitChunk]:
    found = [assembler.take(message) for message in messages]
    return [chunk for chunk in found if chunk is not None]


def test_a_commit_is_one_chunk_and_its_end_is_known() -> None:
    assembler = ChunkAssembler(lambda _: True, lambda _: False)
    (chunk,) = taken(assembler, BEGIN, RELATION, INSERT, INSERT, COMMIT)
    assert (chunk.commit.lsn, chunk.commit.xid, chunk.end_lsn) == (50, 9, 80)
    assert [(change.number, change.new) for change in chunk.changes] == [(1, {"id": "1"}), (2, {"id": "1"})]
    assert [relation.table for relation in chunk.relations] == ["t"]
    assert not assembler.is_in_commit


@pytest.mark.parametrize(("is_wanted", "is_delivered"), [(False, False), (True, True)], ids=["unwanted", "delivered"])
def test_rows_without_readers_and_delivered_commits_are_not_decoded(is_wanted: bool, is_delivered: bool) -> None:
    assembler = ChunkAssembler(lambda _: is_wanted, lambda _: is_delivered)
    (chunk,) = taken(assembler, BEGIN, RELATION, INSERT, COMMIT)
    assert chunk.changes == ()
    assert chunk.end_lsn == 80


def test_a_large_commit_comes_in_several_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "MAX_CHUNK_CHANGES", 2)
    found = taken(ChunkAssembler(lambda _: True, lambda _: False), BEGIN, RELATION, INSERT, INSERT, INSERT, COMMIT)
    assert [(len(chunk.changes), chunk.end_lsn) for chunk in found] == [(2, None), (1, 80)]
    assert [change.number for chunk in found for change in chunk.changes] == [1, 2, 3], "numbers go on within a commit"
