"""What a result must satisfy, or else its transaction is rolled back and the request fails. Pure."""

from emulator.db.statement import Row
from emulator.rest import errors
from emulator.rest.plan.types import DbPlan
from emulator.rest.query.result import ResultSet, read_row
from emulator.rest.query.transaction import ResultCheck


def choose_check(plan: DbPlan) -> ResultCheck | None:
    """Return the check that decides how a writing transaction ends, or None when nothing can fail."""
    if plan.is_read_only or plan.negotiated.media_type.plan_format or not has_checks(plan):
        return None

    def check(row: Row) -> None:
        check_result(plan, read_row(row))

    return check


def has_checks(plan: DbPlan) -> bool:
    """Whether the number of rows can make a request fail."""
    is_put = plan.mutation is not None and plan.mutation.verb == "upsert"
    is_limited = plan.preferences.is_strict and plan.preferences.max_affected is not None
    return is_put or is_limited or plan.negotiated.media_type.is_singular


def check_result(plan: DbPlan, result: ResultSet) -> None:
    """Raise what is wrong with a result: PGRST115, PGRST116 or PGRST124."""
    if plan.mutation is not None and plan.mutation.verb == "upsert":
        if result.page != 1:
            raise errors.put_key_mismatch()
        return
    limit = plan.preferences.max_affected if plan.preferences.is_strict else None
    is_limited = plan.call is not None or (plan.mutation is not None and plan.mutation.verb in ("update", "delete"))
    if is_limited and limit is not None and result.page > limit:
        raise errors.too_many_affected(result.page)
    if plan.negotiated.media_type.is_singular and result.page != 1:
        raise errors.not_single(result.page)
