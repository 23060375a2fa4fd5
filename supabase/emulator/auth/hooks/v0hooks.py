"""The hooks (GOTRUE_HOOK_<NAME>_ENABLED, _URI, _SECRETS), a function each: what it is sent and what its response does.

Without the hook the function does nothing. Source: Supabase guide "Auth Hooks".
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from emulator.auth import errors
from emulator.auth.context import RequestContext
from emulator.auth.hooks.http import call_url
from emulator.auth.hooks.pgfunc import call_function
from emulator.auth.models.payloads import Json, time_text, user_payload
from emulator.auth.models.sql import Db
from emulator.errors import ApiError
from emulator.jwt import Claims

if TYPE_CHECKING:
    from emulator.auth.models.factors import Factor
    from emulator.auth.models.identities import Identity
    from emulator.auth.models.users import User

_NAMES = {
    "custom_access_token": "customize-access-token", "send_email": "send-email", "send_sms": "send-sms",
    "password_verification_attempt": "password-verification", "mfa_verification_attempt": "mfa-verification",
    "before_user_created": "before-user-created", "after_user_created": "after-user-created",
}  # fmt: skip
REQUIRED_CLAIMS = ("aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous")
NO_MORE_PASSWORDS = "Further password verification attempts will be rejected."
NO_MORE_CODES = "Further MFA verification attempts will be rejected."


def is_enabled(ctx: RequestContext, name: str) -> bool:
    """Whether that hook is configured."""
    return name in ctx.settings.hooks


async def _call(ctx: RequestContext, db: Db | None, name: str, payload: Json) -> Json:
    """The hook's response; raises the error in it. `db` is the transaction that a function joins."""
    metadata = {"uuid": str(uuid4()), "time": time_text(ctx.now), "name": _NAMES[name], "ip_address": ctx.ip}
    hook, payload = ctx.settings.hooks[name], {"metadata": metadata, **payload}
    found = await call_function(ctx, db, hook, payload) if hook.is_function else await call_url(ctx, hook, payload)
    error = found.get("error")
    if isinstance(error, dict) and error.get("message"):
        status = error.get("http_code")
        usable = isinstance(status, int) and 400 <= status <= 599
        raise errors.hook_refused(str(error["message"]), int(status) if usable and status else 500)
    return found


async def custom_access_token(ctx: RequestContext, db: Db, user_id: UUID, claims: Claims, method: str) -> Claims:
    """The claims of a token that is about to be signed."""
    if not is_enabled(ctx, "custom_access_token"):
        return claims
    payload = {"user_id": str(user_id), "claims": claims, "authentication_method": method}
    found = (await _call(ctx, db, "custom_access_token", payload)).get("claims")
    if not isinstance(found, dict):
        raise errors.unexpected_failure("output claims field is missing")
    missing = [f"- (root): {name} is required\n" for name in REQUIRED_CLAIMS if name not in found]
    if missing:
        text = "output claims do not conform to the expected schema: \n"
        raise errors.unexpected_failure(text + "".join(missing))
    return found


async def before_user_created(ctx: RequestContext, db: Db, values: Mapping[str, Any]) -> None:
    """Before an account is created; raises the error that the hook responds with."""
    if not is_enabled(ctx, "before_user_created"):
        return
    now = time_text(values["created_at"])
    user = {
        "id": str(values["id"]), "aud": values["aud"], "role": "", "email": values["email"] or "",
        "phone": values["phone"] or "", "app_metadata": values["raw_app_meta_data"],
        "user_metadata": values["raw_user_meta_data"], "identities": [], "created_at": now, "updated_at": now,
        "is_anonymous": values["is_anonymous"],
    }  # fmt: skip
    await _call(ctx, db, "before_user_created", {"user": user})


def after_user_created(ctx: RequestContext, user: "User") -> None:
    """After an account was created and committed. An error of the hook is the request's, but the account stays."""
    if not is_enabled(ctx, "after_user_created"):
        return

    async def notify() -> None:
        try:
            await _call(ctx, None, "after_user_created", {"user": user_payload(user, [])})
        except ApiError as error:
            raise errors.hook_failed_afterwards() from error

    ctx.effects.append(notify)


async def password_verification_attempt(ctx: RequestContext, user_id: UUID, valid: bool) -> tuple[str, bool]:
    """Why an attempt is rejected, even with the right password ("": it is not); whether to sign the user out."""
    if not is_enabled(ctx, "password_verification_attempt"):
        return "", False
    payload = {"user_id": str(user_id), "valid": valid}
    found = await _call(ctx, None, "password_verification_attempt", payload)
    if found.get("decision") != "reject":
        return "", False
    return str(found.get("message") or NO_MORE_PASSWORDS), found.get("should_logout_user") is True


async def mfa_verification_attempt(ctx: RequestContext, db: Db, factor: "Factor", valid: bool) -> str:
    """Why an attempt at a second factor is rejected, "" when it is not."""
    if not is_enabled(ctx, "mfa_verification_attempt"):
        return ""
    payload = {
        "user_id": str(factor.user_id), "factor_id": str(factor.id), "factor_type": factor.factor_type, "valid": valid,
    }  # fmt: skip
    found = await _call(ctx, db, "mfa_verification_attempt", payload)
    return str(found.get("message") or NO_MORE_CODES) if found.get("decision") == "reject" else ""


async def send_email(
    ctx: RequestContext, db: Db, user: "User", identities: list["Identity"], email_data: Mapping[str, str]
) -> None:
    """Have the hook send a mail."""
    data = {
        "token": "", "token_hash": "", "redirect_to": "", "email_action_type": "",
        "site_url": ctx.settings.api_external_url,
        "token_new": "", "token_hash_new": "", "old_email": "", "old_phone": "", "provider": "", "factor_type": "",
        **email_data,
    }  # fmt: skip
    await _call(ctx, db, "send_email", {"user": user_payload(user, identities), "email_data": data})


async def send_sms(
    ctx: RequestContext, db: Db, user: "User", identities: list["Identity"], phone: str, otp: str, kind: str = ""
) -> None:
    """Have the hook send a text message. `kind` is named for second factors alone."""
    sms = {"otp": otp, "phone": phone, **({"sms_type": kind} if kind else {})}
    await _call(ctx, db, "send_sms", {"user": user_payload(user, identities), "sms": sms})
