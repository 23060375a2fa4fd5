"""A row change as one role may see it: columns, record, old record, errors; JSON text out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from emulator.realtime.postgres_changes.subscriptions.tables import Column, RoleView, Table
from emulator.realtime.postgres_changes.wal.decoder import Row, RowChange, Unchanged
from emulator.realtime.wire.frames import dump

MAX_CHANGE_BYTES = 1_048_576
MAX_KEPT_BYTES = 64  # of a value in a change that is too large
NO_KEY = "Error 400: Bad Request, no primary key"
UNAUTHORIZED = "Error 401: Unauthorized"
TOO_LARGE = "Error 413: Payload Too Large"

ToJson = Callable[[Column, str], str]


@dataclass(frozen=True, slots=True)
class Shape:
    """What makes two subscribers' payloads differ: the role, and the columns that were selected."""

    role: str
    selected: tuple[str, ...] | None


def lacks_key(change: RowChange, table: Table) -> bool:
    """Whether nothing but an error can be sent: a new row without a primary key."""
    return change.kind != "DELETE" and not table.key


def is_undeliverable(change: RowChange, table: Table) -> bool:
    """A deleted row of a table without a key is sent only under replica identity full."""
    return change.kind == "DELETE" and not table.key and not change.old_is_full


def render_error(change: RowChange, error: str) -> str:
    """The data of a change of which the subscriber may see nothing but an error."""
    parts = [*_head(change, "null"), '"columns":[]', f'"errors":{dump([error])}']
    parts += [] if change.kind == "DELETE" else ['"record":{}']
    parts += ['"old_record":{}'] if change.kind == "UPDATE" and change.old_is_full else []
    return "{" + ",".join(parts) + "}"


def render(
    change: RowChange,
    table: Table,
    committed: datetime,
    view: RoleView,
    selected: Iterable[str] | None,
    to_json: ToJson,
) -> str:
    """The data of a change for one role and selection."""
    chosen = None if selected is None else {*selected, *table.key}
    names = [name for name in table.columns if name in view.columns and (chosen is None or name in chosen)]
    too_large = change_bytes(change, table) > MAX_CHANGE_BYTES

    def record(row: Row, wanted: Iterable[str]) -> str:
        parts = []
        for name in wanted:
            value = row.get(name)
            if isinstance(value, Unchanged) or name not in row or (too_large and value is None):
                continue
            text = "null" if value is None else to_json(table.columns[name], value)
            if not too_large or len(text.encode()) <= MAX_KEPT_BYTES:
                parts.append(f"{dump(name)}:{text}")
        return "{" + ",".join(parts) + "}"

    columns = [{"name": name, "type": table.columns[name].type_name} for name in names]
    parts = _head(change, dump(timestamp(committed)))
    parts += [f'"columns":{dump(columns)}', f'"errors":{dump([TOO_LARGE]) if too_large else "null"}']
    if change.new is not None:
        parts.append(f'"record":{record(change.new, names)}')
    if change.kind != "INSERT":
        parts.append(f'"old_record":{_old_record(change, table, names, record)}')
    return "{" + ",".join(parts) + "}"


def _old_record(change: RowChange, table: Table, names: list[str], record: Callable[[Row, Iterable[str]], str]) -> str:
    if change.old_is_full and change.old is not None and (change.kind == "UPDATE" or not table.has_rls):
        return record(change.old, names)
    if not table.key:
        return "null"
    identity = set(table.key)
    if change.relation.identity == "i":
        identity = {column.name for column in change.relation.columns if column.is_identity}
    # The log repeats no key that an UPDATE left as it was.
    row = change.old if change.old is not None else change.new or {}
    return record(row, [name for name in names if name in identity])


def _head(change: RowChange, committed: str) -> list[str]:
    return [
        f'"schema":{dump(change.relation.schema)}',
        f'"table":{dump(change.relation.table)}',
        f'"type":"{change.kind}"',
        f'"commit_timestamp":{committed}',
    ]


def timestamp(moment: datetime) -> str:
    """UTC with exactly three digits, cut, not rounded."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def change_bytes(change: RowChange, table: Table) -> int:
    """The approximate size of the change as text, names and types included; measured before columns are cut."""
    total = 0
    for row in (change.new, change.old):
        for name, value in (row or {}).items():
            column = table.columns.get(name)
            total += len(name) + len(column.type_name if column else "") + 8
            total += len(value.encode()) if isinstance(value, str) else 4
    return total
