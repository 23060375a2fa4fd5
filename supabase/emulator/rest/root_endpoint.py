"""The root document's request: one transaction as the caller, which says what the caller may touch. I/O."""

import json

from emulator.db.statement import Statement
from emulator.rest import errors
from emulator.rest.api_request.media_types import JSON, OPENAPI, MediaType
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.auth.authenticator import Caller
from emulator.rest.compiler import Incoming
from emulator.rest.execute import Watch, execute
from emulator.rest.query.pre_query import pre_request_sql, request_settings, role_settings
from emulator.rest.query.transaction import lay_out
from emulator.rest.response.openapi import Address, build_document
from emulator.rest.response.respond import Response
from emulator.rest.schema_cache.cache import Function, Table
from emulator.rest.service import RestService, State

_NOTHING_TO_ASK = "select null::json"
_PRIVILEGES = """
select json_build_object(
  'tables', (
    select coalesce(json_agg(c.relname), '[]')
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and (
        pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
        or pg_catalog.has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE, REFERENCES')
      )
  ),
  'functions', (
    select coalesce(json_agg(p.oid::bigint), '[]')
    from pg_catalog.pg_proc p
    join pg_catalog.pg_namespace n on n.oid = p.pronamespace
    where n.nspname = $1 and pg_catalog.has_function_privilege(p.oid, 'EXECUTE')
  )
)
"""


async def respond_to_root(
    service: RestService, state: State, request: ApiRequest, caller: Caller, incoming: Incoming, watch: Watch
) -> Response:
    """Answer GET or HEAD of the root. Raises PGRST107, PGRST126."""
    settings = state.settings
    if settings.openapi_mode == "disabled":
        raise errors.root_disabled()
    media_type = _negotiate(request.accept)
    asks = settings.openapi_mode == "follow-privileges"
    layout = lay_out(
        request_settings(state, caller, incoming, request.schema),
        caller.role,
        is_read_only=True,
        isolation=role_settings(state, caller.role).isolation,
        pre_request=pre_request_sql(settings.db_pre_request),
        is_prepared=settings.db_prepared_statements,
    )
    main = Statement(_PRIVILEGES, [request.schema.encode()]) if asks else Statement(_NOTHING_TO_ASK)
    outcome = await execute(service.pool, layout, main, None, watch)
    answer = outcome.rows[0][0]
    allowed = json.loads(answer) if answer is not None else None
    tables, functions = _shown(state, request.schema, allowed)
    body = build_document(
        state.cache,
        request.schema,
        tables,
        functions,
        Address.parse(settings.openapi_server_proxy_uri, settings.server_host, settings.server_port),
        is_secured=settings.openapi_security_active,
    )
    headers = [("Content-Type", media_type.content_type)]
    if request.is_schema_named or len(settings.db_schemas) > 1:
        headers.append(("Content-Profile", request.schema))
    return Response(200, headers, body)


def _negotiate(accept: tuple[MediaType, ...]) -> MediaType:
    for wanted in accept:
        if wanted.name in (OPENAPI, JSON):
            return MediaType(wanted.name)
        if wanted.name == "*/*":
            return MediaType(OPENAPI)
    raise errors.not_acceptable([str(media_type) for media_type in accept])


def _shown(state: State, schema: str, allowed: dict[str, list[object]] | None) -> tuple[list[Table], list[Function]]:
    tables = list(state.cache.tables_in(schema))
    functions = [function for key in sorted(state.cache.functions) if key.schema == schema
                 for function in state.cache.functions[key]]  # fmt: skip
    if allowed is None:
        return tables, functions
    names, oids = set(allowed["tables"]), set(allowed["functions"])
    return (
        [table for table in tables if table.id.name in names],
        [function for function in functions if function.oid in oids],
    )
