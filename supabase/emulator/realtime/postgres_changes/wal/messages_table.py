"""Rows of realtime.messages in the log: broadcasts that PostgreSQL sends."""

from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
from emulator.realtime.wire.broadcasts import Broadcast


def is_messages_table(relation: Relation) -> bool:
    """Whether a table is realtime.messages or a partition of it."""
    return relation.schema == "realtime" and relation.table.startswith("messages")


def read_broadcast(change: RowChange) -> Broadcast | None:
    """The broadcast that a row of realtime.messages stands for, whatever its extension; None when it is none.

    As in the original a row without an event, a payload or `private` reaches nobody.
    """
    row = change.new or {}
    payload, binary, event = row.get("payload"), row.get("binary_payload"), row.get("event")
    if change.kind != "INSERT" or not isinstance(event, str) or not isinstance(row.get("private"), str):
        return None
    identity = str(row.get("id"))
    if isinstance(binary, str):
        body = bytes.fromhex(binary.removeprefix("\\x"))
    elif isinstance(payload, str):
        body = payload.encode()
    else:
        return None
    return Broadcast(
        str(row.get("topic")),
        row.get("private") == "t",
        event,
        body,
        not isinstance(binary, str),
        f'{{"id":"{identity}"}}',
        id=identity,
    )
