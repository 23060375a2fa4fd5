"""Captchas: where they are asked for, a request needs the token that hCaptcha or Turnstile gave its page.

SECURITY_CAPTCHA_ENABLED, _PROVIDER (hcaptcha, turnstile), _SECRET. Admins pass without.
Source: https://docs.hcaptcha.com/#verify-the-user-response-server-side,
https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.context import Call

log = logging.getLogger("emulator.auth")
URLS = {
    "hcaptcha": "https://hcaptcha.com/siteverify",
    "turnstile": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
}


@dataclass(frozen=True)
class Security:
    """What clients send beside every form."""

    captcha_token: str = ""


@dataclass(frozen=True)
class GotrueRequest:
    """The one part of a body that concerns us."""

    gotrue_meta_security: Security = field(default_factory=Security)


def guarded(handler: Callable[[Call], Awaitable[Response]]) -> Callable[[Call], Awaitable[Response]]:
    """The same endpoint, behind a captcha where one is asked for."""

    async def behind(call: Call) -> Response:
        await check(call)
        return await handler(call)

    return behind


async def check(call: Call) -> None:
    """Raise captcha_failed unless the captcha was solved; unexpected_failure when its service can't be asked."""
    wanted = call.settings.captcha
    if wanted is None or call.is_admin:
        return
    token = call.params(GotrueRequest).gotrue_meta_security.captcha_token.strip()
    if not token:
        raise errors.captcha_failed("no captcha_token found")
    import httpx

    form = {"secret": wanted.secret, "response": token, "remoteip": call.ip}
    try:
        answer = await call.service.http.post(URLS[wanted.provider], data=form)
        verdict = answer.json()
    except (httpx.HTTPError, ValueError) as error:
        log.warning("the captcha's service does not answer: %s", error)
        raise errors.unexpected_failure("captcha verification process failed") from error
    if not isinstance(verdict, dict) or verdict.get("success") is not True:
        codes = verdict.get("error-codes") if isinstance(verdict, dict) else None
        raise errors.captcha_failed(", ".join(map(str, codes)) if isinstance(codes, list) else "")
