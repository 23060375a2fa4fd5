"""Messages of pgoutput."""

import struct

from emulator.realtime.postgres_changes.wal.decoder import UNCHANGED, Begin, Commit, Decoder, Relation, RowChange


def _text(value: str | None) -> bytes:
    return b"n" if value is None else b"t" + struct.pack(">I", len(value)) + value.encode()


def _decoder() -> Decoder:
    decoder = Decoder()
    columns = b"\1id\0" + struct.pack(">Ii", 20, -1) + b"\0body\0" + struct.pack(">Ii", 25, -1)
    relation = decoder.decode(b"R" + struct.pack(">I", 7) + b"public\0t\0d" + struct.pack(">h", 2) + columns)
    assert isinstance(relation, Relation)
    assert [one.name for one in relation.columns] == ["id", "body"]
    return decoder


def test_the_log_is_decoded() -> None:
    decoder, two = _decoder(), struct.pack(">h", 2)
    assert decoder.decode(b"B" + struct.pack(">QqI", 5, 6, 9)) == Begin(5, 6, 9)
    insert = decoder.decode(b"I" + struct.pack(">I", 7) + b"N" + two + _text("1") + _text(None))
    assert isinstance(insert, RowChange)
    assert insert.new == {"id": "1", "body": None}
    assert insert.number == 1
    update = decoder.decode(
        b"U" + struct.pack(">I", 7) + b"K" + two + _text("1") + _text(None) + b"N" + two + _text("2") + b"u"
    )
    assert isinstance(update, RowChange)
    assert update.new == {"id": "2", "body": UNCHANGED}
    assert update.number == 2
    assert update.old == {"id": "1"}, "a key tuple tells nothing of other columns"
    full = decoder.decode(
        b"U" + struct.pack(">I", 7) + b"O" + two + _text("1") + _text("b") + b"N" + two + _text("1") + b"u"
    )
    assert isinstance(full, RowChange)
    assert full.new == {"id": "1", "body": "b"}
    assert full.old_is_full
    delete = decoder.decode(b"D" + struct.pack(">I", 7) + b"K" + two + _text("1") + _text(None))
    assert isinstance(delete, RowChange)
    assert delete.old == {"id": "1"}
    assert not delete.old_is_full
    assert decoder.decode(b"C\0" + struct.pack(">QQq", 5, 8, 6)) == Commit(8, 6)
    assert decoder.decode(b"T" + struct.pack(">iBI", 1, 0, 7)) is None
