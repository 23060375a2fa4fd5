"""GET /: the OpenAPI document of the schema, limited to what the caller may use. I/O through the executor."""

import json

from emulator.principal import Principal
from emulator.rest import errors
from emulator.rest.api_request.http_request import HttpRequest
from emulator.rest.api_request.media_types import ANY, JSON, OPENAPI, MediaType
from emulator.rest.api_request.request import ApiRequest
from emulator.rest.execute import DisconnectWatcher
from emulator.rest.request_transaction import name_caller, plan_request_transaction
from emulator.rest.response.openapi.document import Address, build_document
from emulator.rest.response.types import Response
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.routine import Function
from emulator.rest.schema_cache.table import Table
from emulator.rest.service import RestService, Snapshot

_MAX_DOCUMENTS = 8
# Sent when privileges are ignored: the transaction runs all the same, so a pre-request can still reject the request.
_NO_PRIVILEGES = "select null::json"
_PRIVILEGES = """
select json_build_object(
  'tables', (
    select coalesce(json_agg(c.relname), '[]')
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = $1 and c.relkind in ('r', 'v', 'm', 'f', 'p')
      and (
        pg_catalog.pg_has_role(c.relowner, 'USAGE')
        or pg_catalog.has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER')
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
    service: RestService,
    snapshot: Snapshot,
    request: ApiRequest,
    http_request: HttpRequest,
    principal: Principal,
    watch_disconnect: DisconnectWatcher,
) -> Response:
    """Answer GET or HEAD of the root. Raises PGRST107."""
    settings = snapshot.settings
    media_type = _negotiate(request.accept)
    follows_privileges = settings.openapi_mode == "follow-privileges"
    main, parameters = (_PRIVILEGES, [request.schema.encode()]) if follows_privileges else (_NO_PRIVILEGES, [])
    transaction = plan_request_transaction(main, snapshot, http_request, principal, request.schema, is_read_only=True)
    caller = name_caller(principal, http_request, settings.db_anon_role)
    result = await service.executor.run(transaction, parameters, None, watch_disconnect, caller)
    key = (request.schema, result.rows[0][0])
    body = snapshot.documents.get(key)
    if body is None:
        if len(snapshot.documents) >= _MAX_DOCUMENTS:
            snapshot.documents.clear()
        body = snapshot.documents[key] = _document(snapshot, *key)
    headers = [("Content-Type", media_type.content_type)]
    if request.is_schema_named or len(settings.db_schemas) > 1:
        headers.append(("Content-Profile", request.schema))
    return Response(200, headers, body)


def _document(snapshot: Snapshot, schema: str, privileges: bytes | None) -> bytes:
    settings = snapshot.settings
    tables, functions = _accessible(snapshot.cache, schema, json.loads(privileges) if privileges is not None else None)
    return build_document(
        snapshot.cache,
        schema,
        tables,
        functions,
        Address.parse(settings.openapi_server_proxy_uri, settings.server_host, settings.server_port),
        # With privileges, functions are read anew in the request's transaction, and so in its search path.
        search_path=(schema, *settings.db_extra_search_path) if privileges is not None else (),
        is_secured=settings.openapi_security_active,
    )


def _negotiate(accept: tuple[MediaType, ...]) -> MediaType:
    for accepted in accept:
        if accepted.name in (OPENAPI, JSON):
            return MediaType(accepted.name)
        if accepted.name == ANY:
            return MediaType(OPENAPI)
    raise errors.not_acceptable([str(media_type) for media_type in accept])


def _accessible(
    cache: SchemaCache, schema: str, privileges: dict[str, list[object]] | None
) -> tuple[list[Table], list[Function]]:
    """Return a schema's relations and functions, without privileges all of them."""
    tables = list(cache.tables_in(schema))
    functions = [
        function for key in sorted(cache.functions) if key.schema == schema for function in cache.functions[key]
    ]
    if privileges is None:
        return tables, functions
    names, oids = set(privileges["tables"]), set(privileges["functions"])
    return (
        [table for table in tables if table.id.name in names],
        [function for function in functions if function.oid in oids],
    )
