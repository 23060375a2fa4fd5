"""A plan as one SQL statement, which returns one row with counts, body and the settings for the response. Pure.

Columns of that row: total, rows on the page, body, response.headers, response.status. A mutation has the keys of
Location before the body, and the number of rows really inserted at the end. result.py reads it.
"""

from dataclasses import dataclass

from emulator.rest.api_request.types import Value
from emulator.rest.plan.types import CallPlan, DbPlan
from emulator.rest.query.fragments import Binder
from emulator.rest.query.read import count_sql, read_sql
from emulator.rest.query.write import call_sql, mutation_sql
from emulator.rest.schema_cache.identifiers import quote, quote_literal

_SOURCE = "pgrst_source"
_ROW = "_postgrest_t"
_OVERRIDES = (
    "nullif(current_setting('response.headers', true), ''), nullif(current_setting('response.status', true), '')"
)


@dataclass(frozen=True, slots=True)
class Sql:
    """A statement and its parameters, in part placeholders."""

    text: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Statements:
    """The main statement of a plan, and the one that asks the planner for a total."""

    main: Sql
    planned_count: Sql | None = None


def render(plan: DbPlan, max_rows: int | None) -> Statements:
    """Render the statements of a plan; `max_rows` bounds what `count=estimated` counts."""
    binder = Binder()
    text = _render_read(plan, max_rows, binder) if plan.mutation is None else _render_mutation(plan, binder)
    media_type = plan.negotiated.media_type
    if media_type.plan_format:
        options = "".join(f", {option.upper()}" for option in media_type.plan_options)
        text = f"EXPLAIN (FORMAT {media_type.plan_format.upper()}{options}) {text}"
    planned: Sql | None = None
    if plan.counts in ("planned", "estimated") and plan.mutation is None and plan.call is None:
        counting = Binder()
        planned = _finish(f"EXPLAIN (FORMAT JSON) {count_sql(plan.root, counting)}", counting)
    return Statements(_finish(text, binder), planned)


def _finish(text: str, binder: Binder) -> Sql:
    return Sql(text, tuple(binder.values))


def _render_read(plan: DbPlan, max_rows: int | None, binder: Binder) -> str:
    ctes: list[str] = []
    source: str | None = None
    if plan.call:
        ctes.append(f"{_SOURCE} AS ({call_sql(plan.call, binder)})")
        source = _SOURCE
    read = read_sql(plan.root, binder, source=source)
    total = "null::bigint"
    is_counted = plan.counts in {"exact", "estimated"}
    if is_counted and plan.root.page.is_all and max_rows is None:
        total = f"count({_ROW})"
    elif is_counted:
        limit = (
            f" LIMIT {max_rows + 1}" if plan.counts == "estimated" and max_rows is not None and not plan.call else ""
        )
        ctes.append(f"{_SOURCE}_count AS ({count_sql(plan.root, binder, source=source)}{limit})")
        total = f"(SELECT count(*) FROM {_SOURCE}_count)"
    rows = f"({read})"
    if plan.negotiated.body_format == "csv" and not plan.is_headers_only:
        ctes.append(f"pgrst_rows AS ({read})")
        rows = "(SELECT * FROM pgrst_rows)"
    prefix = f"WITH {', '.join(ctes)} " if ctes else ""
    if _is_bare_value(plan):
        return f"{prefix}SELECT {total}, 1::bigint, {_element(plan.call)}, {_OVERRIDES} FROM {rows} AS {_ROW}"
    return f"{prefix}SELECT {total}, count({_ROW}), {_body_sql(plan)}, {_OVERRIDES} FROM {rows} AS {_ROW}"


def _is_bare_value(plan: DbPlan) -> bool:
    """Whether a function's single result is the body, so that there is nothing to aggregate."""
    handler = plan.negotiated.handler
    is_single = plan.call is not None and not plan.call.function.returns_set
    return handler is not None and not handler.is_aggregate and is_single and plan.returns_body and not plan.counts


def _render_mutation(plan: DbPlan, binder: Binder) -> str:
    mutation = plan.mutation
    assert mutation is not None
    ctes = [f"{_SOURCE} AS ({mutation_sql(mutation, binder)})"]
    rows = f"(SELECT * FROM {_SOURCE})"
    if plan.returns_body:
        read = read_sql(plan.root, binder, source=_SOURCE)
        rows = f"({read})"
        if plan.negotiated.body_format == "csv":
            ctes.append(f"pgrst_rows AS ({read})")
            rows = "(SELECT * FROM pgrst_rows)"
    inserted = "current_setting('pgrst.inserted', true)" if mutation.counts_inserted else "null::text"
    return (
        f"WITH {', '.join(ctes)} SELECT null::bigint, count({_ROW}), {_location_sql(mutation.location_keys)}, "
        f"{_body_sql(plan)}, {_OVERRIDES}, {inserted} FROM {rows} AS {_ROW}"
    )


def _location_sql(keys: tuple[str, ...]) -> str:
    if not keys:
        return "null::json"
    listed = ", ".join(quote_literal(key) for key in keys)
    return (
        f"CASE WHEN count({_ROW}) = 1 THEN (SELECT json_agg(json_build_array(pair.key, pair.value)) FROM ("
        f"SELECT row_to_json(one) AS json_data FROM {_SOURCE} AS one LIMIT 1) AS first, "
        f"json_each_text(first.json_data) AS pair WHERE pair.key IN ({listed})) END"
    )


def _body_sql(plan: DbPlan) -> str:
    if not plan.returns_body:
        return "''::text"
    kind, handler = plan.negotiated.body_format, plan.negotiated.handler
    element = _element(plan.call)
    if handler is not None:
        if not handler.is_aggregate:
            return f"(array_agg({element}))[1]"
        row = f"{_ROW}::{handler.target.sql}" if handler.target and element == _ROW else element
        return f"{handler.function.sql}({row})"
    if kind == "csv":
        return _CSV
    if kind == "geojson":
        features = f"coalesce(json_agg(ST_AsGeoJSON({_ROW})::json), '[]')"
        return f"json_build_object('type', 'FeatureCollection', 'features', {features})"
    rows = f"json_agg({element})"
    if kind in ("json-stripped", "object-stripped"):
        rows = f"json_strip_nulls({rows})"
    is_single = kind in ("object", "object-stripped") or (plan.call is not None and not plan.call.function.returns_set)
    return f"coalesce({rows}->0, 'null')" if is_single else f"coalesce({rows}, '[]')"


def _element(call: CallPlan | None) -> str:
    return f"{_ROW}.{quote('pgrst_scalar')}" if call and call.function.returns_scalar else _ROW


_CSV = (
    "(SELECT coalesce((SELECT string_agg(key, ',') FROM (SELECT json_object_keys(row_to_json(one)) AS key "
    "FROM (SELECT * FROM pgrst_rows LIMIT 1) AS one) AS header), '')) || E'\\n' || "
    f"coalesce(string_agg(substring({_ROW}::text, 2, length({_ROW}::text) - 2), E'\\n'), '')"
)
