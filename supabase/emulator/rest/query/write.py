"""Mutations and calls, as the CTE that the representation is read from. Pure."""

from collections.abc import Sequence

from emulator.rest.api_request.types import Value
from emulator.rest.plan.types import CallPlan, MutationPlan, PlannedCondition
from emulator.rest.query.fragments import BODY, BODY_BYTES, Binder, condition_sql
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier, quote, quote_literal
from emulator.rest.schema_cache.routine import Parameter
from emulator.rest.schema_cache.table import Column

# Counts the rows that an upsert inserts: WHERE counts each candidate up, ON CONFLICT each updated row down again.
_INSERTED = "coalesce(nullif(current_setting('pgrst.inserted', true), '')::int, 0)"
_COUNT_UP = f"set_config('pgrst.inserted', ({_INSERTED} + 1)::text, true) <> ''"
_COUNT_DOWN = f"set_config('pgrst.inserted', ({_INSERTED} - 1)::text, true) <> ''"


def mutation_sql(plan: MutationPlan, binder: Binder) -> str:
    """Render the INSERT, UPDATE or DELETE of a plan."""
    if plan.verb == "delete":
        where = _where(plan.table.id.sql, plan.where, binder)
        return f"DELETE FROM {plan.table.id.sql}{where}{_returning(plan)}"
    if plan.verb == "update":
        return _update_sql(plan, binder)
    return _insert_sql(plan, binder)


def _returning(plan: MutationPlan) -> str:
    table = plan.table.id.sql
    if not plan.returning:
        return " RETURNING 1"
    if plan.returning == ("*",):
        return f" RETURNING {table}.*"
    return f" RETURNING {', '.join(f'{table}.{quote(name)}' for name in plan.returning)}"


def _where(reference: str, conditions: Sequence[PlannedCondition], binder: Binder) -> str:
    if not conditions:
        return ""
    return f" WHERE {' AND '.join(condition_sql(reference, found, binder) for found in conditions)}"


def _insert_sql(plan: MutationPlan, binder: Binder) -> str:
    names = ", ".join(quote(column.name) for column in plan.columns)
    target = f"INSERT INTO {plan.table.id.sql}{f'({names})' if names else ''} "
    conditions = [condition_sql("pgrst_body", found, binder) for found in plan.where] if plan.verb == "upsert" else []
    if plan.counts_inserted:
        conditions.append(_COUNT_UP)
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    return f"{target}{_body_sql(plan, binder)}{where}{_conflict_sql(plan)}{_returning(plan)}"


def _body_sql(plan: MutationPlan, binder: Binder) -> str:
    """Render the rows of the body as a SELECT; without columns, one row of defaults for each object."""
    if not plan.columns:
        if not plan.is_array:
            return f"SELECT FROM (VALUES (1)) AS _(pgrst_one), (SELECT {binder.bind(BODY)}::json) AS pgrst_body"
        return f"SELECT FROM json_array_elements({binder.bind(BODY)}::json) AS pgrst_body"
    selected = ", ".join(_input_sql(column, read) for column, read in zip(plan.columns, plan.inputs, strict=True))
    return f"SELECT {selected} FROM {_records_sql(plan, binder)}"


def _input_sql(column: Column, read: QualifiedIdentifier | None) -> str:
    value = f"pgrst_body.{quote(column.name)}"
    return f"{read.sql}({value})" if read else value


def _records_sql(plan: MutationPlan, binder: Binder) -> str:
    body = binder.bind(BODY)
    kind = "jsonb" if plan.applies_defaults else "json"
    payload = f"SELECT {body}::{kind} AS json_data"
    if plan.applies_defaults:
        defaults = _defaults_sql(plan.columns)
        payload = (
            f"SELECT jsonb_agg({defaults} || elem) AS json_data FROM jsonb_array_elements({body}::jsonb) AS elem"
            if plan.is_array
            else f"SELECT {defaults} || {body}::jsonb AS json_data"
        )
    expand = f"{kind}_to_recordset" if plan.is_array else f"{kind}_to_record"
    names = ", ".join(quote(column.name) for column in plan.columns)
    types = ", ".join(
        f"{quote(column.name)} {'json' if read else column.type}"
        for column, read in zip(plan.columns, plan.inputs, strict=True)
    )
    return (
        f"({payload}) AS pgrst_payload, LATERAL (SELECT {names} FROM {expand}(pgrst_payload.json_data) "
        f"AS _({types})) AS pgrst_body"
    )


