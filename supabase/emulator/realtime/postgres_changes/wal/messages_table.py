"""Rows of realtime.messages in the log: broadcasts that PostgreSQL sends."""

from emulator.realtime.postgres_changes.wal.decoder import Relation, RowChange
from emulator.realtime.wire.broadcasts import Broadcast


def is_messages_table(relation: Relation) -> bool:
    """Whether a table is realtime.messages or a partition of it."""
    return relation.schema == "realtime" and relation.table.startswith("messages")


def read_broadcast(change: RowChange) -> Broadcast | None:
    """The broadcast that a row of realtime.messages stands for, None when it is none."""
    row = change.new or {}
    if change.kind != "INSERT" or row.get("extension") != "broadcast":
        return None
    payload, binary, event = row.get("payload"), row.get("binary_payload"), row.get("event")
    identity = str(row.get("id"))
    is_json = not isinstance(binary, str)
    body = (payload if isinstance(payload, str) else "{}").encode()
    if isinstance(binary, str):
        body = bytes.fromhex(binary.removeprefix("\\x"))
    return Broadcast(
        str(row.get("topic")),
        row.get("private") == "t",
        event if isinstance(event, str) else "",
        body,
        is_json,
        f'{{"id":"{identity}"}}',
        id=identity,
    )
