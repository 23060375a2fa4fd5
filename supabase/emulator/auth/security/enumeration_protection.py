"""Who has an account is nobody's business: what depends on it happens after the answer, or is done for show as well.

GoTrue writes and mails before it answers, and only for addresses that it knows; with
MAILER_EMAIL_BACKGROUND_SENDING neither the time of an answer nor a second request tells them apart.
"""

import logging
from collections.abc import Awaitable, Callable

from emulator.auth import errors
from emulator.auth.accounts.mail import EMAIL_LIMIT
from emulator.auth.context import Call, run_in_background
from emulator.auth.hooks import v0hooks
from emulator.auth.ratelimit.limiter import Pauses
from emulator.errors import ApiError

log = logging.getLogger("emulator.auth")


def pause(call: Call, address: str, *slots: str) -> None:
    """One request a minute for an address and kind of mail, known or not; raises too_soon in the words for known ones.

    Only where mails go out in the background and need a click; elsewhere the account's own row is asked, as upstream.
    """
    mailer = call.settings.mailer
    if not mailer.background or mailer.autoconfirm:
        return
    pauses: Pauses = call.service.caches.setdefault("pauses", Pauses())
    interval_s = call.settings.smtp.max_frequency_s
    left_s = pauses.left_s([(slot, address) for slot in slots], call.now.timestamp(), interval_s)
    if left_s:
        raise errors.too_soon(EMAIL_LIMIT, left_s)


async def after_the_answer(call: Call, work: Callable[[], Awaitable[None]]) -> None:
    """Do the work now; or, where mails go out in the background, when the answer is on its way.

    A hook that may refuse new accounts has to be asked before.
    """
    if not call.settings.mailer.background or v0hooks.is_on(call, "before_user_created"):
        await work()
        return

    async def quietly() -> None:
        try:
            await work()
        except ApiError as error:
            log.info("after the answer: %s %s", error.code, error.message)

    await run_in_background(call.service, quietly)