def _defaults_sql(columns: Sequence[Column]) -> str:
    pairs = ", ".join(f"{quote_literal(column.name)}, {column.default}" for column in columns if column.default)
    return f"jsonb_build_object({pairs})"


def _conflict_sql(plan: MutationPlan) -> str:
    if not plan.conflict_columns or plan.resolution is None:
        return ""
    target = ", ".join(quote(name) for name in plan.conflict_columns)
    if plan.resolution == "ignore-duplicates" or not plan.columns:
        return f" ON CONFLICT ({target}) DO NOTHING"
    changes = ", ".join(f"{quote(column.name)} = EXCLUDED.{quote(column.name)}" for column in plan.columns)
    return f" ON CONFLICT ({target}) DO UPDATE SET {changes} WHERE {_COUNT_DOWN}"


def _update_sql(plan: MutationPlan, binder: Binder) -> str:
    table = plan.table.id.sql
    if not plan.columns:
        # Nothing to set: no row is affected, and the columns are there for the representation.
        columns = ("*",) if plan.returning in ((), ("*",)) else plan.returning
        names = ", ".join(f"{table}.{name if name == '*' else quote(name)}" for name in columns)
        return f"SELECT {names} FROM {table} WHERE false AND {binder.bind(BODY)}::json IS NULL"
    records = _records_sql(plan, binder)
    changes = ", ".join(
        f"{quote(column.name)} = {_input_sql(column, read)}"
        for column, read in zip(plan.columns, plan.inputs, strict=True)
    )
    return f"UPDATE {table} SET {changes} FROM {records}{_where(table, plan.where, binder)}{_returning(plan)}"


def call_sql(plan: CallPlan, binder: Binder) -> str:
    """Render a function call as a SELECT of its rows, or of its value as pgrst_scalar."""
    function, prefix = plan.function, ""
    if plan.style == "body":
        expand = "json_to_recordset" if plan.is_array else "json_to_record"
        names = ", ".join(quote(parameter.name) for parameter, _ in plan.arguments)
        types = ", ".join(f"{quote(parameter.name)} {parameter.body_type}" for parameter, _ in plan.arguments)
        prefix = (
            f"(SELECT {binder.bind(BODY)}::json AS json_data) AS pgrst_payload, "
            f"LATERAL (SELECT {names} FROM {expand}(pgrst_payload.json_data) AS _({types}) LIMIT 1) AS pgrst_body, "
            "LATERAL "
        )
    called = f"{function.id.sql}({_arguments_sql(plan, binder)})"
    if function.returns_scalar:
        return f"SELECT pgrst_call.pgrst_scalar FROM {prefix}(SELECT {called} AS pgrst_scalar) AS pgrst_call"
    columns = ", ".join(f"pgrst_call.{quote(name)}" for name in plan.returning) or "pgrst_call.*"
    return f"SELECT {columns} FROM {prefix}{called} AS pgrst_call"


def _arguments_sql(plan: CallPlan, binder: Binder) -> str:
    if plan.style == "none":
        return ""
    if plan.style == "raw":
        declared = plan.arguments[0][0].type
        return f"{binder.bind(BODY_BYTES if declared == 'bytea' else BODY)}::{declared}"
    if plan.style == "unnamed":
        return _unnamed_sql(plan, binder)
    return ", ".join(_argument_sql(plan, parameter, value, binder) for parameter, value in plan.arguments)


def _unnamed_sql(plan: CallPlan, binder: Binder) -> str:
    """Render the arguments as one JSON text: `=5` in a query string or a form is `{"":"5"}`."""
    [(parameter, value)] = plan.arguments
    assert not isinstance(value, tuple)
    text = f"('{{\"\":' || to_json({binder.bind(value)}::text)::text || '}}')"
    return f"convert_to({text}, 'UTF8')" if parameter.type == "bytea" else f"{text}::{parameter.type}"


def _argument_sql(plan: CallPlan, parameter: Parameter, value: Value | tuple[Value, ...], binder: Binder) -> str:
    name = f"{'VARIADIC ' if parameter.is_variadic else ''}{quote(parameter.name)}"
    if plan.style == "body":
        return f"{name} := pgrst_body.{quote(parameter.name)}"
    given = f"ARRAY[{', '.join(binder.bind(one) for one in value)}]" if isinstance(value, tuple) else binder.bind(value)
    return f"{name} := {given}::{parameter.body_type}"
