"""What came back from the database as an HTTP answer: status, headers, body. Pure; the body is passed through."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from emulator.db.statement import Row
from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.api_request.preferences import applied
from emulator.rest.plan.types import DbPlan

HeaderPairs = list[tuple[str, str]]
VERSION = "17 (pre-release)"
JSON_TYPE = "application/json; charset=utf-8"
_BAD_HEADER = re.compile(r"[\r\n\0]")


@dataclass(slots=True)
class Response:
    """An answer. `reason` replaces the usual phrase of the status where the transport can carry one."""

    status: int
    headers: HeaderPairs
    body: bytes = b""
    reason: str | None = None
    names_vary: bool = False


@dataclass(frozen=True, slots=True)
class ResultSet:
    """The main statement's row, read."""

    total: int | None
    page: int
    body: bytes
    headers_override: bytes | None
    status_override: bytes | None
    location: bytes | None = None
    inserted: int | None = None


def read_row(row: Row) -> ResultSet:
    """Read the row that every main statement returns (in binary format)."""
    location = inserted = None
    if len(row) == 5:
        total, page, body, headers, status = row
    else:
        total, page, location, body, headers, status, inserted = row
    return ResultSet(
        int.from_bytes(total, "big") if total is not None else None,
        int.from_bytes(page or b"", "big"),
        body or b"",
        headers,
        status,
        location,
        int(inserted) if inserted else None,
    )


def read_planned(rows: Sequence[Row]) -> int | None:
    """Return the planner's number of rows."""
    if not rows or rows[0][0] is None:
        return None
    plan = json.loads(rows[0][0])
    return int(plan[0]["Plan"]["Plan Rows"])


@dataclass(frozen=True, slots=True)
class Facts:
    """What an answer needs to know of its request beside plan and result."""

    tx_override_allowed: bool
    names_schema: bool
    location_path: str = ""
    content_location: str = ""


def respond(plan: DbPlan, result: ResultSet, total: int | None, facts: Facts) -> Response:
    """Build the answer to a read, mutation or call. Raises bad_response_headers, bad_response_status."""
    if plan.mutation is not None:
        response = _respond_to_mutation(plan, result, facts)
    else:
        response = _respond_to_read(plan, result, total, facts)
    wanted = _preference_applied(plan, facts)
    if wanted:
        response.headers.append(("Preference-Applied", wanted))
    for name, alias in plan.warnings:
        response.headers.append(("Warning", _legacy_warning(name, alias)))
    return override(response, result)


def _preference_applied(plan: DbPlan, facts: Facts) -> str:
    mutation = plan.mutation
    verb = mutation.verb if mutation else ""
    return applied(
        plan.preferences,
        resolution=verb == "insert" and bool(mutation and mutation.conflict_columns),
        missing=verb in ("insert", "update"),
        representation=mutation is not None,
        tx=facts.tx_override_allowed,
        max_affected=verb in ("update", "delete") or plan.call is not None,
    )


def _legacy_warning(name: str, alias: str) -> str:
    return (
        f'299 PostgRESTv{VERSION.replace(" ", "")} "Embedded resource was referenced by relation name even though it '
        "has an alias. This is deprecated and will stop working in a future release. "
        f'Update `{name}` to `{alias}` in query string filters, orders or limits."'
    )


def _type_headers(plan: DbPlan, facts: Facts) -> HeaderPairs:
    headers = [("Content-Type", plan.negotiated.media_type.content_type)]
    if facts.names_schema:
        headers.append(("Content-Profile", plan.schema))
    return headers


def content_range(first: int, last: int, total: int | None) -> str:
    """Write Content-Range without a unit."""
    pages = "*" if last < first or total == 0 else f"{first}-{last}"
    return f"{pages}/{'*' if total is None else total}"


