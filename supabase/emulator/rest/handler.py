"""One request from arrival to answer: authenticate, compile, execute, respond. I/O only through execute."""

import time
from dataclasses import dataclass, field

from emulator.db.statement import Statement
from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.auth.authenticator import Caller
from emulator.rest.compiler import Bound, Incoming, content_location
from emulator.rest.execute import Outcome, Watch, execute
from emulator.rest.plan.types import DbPlan
from emulator.rest.query.pre_query import pre_request_sql, request_settings, role_settings
from emulator.rest.query.transaction import Ending, Layout, check_result, choose_check, has_checks, lay_out
from emulator.rest.response.database_errors import translate
from emulator.rest.response.options import respond_to_options
from emulator.rest.response.respond import (
    Facts,
    Response,
    read_planned,
    read_row,
    respond,
    respond_to_error,
    respond_to_explain,
)
from emulator.rest.root_endpoint import respond_to_root
from emulator.rest.service import RestService, State

_MAX_LAYOUTS = 4000
_VARY = ("Vary", "Accept, Prefer, Range")


@dataclass(slots=True)
class Timer:
    """Durations of the stages, for Server-Timing."""

    marks: list[tuple[str, float]] = field(default_factory=list)
    last: float = field(default_factory=time.perf_counter)

    def mark(self, name: str) -> None:
        """End a stage."""
        now = time.perf_counter()
        self.marks.append((name, now - self.last))
        self.last = now

    def header(self) -> str:
        """Write the header."""
        return ", ".join(f"{name};dur={duration * 1000:.1f}" for name, duration in self.marks)


async def handle(service: RestService, incoming: Incoming, watch: Watch) -> Response:
    """Answer a request. Never raises but for cancellation."""
    timer = Timer() if service.settings.server_timing_enabled else None
    caller: Caller | None = None
    try:
        caller = service.authenticator.authenticate(incoming.headers.authorization, time.time())
        if timer:
            timer.mark("jwt")
        response = await _answer(service, incoming, caller, watch, timer)
        if not response.names_vary:
            response.headers.append(_VARY)
        if timer:
            timer.mark("response")
            response.headers.append(("Server-Timing", timer.header()))
        return response
    except ApiError as error:
        return _refuse(service, error)
    except Exception as error:
        is_anonymous = caller is None or caller.role == service.settings.db_anon_role
        refusal, reason = translate(error, is_anonymous=is_anonymous)
        return _refuse(service, refusal, reason)


def _refuse(service: RestService, error: ApiError, reason: str | None = None) -> Response:
    response = respond_to_error(error, is_minimal=service.settings.client_error_verbosity == "minimal", reason=reason)
    if response.status == 503:
        response.headers.append(("Retry-After", str(service.retry_after_s)))
    return response


async def _answer(
    service: RestService, incoming: Incoming, caller: Caller, watch: Watch, timer: Timer | None
) -> Response:
    state = service.state
    if state is None:
        raise errors.schema_cache_missing()
    bound = state.compiler.compile(incoming)
    plan = bound.compiled.plan
    if timer:
        timer.mark("parse")
        timer.mark("plan")
    if plan is None:
        request = bound.compiled.request
        if request.action.verb == "info":
            return respond_to_options(request, state.planner)
        return await respond_to_root(service, state, bound.compiled.request, caller, incoming, watch)
    layout, main, planned = lay_out_request(state, bound, plan, caller, incoming)
    outcome = await execute(service.pool, layout, main, planned, watch)
    if timer:
        timer.mark("transaction")
    return build_response(state, bound, plan, outcome, incoming)


def lay_out_request(
    state: State, bound: Bound, plan: DbPlan, caller: Caller, incoming: Incoming
) -> tuple[Layout, Statement, Statement | None]:
    """Return a planned request's transaction, its statement, and the one that asks the planner for a total.

    The same caller with the same headers gets the same layout, so it is made once.
    """
    layouts, statements = state.compiler.layouts, bound.compiled.statements
    assert statements is not None
    key = (bound.compiled, incoming.headers, caller)
    layout = layouts.get(key)
    if layout is None:
        if len(layouts) >= _MAX_LAYOUTS:
            layouts.clear()
        layout = layouts[key] = _lay_out(state, plan, caller, incoming)
    role, is_prepared = layout.role, layout.is_prepared
    main = Statement(statements.main.text, bound.parameters(statements.main), role, is_prepared)
    planned = statements.planned_count
    return layout, main, Statement(planned.text, bound.parameters(planned), role, is_prepared) if planned else None


def _lay_out(state: State, plan: DbPlan, caller: Caller, incoming: Incoming) -> Layout:
    settings = state.settings
    rolls_back = settings.rolls_back
    if settings.tx_override_allowed and plan.preferences.tx:
        rolls_back = plan.preferences.tx == "rollback"
    return lay_out(
        request_settings(state, caller, incoming, plan.schema, plan),
        caller.role,
        is_read_only=plan.is_read_only,
        isolation=plan.isolation or role_settings(state, caller.role).isolation,
        pre_request=pre_request_sql(settings.db_pre_request),
        ending=Ending(rolls_back, choose_check(plan)),
        is_prepared=settings.db_prepared_statements,
    )


def build_response(state: State, bound: Bound, plan: DbPlan, outcome: Outcome, incoming: Incoming) -> Response:
    """Turn an outcome into an answer."""
    settings, request = state.settings, bound.compiled.request
    facts = Facts(
        tx_override_allowed=settings.tx_override_allowed,
        names_schema=request.is_schema_named or len(settings.db_schemas) > 1,
        location_path="/" + request.resource.name,
        content_location=(
            content_location(incoming.raw_path, bound.pairs, incoming.query_string)
            if request.action.verb == "read"
            else ""
        ),
    )
    if plan.negotiated.media_type.plan_format:
        return respond_to_explain(plan, outcome.rows, facts)
    result = read_row(outcome.rows[0])
    if plan.is_read_only and has_checks(plan):
        check_result(plan, result)
    total = result.total
    if plan.counts in ("planned", "estimated"):
        planned = read_planned(outcome.planned)
        max_rows = settings.db_max_rows
        if plan.counts == "planned":
            total = planned
        elif planned is not None and (max_rows is None or (total or 0) > max_rows):
            total = max(total or 0, planned)
    return respond(plan, result, total, facts)
