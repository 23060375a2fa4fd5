"""The statements around a plan's own: begin, settings, pre-request before it; constraints and the end after it. Pure.

A read or a plain write is two statements and a Sync, which PostgreSQL makes one transaction. An explicit BEGIN is sent
for another isolation level, for a rollback, and where the result decides how the transaction ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from emulator.db.statement import Row, Statement
from emulator.rest import errors
from emulator.rest.plan.types import DbPlan
from emulator.rest.response.respond import ResultSet, read_row
from emulator.rest.schema_cache.cache import quote_literal

Settings = Sequence[tuple[str, bytes]]

COMMIT = Statement("COMMIT")
ROLLBACK = Statement("ROLLBACK")
_READ_ONLY = ("transaction_read_only", b"on")
_ISOLATION_LEVELS = ("serializable", "repeatable read", "read committed", "read uncommitted")


@dataclass(frozen=True, slots=True)
class Layout:
    """What surrounds a plan's statements for one caller. With a `check`, the end waits for its verdict."""

    before: tuple[Statement, ...]
    after: tuple[Statement, ...]
    role: str
    is_prepared: bool
    rolls_back: bool = False
    check: Callable[[Row], None] | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a transaction ends: undone or not, and whether deferred constraints are asked before."""

    rolls_back: bool = False
    check: Callable[[Row], None] | None = None


def lay_out(
    settings: Settings,
    role: str,
    *,
    is_read_only: bool,
    isolation: str | None = None,
    pre_request: str | None = None,
    ending: Ending | None = None,
    is_prepared: bool = True,
) -> Layout:
    """Surround a statement with its transaction."""
    ending = ending or Ending()
    is_explicit = isolation is not None or ending.rolls_back or ending.check is not None
    before: list[Statement] = []
    after: list[Statement] = []
    if is_explicit:
        before.append(_begin(isolation, is_read_only, is_prepared))
    elif is_read_only:
        settings = (_READ_ONLY, *settings)
    before.append(settings_statement(settings, is_prepared))
    if pre_request:
        before.append(Statement(f"SELECT {pre_request}()", (), role, is_prepared))
    if ending.rolls_back and not is_read_only:
        after.append(Statement("SET CONSTRAINTS ALL IMMEDIATE", is_prepared=is_prepared))
    if is_explicit and ending.check is None:
        after.append(ROLLBACK if ending.rolls_back else COMMIT)
    return Layout(tuple(before), tuple(after), role, is_prepared, ending.rolls_back, ending.check)


def settings_statement(settings: Settings, is_prepared: bool) -> Statement:
    """Return the statement that makes all settings, in order."""
    calls = (f"set_config({quote_literal(name)}, ${place}, true)" for place, (name, _) in enumerate(settings, 1))
    return Statement(f"SELECT {', '.join(calls)}", [value for _, value in settings], "", is_prepared)


def _begin(isolation: str | None, is_read_only: bool, is_prepared: bool) -> Statement:
    wanted = (isolation or "").strip().lower()
    level = wanted if wanted in _ISOLATION_LEVELS else "read committed"
    text = f"BEGIN ISOLATION LEVEL {level} {'READ ONLY' if is_read_only else 'READ WRITE'}"
    return Statement(text, is_prepared=is_prepared)


def choose_check(plan: DbPlan) -> Callable[[Row], None] | None:
    """Return the check that may undo a writing transaction, if there is one to make."""
    if plan.is_read_only or plan.negotiated.media_type.plan_format or not has_checks(plan):
        return None
    return lambda row: check_result(plan, read_row(row))


def has_checks(plan: DbPlan) -> bool:
    """Whether the number of rows can make a request fail."""
    is_put = plan.mutation is not None and plan.mutation.verb == "upsert"
    is_limited = plan.preferences.is_strict and plan.preferences.max_affected is not None
    return is_put or is_limited or plan.negotiated.media_type.is_singular


def check_result(plan: DbPlan, result: ResultSet) -> None:
    """Refuse a result that must not stand. Raises PGRST115, PGRST116, PGRST124."""
    if plan.mutation is not None and plan.mutation.verb == "upsert":
        if result.page != 1:
            raise errors.put_key_mismatch()
        return
    limit = plan.preferences.max_affected if plan.preferences.is_strict else None
    counts = plan.call is not None or (plan.mutation is not None and plan.mutation.verb in ("update", "delete"))
    if counts and limit is not None and result.page > limit:
        raise errors.too_many_affected(result.page)
    if plan.negotiated.media_type.is_singular and result.page != 1:
        raise errors.not_single(result.page)