def _respond_to_read(plan: DbPlan, result: ResultSet, total: int | None, facts: Facts) -> Response:
    first = max(plan.root.page.offset, 0)
    function = plan.call.function if plan.call else None
    if function and not function.returns_set and plan.counts in ("exact", "estimated"):
        total = 1
    elif plan.call and plan.counts == "planned":
        total = None
    rows = 1 if function and not function.returns_set else result.page
    headers: HeaderPairs = [("Content-Range", content_range(first, first + rows - 1, total))]
    if function and function.returns_void:
        return Response(204, headers)
    status = 200
    body = result.body
    if total is not None and first > total:
        status = 416
        body = error_body(errors.offset_beyond_end(first, total))
    elif total is not None and rows < total:
        status = 206
    if facts.content_location:
        headers.append(("Content-Location", facts.content_location))
    headers.extend(_type_headers(plan, facts))
    return Response(status, headers, b"" if plan.is_headers_only else body)


def _respond_to_mutation(plan: DbPlan, result: ResultSet, facts: Facts) -> Response:
    mutation = plan.mutation
    assert mutation is not None
    total = result.page if plan.counts in ("exact", "estimated") else None
    headers: HeaderPairs = []
    full = plan.preferences.representation == "representation"
    if mutation.verb == "insert":
        location = _location(result, facts.location_path)
        if location:
            headers.append(("Location", location))
        headers.append(("Content-Range", content_range(1, 0, total)))
        status = 200 if mutation.resolution == "merge-duplicates" and not (result.inserted or 0) else 201
    elif mutation.verb == "update":
        headers.append(("Content-Range", content_range(0, result.page - 1, total)))
        status = 200 if full else 204
    elif mutation.verb == "delete":
        headers.append(("Content-Range", content_range(1, 0, total)))
        status = 200 if full else 204
    else:
        status = (201 if (result.inserted or 0) > 0 else 200) if full else 204
    if full:
        headers.extend(_type_headers(plan, facts))
    return Response(status, headers, result.body if full else b"")


def _location(result: ResultSet, path: str) -> str | None:
    if not result.location:
        return None
    pairs = json.loads(result.location)
    return f"{path}?" + "&".join(
        f"{quote(key, safe='')}={'is.null' if value is None else 'eq.' + quote(value, safe='')}" for key, value in pairs
    )


def override(response: Response, result: ResultSet) -> Response:
    """Apply response.headers and response.status. Raises PGRST111, PGRST112."""
    if result.headers_override is not None:
        given = read_header_override(result.headers_override)
        names = {name.lower() for name, _ in given}
        response.headers = [pair for pair in response.headers if pair[0].lower() not in names] + given
        response.names_vary = "vary" in names
    if result.status_override is not None:
        text = result.status_override.decode("utf-8", "replace").strip()
        if not text.isdigit() or not 100 <= int(text) <= 999:
            raise errors.bad_response_status()
        response.status = int(text)
    return response


def read_header_override(text: bytes) -> HeaderPairs:
    """Read an array of one-key objects."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise errors.bad_response_headers() from error
    pairs: HeaderPairs = []
    for entry in entries if isinstance(entries, list) else [None]:
        if not isinstance(entry, dict) or len(entry) != 1:
            raise errors.bad_response_headers()
        [(name, value)] = entry.items()
        if not isinstance(value, str) or _BAD_HEADER.search(name + value):
            raise errors.bad_response_headers()
        pairs.append((name, value))
    return pairs


def respond_to_explain(plan: DbPlan, rows: Sequence[Row], facts: Facts) -> Response:
    """Build the answer to a request for the execution plan."""
    body = b"\n".join(row[0] or b"" for row in rows)
    return Response(200, _type_headers(plan, facts), body)


def error_body(error: ApiError, *, is_minimal: bool = False) -> bytes:
    """Write an error as compact JSON, keys in order."""
    fields = {"code": error.code, "details": error.details, "hint": error.hint, "message": error.message}
    if is_minimal:
        fields = {"code": error.code, "message": error.message}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def respond_to_error(error: ApiError, *, is_minimal: bool = False, reason: str | None = None) -> Response:
    """Build the answer to a refusal."""
    headers = [
        ("Content-Type", JSON_TYPE),
        ("Proxy-Status", f"PostgREST; error={error.code}"),
        *((name, value) for name, value in error.headers if not _BAD_HEADER.search(name + value)),
    ]
    return Response(error.status, headers, error_body(error, is_minimal=is_minimal), reason)
