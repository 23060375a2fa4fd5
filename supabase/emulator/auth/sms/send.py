"""Send a code by the provider that is configured, or have Twilio Verify check one. I/O."""

from emulator.auth.conf.sms import TwilioVerifySettings
from emulator.auth.context import RequestContext
from emulator.auth.mailer.gotemplate import render
from emulator.auth.sms.providers import FormRequest, Message, SmsError, check_approved, check_sent, checking, sending

TIMEOUT_S = 10.0  # GoTrue's
MAX_ANSWER_BYTES = 64 * 1024


async def send_code(ctx: RequestContext, phone: str, code: str, channel: str, template: str) -> None:
    """Send a code in the words of the template. Raises SmsError."""
    provider = ctx.settings.sms.chosen
    if provider is None:
        raise SmsError("no SMS provider is configured")
    message = Message(phone, render(template, {"Code": code}, escapes=False), channel, code)
    check_sent(provider, *await _post(ctx, sending(provider, message)))


def provider_checks(ctx: RequestContext) -> bool:
    """Whether codes are made and checked by the provider (Twilio Verify) in the place of this service."""
    return isinstance(ctx.settings.sms.chosen, TwilioVerifySettings)


async def is_approved(ctx: RequestContext, phone: str, code: str) -> bool:
    """Whether such a provider knows the code as its last one for that number."""
    provider = ctx.settings.sms.chosen
    assert isinstance(provider, TwilioVerifySettings), "ask provider_checks first"
    try:
        check_approved(*await _post(ctx, checking(provider, phone, code)))
    except SmsError:
        return False
    return True


async def _post(ctx: RequestContext, request: FormRequest) -> tuple[int, bytes]:
    """Status and body of the answer. Raises SmsError."""
    import httpx

    http = ctx.service.http
    built = http.build_request("POST", request.url, data=request.form, headers=request.headers, timeout=TIMEOUT_S)
    auth = httpx.BasicAuth(*request.account) if request.account else None
    try:
        response = await http.send(built, auth=auth, stream=True)
        try:
            body = b""
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > MAX_ANSWER_BYTES:
                    raise SmsError("the response is too long")
        finally:
            await response.aclose()
    except httpx.HTTPError as error:
        raise SmsError(f'Post "{built.url}": {type(error).__name__}') from error
    return response.status_code, body
