"""A query result as an HTTP response: status, headers, body. Pure; the body is passed through as it came."""

import json
from collections.abc import Sequence
from urllib.parse import quote

from emulator.db.statement import Row
from emulator.rest import errors
from emulator.rest.api_request.preferences import applied
from emulator.rest.plan.types import DbPlan, MutationPlan
from emulator.rest.query.result import ResultSet, read_planned_rows
from emulator.rest.response.content_location import content_location
from emulator.rest.response.error_response import error_body
from emulator.rest.response.guc_headers import apply_response_settings
from emulator.rest.response.types import VERSION, HeaderPairs, Response, ResponseContext


def respond(
    plan: DbPlan, result: ResultSet, total: int | None, context: ResponseContext, query_string: bytes
) -> Response:
    """Build the response to a read, mutation or call. Raises bad_response_headers, bad_response_status."""
    if plan.mutation is not None:
        response = _respond_to_mutation(plan, plan.mutation, result, context)
    else:
        response = _respond_to_read(plan, result, total, context, query_string)
    if context.preference_applied:
        response.headers.append(("Preference-Applied", context.preference_applied))
    if plan.warnings:
        response.headers.append(("Warning", _legacy_names_warning(plan.warnings)))
    if result.response_headers is not None or result.response_status is not None:
        apply_response_settings(response, result)
    return response


def respond_to_explain(rows: Sequence[Row], context: ResponseContext) -> Response:
    """Build the response to a request for the execution plan."""
    body = b"\n".join(row[0] or b"" for row in rows)
    return Response(200, list(context.types), body)


def choose_total(plan: DbPlan, result: ResultSet, explained: Sequence[Row], max_rows: int | None) -> int | None:
    """Return the total for Content-Range: counted, or the planner's estimate where the client prefers it.

    `count=estimated` counts up to `max_rows` and takes the estimate only beyond.
    """
    counts, total = plan.counts, result.total
    if counts is None or counts == "exact":
        return total
    planned = read_planned_rows(explained)
    if counts == "planned":
        return planned
    if planned is not None and (max_rows is None or (total or 0) > max_rows):
        return max(total or 0, planned)
    return total


def content_range(first: int, last: int, total: int | None) -> str:
    """Write a Content-Range, which has no unit in this protocol."""
    rows = "*" if last < first or total == 0 else f"{first}-{last}"
    return f"{rows}/{'*' if total is None else total}"


def preference_applied(plan: DbPlan, *, tx_override_allowed: bool) -> str:
    """Return the Preference-Applied header of a plan's responses, "" for none."""
    mutation = plan.mutation
    verb = mutation.verb if mutation else ""
    return applied(
        plan.preferences,
        resolution=verb == "insert" and bool(mutation and mutation.conflict_columns),
        missing=verb in ("insert", "update"),
        representation=mutation is not None,
        tx=tx_override_allowed,
        max_affected=verb in ("update", "delete") or plan.call is not None,
    )


def type_headers(plan: DbPlan, *, names_schema: bool) -> HeaderPairs:
    """Return the headers that say what a body is, and of which schema."""
    headers = [("Content-Type", plan.negotiated.media_type.content_type)]
    if names_schema:
        headers.append(("Content-Profile", plan.schema))
    return headers


def _legacy_names_warning(names: Sequence[tuple[str, str]]) -> str:
    changes = ", ".join(f"`{name}` to `{alias}`" for name, alias in names)
    return (
        f'299 PostgRESTv{VERSION.replace(" ", "")} "Embedded resource was referenced by relation name even though it '
        "has an alias. This is deprecated and will stop working in a future release. "
        f'Update {changes} in query string filters, orders or limits."'
    )


def _respond_to_read(
    plan: DbPlan, result: ResultSet, total: int | None, context: ResponseContext, query_string: bytes
) -> Response:
    first = max(plan.root.page.offset, 0)
    function = plan.call.function if plan.call else None
    returns_one = function is not None and not function.returns_set
    if returns_one and plan.counts in ("exact", "estimated"):
        total = 1
    elif plan.call and plan.counts == "planned":
        total = None
    rows = 1 if returns_one else result.page
    headers: HeaderPairs = [("Content-Range", content_range(first, first + rows - 1, total))]
    if function and function.returns_void:
        return Response(204, headers)
    status, body = 200, result.body
    if total is not None and first > total:
        status, body = 416, error_body(errors.offset_beyond_end(first, total))
    elif total is not None and rows < total:
        status = 206
    if context.has_content_location:
        headers.append(("Content-Location", content_location(context.relation, query_string)))
    headers.extend(context.types)
    return Response(status, headers, b"" if plan.is_headers_only else body)


def _respond_to_mutation(plan: DbPlan, mutation: MutationPlan, result: ResultSet, context: ResponseContext) -> Response:
    total = result.page if plan.counts in ("exact", "estimated") else None
    has_body = plan.preferences.representation == "representation"
    headers: HeaderPairs = []
    if mutation.verb == "insert":
        location = _location(result, f"/{context.relation}")
        if location:
            headers.append(("Location", location))
        headers.append(("Content-Range", content_range(1, 0, total)))
        status = 200 if mutation.counts_inserted and not result.inserted else 201
    elif mutation.verb == "upsert":
        status = (201 if result.inserted else 200) if has_body else 204
    else:
        # Only an update names the rows it affected; the range of a delete is always empty.
        last = result.page - 1 if mutation.verb == "update" else -1
        headers.append(("Content-Range", content_range(0, last, total)))
        status = 200 if has_body else 204
    if has_body:
        headers.extend(context.types)
    return Response(status, headers, result.body if has_body else b"")


def _location(result: ResultSet, path: str) -> str | None:
    if not result.location:
        return None
    pairs = json.loads(result.location)
    return f"{path}?" + "&".join(
        f"{quote(key, safe='')}={'is.null' if value is None else 'eq.' + quote(value, safe='')}" for key, value in pairs
    )
