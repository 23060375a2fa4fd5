"""What the database returned for a request, and the row of the main statement as values. Pure."""

import json
from collections.abc import Sequence
from typing import NamedTuple

from emulator.db.statement import Row, new_tuple


class QueryResult(NamedTuple):
    """The rows of the main statement, and those of the planner's estimate if it was asked for."""

    rows: list[Row]
    planned: Sequence[Row] = ()


class ResultSet(NamedTuple):
    """The one row of a main statement: counts, the body, and what SQL set for the response.

    `total`: rows without a page, where counted. `page`: rows returned or affected. `location`: the keys of an inserted
    row as JSON pairs. `inserted`: rows that an upsert really inserted.
    """

    total: int | None
    page: int
    body: bytes
    response_headers: bytes | None
    response_status: bytes | None
    location: bytes | None = None
    inserted: int | None = None


def read_row(row: Row) -> ResultSet:
    """Read a row in binary format; a mutation's has two columns more (statements.py)."""
    location = inserted = None
    if len(row) == 5:
        total, page, body, headers, status = row
    else:
        total, page, location, body, headers, status, inserted = row
    fields = (
        int.from_bytes(total, "big") if total is not None else None,
        int.from_bytes(page or b"", "big"),
        body or b"",
        headers,
        status,
        location,
        int(inserted) if inserted else None,
    )
    return new_tuple(ResultSet, fields)


def read_planned_rows(rows: Sequence[Row]) -> int | None:
    """Return the number of rows in an EXPLAIN (FORMAT JSON)."""
    if not rows or rows[0][0] is None:
        return None
    explained = json.loads(rows[0][0])
    return int(explained[0]["Plan"]["Plan Rows"])
