"""One request from arrival to response: authenticate, prepare, execute, respond. I/O only through execute."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from emulator.asgi.body import BodyTooLarge, read_body
from emulator.asgi.types import Receive
from emulator.db.statement import Statement, new_tuple
from emulator.errors import ApiError
from emulator.principal import Principal
from emulator.rest import errors
from emulator.rest.api_request.http_request import HttpRequest
from emulator.rest.api_request.payload import ALWAYS_QUICK_BYTES, body_kind, check_beginning
from emulator.rest.compiler import CompiledRequest, PreparedRequest, cut_query, ignore
from emulator.rest.execute import DisconnectWatcher
from emulator.rest.plan.types import DbPlan
from emulator.rest.query.result import QueryResult, read_row
from emulator.rest.query.result_checks import check_result, choose_check, has_checks
from emulator.rest.query.transaction import TransactionEnd, TransactionPlan
from emulator.rest.request_transaction import name_caller, plan_request_transaction
from emulator.rest.response.database_errors import to_api_error
from emulator.rest.response.error_response import respond_to_error
from emulator.rest.response.options import respond_to_options
from emulator.rest.response.respond import choose_total, preference_applied, respond, respond_to_explain, type_headers
from emulator.rest.response.types import Response, ResponseContext
from emulator.rest.root_endpoint import respond_to_root
from emulator.rest.service import KnownRequest, RestService, Snapshot
from emulator.rest.settings import RestSettings

_MAX_TRANSACTION_PLANS = 4000
# Of a longer body no more is read before the rest of the request has been judged.
HEAD_BYTES = 65_536
# What takes about 10 ms to parse and to plan: longer ones must not be compiled where others wait.
_QUICK_QUERY_BYTES = 1024
_METHODS_TO_KNOW = frozenset({"GET", "HEAD"})
_VARY = ("Vary", "Accept, Prefer, Range")


@dataclass(slots=True)
class ServerTiming:
    """Durations of the stages, for the Server-Timing header."""

    stages: list[tuple[str, float]] = field(default_factory=list)
    last: float = field(default_factory=time.perf_counter)

    def end(self, stage: str) -> None:
        """Note the time since the last stage ended."""
        now = time.perf_counter()
        self.stages.append((stage, now - self.last))
        self.last = now

    def end_parse(self) -> None:
        """Note that the request is parsed."""
        self.end("parse")

    def header(self) -> str:
        """Write the header, in milliseconds."""
        return ", ".join(f"{stage};dur={duration_s * 1000:.1f}" for stage, duration_s in self.stages)


async def handle(service: RestService, http_request: HttpRequest, watch_disconnect: DisconnectWatcher) -> Response:
    """Answer a request. Raises nothing but CancelledError, when the client disconnects."""
    timing = ServerTiming() if service.settings.server_timing_enabled else None
    principal: Principal | None = None
    try:
        found = _find_known(service, http_request) if timing is None else None
        if found is not None:
            principal = found[1].principal
            response = await _repeat(service, *found, http_request, watch_disconnect)
        else:
            principal = service.authenticator.authenticate(http_request.headers.authorization, service.now())
            if timing:
                timing.end("jwt")
            response = await _respond(service, http_request, principal, watch_disconnect, timing)
        if not response.sets_vary:
            response.headers.append(_VARY)
        if timing:
            timing.end("response")
            response.headers.append(("Server-Timing", timing.header()))
        return response
    except ApiError as error:
        return refuse(service, error)
    except Exception as error:
        is_anonymous = principal is None or principal.role == service.settings.db_anon_role
        api_error, reason = to_api_error(error, is_anonymous=is_anonymous)
        return refuse(service, api_error, reason)


def refuse(service: RestService, error: ApiError, reason: str | None = None) -> Response:
    """Return the response to an error."""
    response = respond_to_error(error, is_minimal=service.settings.client_error_verbosity == "minimal", reason=reason)
    if response.status == 503:
        response.headers.append(("Retry-After", str(service.retry_after_s)))
    return response


async def _respond(
    service: RestService,
    http_request: HttpRequest,
    principal: Principal,
    watch_disconnect: DisconnectWatcher,
    timing: ServerTiming | None,
) -> Response:
    snapshot = service.snapshot
    if snapshot is None:
        raise errors.schema_cache_missing()
    on_parsed = timing.end_parse if timing else ignore
    if len(http_request.body) <= ALWAYS_QUICK_BYTES and len(http_request.query_string) <= _QUICK_QUERY_BYTES:
        prepared = snapshot.compiler.prepare(http_request, on_parsed)
    else:
        prepared = await _prepare_long(service, snapshot, http_request, on_parsed)
    plan = prepared.compiled.plan
    if timing:
        timing.end("plan")
    if plan is None:
        request = prepared.compiled.request
        if request.action.verb == "info":
            response = respond_to_options(request, snapshot.planner)
        else:
            response = await respond_to_root(service, snapshot, request, http_request, principal, watch_disconnect)
        if timing:
            timing.end("transaction")
        return response
    transaction, parameters, planned_count = plan_statements(snapshot, prepared, plan, http_request, principal)
    caller = name_caller(principal, http_request, service.settings.db_anon_role)
    if planned_count is None and transaction.batch.times and http_request.method in _METHODS_TO_KNOW:
        _keep(snapshot, http_request, KnownRequest(prepared.compiled, principal, transaction, caller))
    result = await service.executor.run(transaction, parameters, planned_count, watch_disconnect, caller)
    if timing:
        timing.end("transaction")
    return _build_response(snapshot, prepared, plan, result, http_request)


def _find_known(service: RestService, http_request: HttpRequest) -> tuple[Snapshot, KnownRequest, list[bytes]] | None:
    """Return what is known of a request that came before with other values, and its values."""
    snapshot = service.snapshot
    method, raw_path, query_string, headers, _ = http_request
    if snapshot is None or method not in _METHODS_TO_KNOW or len(query_string) > _QUICK_QUERY_BYTES:
        return None
    form, values = cut_query(http_request)
    known = snapshot.known.get((method, raw_path, form, headers))
    if known is None or not service.authenticator.is_still(known.principal, service.now()):
        return None
    return snapshot, known, values


def _keep(snapshot: Snapshot, http_request: HttpRequest, known: KnownRequest) -> None:
    method, raw_path, query_string, headers, _ = http_request
    if len(query_string) <= _QUICK_QUERY_BYTES:
        if len(snapshot.known) >= _MAX_TRANSACTION_PLANS:
            snapshot.known.clear()
        snapshot.known[method, raw_path, cut_query(http_request)[0], headers] = known


async def _repeat(
    service: RestService,
    snapshot: Snapshot,
    known: KnownRequest,
    values: list[bytes],
    http_request: HttpRequest,
    watch_disconnect: DisconnectWatcher,
) -> Response:
    compiled, _, transaction, caller = known
    plan, statements = compiled.plan, compiled.statements
    assert plan is not None
    assert statements is not None
    prepared = new_tuple(PreparedRequest, (compiled, values, b""))
    parameters = prepared.parameters(statements.main)
    result = await service.executor.run(transaction, parameters, None, watch_disconnect, caller)
    return _build_response(snapshot, prepared, plan, result, http_request)


async def _prepare_long(
    service: RestService, snapshot: Snapshot, http_request: HttpRequest, on_parsed: Callable[[], None]
) -> PreparedRequest:
    compiler, read = snapshot.compiler, None
    kind = body_kind(http_request)
    if not kind.is_quick(len(http_request.body)):
        await service.in_turn(compiler.check_url, http_request)
        read = await service.bodies.read(kind, http_request.body)
    try:
        shaped = compiler.shape(http_request, read)
    except ApiError:
        await service.in_turn(compiler.check_url, http_request)
        raise
    compiled = compiler.find(shaped)
    if compiled is None:
        compiled = await service.in_turn(partial(compiler.compile, on_parsed=on_parsed), shaped)
        compiler.keep(shaped, compiled)
    else:
        on_parsed()
    return PreparedRequest(compiled, shaped.values, shaped.body)


async def receive_rest(service: RestService, http_request: HttpRequest, receive: Receive) -> HttpRequest | Response:
    """Return a request with the rest of its body, or its refusal when it shows that the body is not worth reading.

    `http_request` has what has come so far. Raises ClientDisconnected.
    """
    refusal = await _refuse_early(service, http_request)
    if refusal is not None:
        return refusal
    kind = body_kind(http_request)
    try:
        return http_request.with_body(http_request.body + await read_body(receive, kind.max_bytes))
    except BodyTooLarge as error:
        return refuse(service, errors.body_too_large(kind.content_type, error.limit))


async def _refuse_early(service: RestService, http_request: HttpRequest) -> Response | None:
    """Return the refusal of a request whose body is still to come, or None when only that can be wrong with it."""
    try:
        service.authenticator.authenticate(http_request.headers.authorization, service.now())
        if service.snapshot is None:
            raise errors.schema_cache_missing()
        await service.in_turn(service.snapshot.compiler.check, http_request)
        check_beginning(body_kind(http_request), http_request.body)
    except ApiError as error:
        return refuse(service, error)
    return None


def plan_statements(
    snapshot: Snapshot, prepared: PreparedRequest, plan: DbPlan, http_request: HttpRequest, principal: Principal
) -> tuple[TransactionPlan, Sequence[bytes | None], Statement | None]:
    """Return a request's transaction, the parameters of its statement, and what asks the planner for a total.

    The transaction is the same for one principal with one set of headers, so it is planned once.
    """
    transactions, statements = snapshot.transactions, prepared.compiled.statements
    assert statements is not None
    key = (prepared.compiled, http_request.headers, principal)
    transaction = transactions.get(key)
    if transaction is None:
        if len(transactions) >= _MAX_TRANSACTION_PLANS:
            transactions.clear()
        transaction = transactions[key] = plan_request_transaction(
            statements.main.text,
            snapshot,
            http_request,
            principal,
            plan.schema,
            is_read_only=plan.is_read_only,
            isolation=plan.isolation,
            function_settings=plan.hoisted_settings,
            end=TransactionEnd(_rolls_back(snapshot.settings, plan), choose_check(plan)),
        )
    parameters, planned = prepared.parameters(statements.main), statements.planned_count
    if planned is None:
        return transaction, parameters, None
    main = transaction.batch.main
    return transaction, parameters, main._replace(text=planned.text, parameters=prepared.parameters(planned))


def _rolls_back(settings: RestSettings, plan: DbPlan) -> bool:
    """Whether the transaction is rolled back: as configured, or as Prefer: tx=... asks where that is allowed."""
    if settings.tx_override_allowed and plan.preferences.tx:
        return plan.preferences.tx == "rollback"
    return settings.rolls_back


def _build_response(
    snapshot: Snapshot, prepared: PreparedRequest, plan: DbPlan, result: QueryResult, http_request: HttpRequest
) -> Response:
    context = snapshot.contexts.get(prepared.compiled)
    if context is None:
        if len(snapshot.contexts) >= _MAX_TRANSACTION_PLANS:
            snapshot.contexts.clear()
        context = snapshot.contexts[prepared.compiled] = _response_context(snapshot.settings, prepared.compiled, plan)
    if plan.negotiated.media_type.plan_format:
        return respond_to_explain(result.rows, context)
    result_set = read_row(result.rows[0])
    if context.has_checks and plan.is_read_only:
        check_result(plan, result_set)
    total = choose_total(plan, result_set, result.planned, snapshot.settings.db_max_rows)
    return respond(plan, result_set, total, context, http_request.query_string)


def _response_context(settings: RestSettings, compiled: CompiledRequest, plan: DbPlan) -> ResponseContext:
    """Return what the responses to requests of one shape share."""
    request = compiled.request
    names_schema = request.is_schema_named or len(settings.db_schemas) > 1
    return ResponseContext(
        types=tuple(type_headers(plan, names_schema=names_schema)),
        relation=request.resource.name,
        has_content_location=request.action.verb == "read",
        preference_applied=preference_applied(plan, tx_override_allowed=settings.tx_override_allowed),
        has_checks=has_checks(plan),
    )
