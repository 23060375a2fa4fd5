"""CAPTCHA: where one is required, a request needs the token that hCaptcha or Turnstile gave to its page.

SECURITY_CAPTCHA_ENABLED, _PROVIDER (hcaptcha, turnstile), _SECRET. Admins pass without.
Source: https://docs.hcaptcha.com/#verify-the-user-response-server-side,
https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.context import RequestContext

log = logging.getLogger("emulator.auth")
URLS = {
    "hcaptcha": "https://hcaptcha.com/siteverify",
    "turnstile": "https://challenges.cloudflare.com/turnstile/v0/siteverify",
}


@dataclass(frozen=True)
class Security:
    """What client libraries send with every form."""

    captcha_token: str = ""


@dataclass(frozen=True)
class GotrueRequest:
    """The one part of a body that is read here."""

    gotrue_meta_security: Security = field(default_factory=Security)


def require_captcha(
    handler: Callable[[RequestContext], Awaitable[Response]],
) -> Callable[[RequestContext], Awaitable[Response]]:
    """The same endpoint, behind a CAPTCHA where one is configured."""

    async def verified(ctx: RequestContext) -> Response:
        await verify_captcha(ctx)
        return await handler(ctx)

    return verified


async def verify_captcha(ctx: RequestContext) -> None:
    """Raise captcha_failed unless it was solved; unexpected_failure when the provider can't be reached."""
    captcha = ctx.settings.captcha
    if not captcha.enabled or ctx.is_admin:
        return
    token = ctx.params(GotrueRequest).gotrue_meta_security.captcha_token.strip()
    if not token:
        raise errors.captcha_failed("no captcha_token found")
    import httpx

    form = {"secret": captcha.secret, "response": token, "remoteip": ctx.ip}
    try:
        response = await ctx.service.http.post(URLS[captcha.provider], data=form)
        result = response.json()
    except (httpx.HTTPError, ValueError) as error:
        log.warning("the CAPTCHA provider does not answer: %s", error)
        raise errors.unexpected_failure("captcha verification process failed") from error
    if not isinstance(result, dict) or result.get("success") is not True:
        codes = result.get("error-codes") if isinstance(result, dict) else None
        raise errors.captcha_failed(", ".join(map(str, codes)) if isinstance(codes, list) else "")
