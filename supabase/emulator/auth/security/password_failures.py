"""Too many wrong passwords for one account: RATE_LIMIT_PASSWORD_FAILURES, off by default. Not in GoTrue."""

import asyncio

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.ratelimit.guesses import network_of


async def wait_for_turn(ctx: RequestContext, account: str) -> None:
    """Wait while an account is guessed at; raises over_request_rate_limit for who guesses.

    `account` is the address or number as stored, known or not.
    """
    guesses = ctx.rate_limits.password_guesses
    if guesses is None:
        return
    delay_s = guesses.delay_s(account, network_of(ctx.ip), ctx.service.clock())
    if delay_s is None:
        raise errors.over_request_rate_limit()
    if delay_s:
        await asyncio.sleep(delay_s)


def count_attempt(ctx: RequestContext, account: str, *, is_right: bool) -> None:
    """A password was compared."""
    guesses = ctx.rate_limits.password_guesses
    if guesses is not None and is_right:
        guesses.succeeded(account, network_of(ctx.ip))
    elif guesses is not None:
        guesses.failed(account, network_of(ctx.ip), ctx.service.clock())
