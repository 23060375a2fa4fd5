"""Too many wrong passwords for one account, from whatever address: RATE_LIMIT_PASSWORD_FAILURES, off by default.

Not in GoTrue, which limits by client address alone.
"""

from emulator.auth import errors
from emulator.auth.context import RequestContext


def check_failed_attempts(ctx: RequestContext, account: str) -> None:
    """Raise over_request_rate_limit after too many; `account` is the address or number as stored, known or not."""
    limiter = ctx.rate_limits.password_failures
    if limiter is not None and limiter.is_exhausted(account, ctx.now.timestamp()):
        raise errors.over_request_rate_limit()


def count_failed_attempt(ctx: RequestContext, account: str) -> None:
    """A password was wrong."""
    limiter = ctx.rate_limits.password_failures
    if limiter is not None:
        limiter.take(account, ctx.now.timestamp())
