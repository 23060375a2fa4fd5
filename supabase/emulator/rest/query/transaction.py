"""The statements around a plan's own: begin, settings and pre-request before it, constraints and the end after. Pure.

A read or a plain write is two statements and a Sync, which PostgreSQL makes one transaction. An explicit BEGIN is sent
for another isolation level, for a rollback, and where the result decides how the transaction ends.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from emulator.db.statement import Recurring, Row, Statement
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier, quote_literal

Settings = Sequence[tuple[str, bytes]]
# Raises an ApiError for a result that must be rolled back.
ResultCheck = Callable[[Row], None]

COMMIT = Statement("COMMIT")
ROLLBACK = Statement("ROLLBACK")
_READ_ONLY = ("transaction_read_only", b"on")
_MAX_ARGUMENTS = 100  # of a function
_ISOLATION_LEVELS = ("serializable", "repeatable read", "read committed", "read uncommitted")


@dataclass(frozen=True, slots=True)
class TransactionPlan:
    """A plan's statement within its transaction. With a `check`, COMMIT or ROLLBACK waits for its outcome."""

    batch: Recurring
    rolls_back: bool = False
    check: ResultCheck | None = None


@dataclass(frozen=True, slots=True)
class TransactionEnd:
    """How a transaction ends: rolled back or not, and whether the result is checked first."""

    rolls_back: bool = False
    check: ResultCheck | None = None


def plan_transaction(
    main: str,
    settings: Settings,
    role: str,
    *,
    is_read_only: bool,
    isolation: str | None = None,
    pre_request: str | None = None,
    end: TransactionEnd | None = None,
    is_prepared: bool = True,
) -> TransactionPlan:
    """Return the statements around `main`; `pre_request` names the function to call before it."""
    end = end or TransactionEnd()
    is_explicit = isolation is not None or end.rolls_back or end.check is not None
    before: list[Statement] = []
    after: list[Statement] = []
    if is_explicit:
        before.append(_begin(isolation, is_read_only, is_prepared))
    elif is_read_only:
        settings = (_READ_ONLY, *settings)
    before.append(_set_config(settings, is_prepared))
    if pre_request:
        function = QualifiedIdentifier.parse(pre_request)
        before.append(Statement(f"SELECT {function.sql}()", (), role, is_prepared))
    if end.rolls_back and not is_read_only:
        # Deferred constraints are checked at COMMIT, which a rolled back request never reaches.
        after.append(Statement("SET CONSTRAINTS ALL IMMEDIATE", is_prepared=is_prepared))
    if is_explicit and end.check is None:
        after.append(ROLLBACK if end.rolls_back else COMMIT)
    # Prepared per role: row security depends on it, so PostgreSQL would plan again whenever the role changes.
    batch = Recurring(before, Statement(main, (), role, is_prepared), after)
    return TransactionPlan(batch, end.rolls_back, end.check)


def _set_config(settings: Settings, is_prepared: bool) -> Statement:
    """Return the statement that sets everything, in order, until the end of the transaction.

    num_nulls: one number comes back, in place of every value that was sent.
    """
    calls = [f"set_config({quote_literal(name)}, ${place}, true)" for place, (name, _) in enumerate(settings, 1)]
    parts = (calls[at : at + _MAX_ARGUMENTS] for at in range(0, len(calls), _MAX_ARGUMENTS))
    counts = (f"num_nulls({', '.join(part)})" for part in parts)
    return Statement(f"SELECT {', '.join(counts)}", tuple(value for _, value in settings), "", is_prepared)


def _begin(isolation: str | None, is_read_only: bool, is_prepared: bool) -> Statement:
    level = (isolation or "").strip().lower()
    level = level if level in _ISOLATION_LEVELS else "read committed"
    text = f"BEGIN ISOLATION LEVEL {level} {'READ ONLY' if is_read_only else 'READ WRITE'}"
    return Statement(text, is_prepared=is_prepared)
