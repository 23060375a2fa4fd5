"""Hooks: an application has its say while accounts are made, passwords judged, tokens written, mails and texts sent.

GOTRUE_HOOK_<NAME>_ENABLED, _URI, _SECRETS. Each function is one hook: what it is told, what its answer does. Without
the hook it does nothing. Source: Supabase guide "Auth Hooks".
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

from emulator.auth import errors
from emulator.auth.context import Call, run_in_background
from emulator.auth.hooks.transport import ask
from emulator.auth.models.payloads import time_text, user_payload
from emulator.auth.models.sql import Db
from emulator.jwt import Claims

if TYPE_CHECKING:
    from emulator.auth.models.factors import Factor
    from emulator.auth.models.identities import Identity
    from emulator.auth.models.users import User

Json = dict[str, Any]
_NAMES = {
    "custom_access_token": "customize-access-token", "send_email": "send-email", "send_sms": "send-sms",
    "password_verification_attempt": "password-verification", "mfa_verification_attempt": "mfa-verification",
    "before_user_created": "before-user-created", "after_user_created": "after-user-created",
}  # fmt: skip
REQUIRED_CLAIMS = ("aud", "exp", "iat", "sub", "email", "phone", "role", "aal", "session_id", "is_anonymous")
NO_MORE_PASSWORDS = "Further password verification attempts will be rejected."
NO_MORE_CODES = "Further MFA verification attempts will be rejected."


def is_on(call: Call, name: str) -> bool:
    """Whether the operator set that hook."""
    return name in call.settings.hooks


async def _run(call: Call, db: Db | None, name: str, payload: Json) -> Json:
    """Ask; raises what the hook's own error says."""
    about = {"uuid": str(uuid4()), "time": time_text(call.now), "name": _NAMES[name], "ip_address": call.ip}
    found = await ask(call, db, call.settings.hooks[name], {"metadata": about, **payload})
    error = found.get("error")
    if isinstance(error, dict) and error.get("message"):
        status = error.get("http_code")
        usable = isinstance(status, int) and 400 <= status <= 599
        raise errors.hook_refused(str(error["message"]), int(status) if usable and status else 500)
    return found


async def customise_claims(call: Call, db: Db, user_id: UUID, claims: Claims, method: str) -> Claims:
    """custom_access_token: the claims of a token that is about to be signed."""
    if not is_on(call, "custom_access_token"):
        return claims
    told = {"user_id": str(user_id), "claims": claims, "authentication_method": method}
    found = (await _run(call, db, "custom_access_token", told)).get("claims")
    if not isinstance(found, dict):
        raise errors.unexpected_failure("output claims field is missing")
    missing = [f"- (root): {name} is required\n" for name in REQUIRED_CLAIMS if name not in found]
    if missing:
        text = "output claims do not conform to the expected schema: \n"
        raise errors.unexpected_failure(text + "".join(missing))
    return found


async def before_user_created(call: Call, db: Db, values: Mapping[str, Any]) -> None:
    """An account is about to be made; raises the hook's refusal."""
    if not is_on(call, "before_user_created"):
        return
    now = time_text(values["created_at"])
    user = {
        "id": str(values["id"]), "aud": values["aud"], "role": values["role"] or "", "email": values["email"] or "",
        "phone": values["phone"] or "", "app_metadata": values["raw_app_meta_data"],
        "user_metadata": values["raw_user_meta_data"], "identities": [], "created_at": now, "updated_at": now,
        "is_anonymous": values["is_anonymous"],
    }  # fmt: skip
    await _run(call, db, "before_user_created", {"user": user})


def after_user_created(call: Call, user: "User") -> None:
    """An account was made: told when it is committed, whatever the answer."""
    if not is_on(call, "after_user_created"):
        return

    async def tell() -> None:
        await _run(call, None, "after_user_created", {"user": user_payload(user, [])})

    call.effects.append(lambda: run_in_background(call.service, tell))


async def password_verification_attempt(call: Call, user_id: UUID, valid: bool) -> tuple[str, bool]:
    """Why an attempt is refused, be its password right or wrong, "" when it is not; and whether to sign out."""
    if not is_on(call, "password_verification_attempt"):
        return "", False
    told = {"user_id": str(user_id), "valid": valid}
    found = await _run(call, None, "password_verification_attempt", told)
    if found.get("decision") != "reject":
        return "", False
    return str(found.get("message") or NO_MORE_PASSWORDS), found.get("should_logout_user") is True


async def mfa_verification_attempt(call: Call, db: Db, factor: "Factor", valid: bool) -> str:
    """Why an attempt at a second factor is refused, "" when it is not."""
    if not is_on(call, "mfa_verification_attempt"):
        return ""
    told = {
        "user_id": str(factor.user_id), "factor_id": str(factor.id), "factor_type": factor.factor_type, "valid": valid,
    }  # fmt: skip
    found = await _run(call, db, "mfa_verification_attempt", told)
    return str(found.get("message") or NO_MORE_CODES) if found.get("decision") == "reject" else ""


async def send_email(
    call: Call, db: Db, user: "User", identities: list["Identity"], email_data: Mapping[str, str]
) -> None:
    """A mail that the hook sends in our place."""
    data = {
        "token": "", "token_hash": "", "redirect_to": "", "email_action_type": "", "site_url": call.settings.site_url,
        "token_new": "", "token_hash_new": "", "old_email": "", "old_phone": "", "provider": "", "factor_type": "",
        **email_data,
    }  # fmt: skip
    await _run(call, db, "send_email", {"user": user_payload(user, identities), "email_data": data})


async def send_sms(
    call: Call, db: Db, user: "User", identities: list["Identity"], phone: str, otp: str, kind: str
) -> None:
    """A text message that the hook sends; without it only test numbers can be reached."""
    sms = {"otp": otp, "phone": phone, "sms_type": kind}
    await _run(call, db, "send_sms", {"user": user_payload(user, identities), "sms": sms})
