"""Against account enumeration: the same work, at the same pace, for addresses with and without an account.

GoTrue writes and mails before it responds, and only for known addresses, so time and rate limits tell them apart. Here,
with MAILER_EMAIL_BACKGROUND_SENDING, neither the time of a response nor a second request does.
"""

import logging
from collections.abc import Awaitable, Callable

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.hooks import v0hooks
from emulator.auth.ratelimit.frequency import EMAIL_LIMIT
from emulator.errors import ApiError

log = logging.getLogger("emulator.auth")


def check_mail_interval(ctx: RequestContext, address: str, *kinds: str) -> None:
    """One request per SMTP_MAX_FREQUENCY for an address and kind of mail, known or not; raises too_soon.

    Only where mails go out in the background and need a click; elsewhere the account's own row is asked, as in GoTrue.
    """
    mailer = ctx.settings.mailer
    if not mailer.background or mailer.autoconfirm:
        return
    keys = [(kind, address) for kind in kinds]
    wait_s = ctx.service.mail_intervals.wait_s(keys, ctx.service.clock(), ctx.settings.smtp.max_frequency_s)
    if wait_s:
        raise errors.too_soon(EMAIL_LIMIT, wait_s)


async def run_after_response(ctx: RequestContext, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work after the response where mails go out in the background, else before it.

    Also before it when a hook may reject new accounts: its error is part of the response.
    """
    if not ctx.settings.mailer.background or v0hooks.is_enabled(ctx, "before_user_created"):
        await work()
        return

    async def logged() -> None:
        try:
            await work()
        except ApiError as error:
            log.info("after the response: %s %s", error.code, error.message)

    await ctx.run_in_background(logged)
