"""/factors: enrolling a second factor, being asked for it, answering, leaving it."""

import base64
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.mail import SMS_LIMIT, check_frequency, test_otp
from emulator.auth.api import mfa_webauthn
from emulator.auth.api.auth import Caller, path_uuid, refuse_anonymous, require_user
from emulator.auth.api.responses import answer
from emulator.auth.context import Call
from emulator.auth.crypto.otp import hash_otp, matches
from emulator.auth.hooks import v0hooks
from emulator.auth.models import amr_claims, challenges, factors, refresh_tokens, sessions
from emulator.auth.models.challenges import Challenge
from emulator.auth.models.factors import Factor
from emulator.auth.models.sql import Db
from emulator.auth.tokens import service
from emulator.auth.tokens.grant import Grant
from emulator.auth.utilities import addresses
from emulator.errors import ApiError

KIND_NAMES = {"totp": "TOTP", "phone": "Phone", "webauthn": "WebAuthn"}
AMR = {"totp": "totp", "phone": "mfa/phone", "webauthn": "mfa/webauthn"}
TOTP_PERIOD_S, TOTP_WINDOW = 30, 1


@dataclass(frozen=True)
class EnrollFactorParams:
    """The body of POST /factors."""

    friendly_name: str = ""
    factor_type: str = ""
    issuer: str = ""
    phone: str = ""


@dataclass(frozen=True)
class ChallengeFactorParams:
    """The body of a challenge; empty for totp."""

    channel: str = ""
    webauthn: dict[str, Any] | None = None


@dataclass(frozen=True)
class VerifyFactorParams:
    """The body of an answer."""

    challenge_id: str = ""
    code: str = ""
    webauthn: dict[str, Any] | None = None


async def enroll(call: Call) -> Response:
    """A new, still unverified factor."""
    async with call.transaction() as db:
        caller = await require_user(call, db, lock=True)
        refuse_anonymous(caller)
        params = call.params(EnrollFactorParams)
        if params.factor_type not in KIND_NAMES:
            raise errors.validation_failed("factor_type needs to be totp, phone, or webauthn")
        require_enabled(call, params.factor_type, "enroll")
        phone = _phone(params)
        await _allow_enrolment(call, db, caller, params, phone)
        factor_id, now = uuid4(), call.now
        secret = base64.b32encode(secrets.token_bytes(20)).decode() if params.factor_type == "totp" else ""
        await factors.insert_factor(
            db,
            {
                "id": factor_id, "user_id": caller.user.id, "friendly_name": params.friendly_name,
                "factor_type": params.factor_type, "status": "unverified", "created_at": now, "updated_at": now,
                "secret": secret, "phone": phone or None,
            },
        )  # fmt: skip
        await audit.record(
            call, db, caller.user, "factor_in_progress",
            ip=call.ip, factor_id=str(factor_id), factor_type=params.factor_type,
        )  # fmt: skip
    payload: dict[str, Any] = {"id": str(factor_id), "type": params.factor_type}
    payload |= {"friendly_name": params.friendly_name} if params.friendly_name else {}
    payload |= {"phone": params.phone} if phone else {}
    if params.factor_type == "totp":
        payload["totp"] = _totp_payload(call, params.issuer, caller.user.email or "", secret)
    return answer(payload)


def require_enabled(call: Call, kind: str, step: str) -> None:
    """Raise mfa_<kind>_<step>_not_enabled. `step`: enroll or verify."""
    prefix = "web_authn" if kind == "webauthn" else kind
    if not getattr(call.settings.mfa, f"{prefix}_{step}"):
        raise errors.mfa_disabled(KIND_NAMES[kind], step)


def _phone(params: EnrollFactorParams) -> str:
    if params.factor_type != "phone":
        return ""
    if not params.phone:
        raise errors.validation_failed("Phone number required to enroll Phone factor")
    return addresses.validate_phone(params.phone)


async def _allow_enrolment(call: Call, db: Db, caller: Caller, params: EnrollFactorParams, phone: str) -> None:
    mfa = call.settings.mfa
    if params.factor_type == "totp" and not caller.user.email:
        raise errors.unexpected_failure("Error generating QR Code")
    await factors.delete_stale_factors(db, caller.user.id, call.now - timedelta(seconds=mfa.factor_expiry_s))
    enrolled = await factors.factors_of(db, caller.user.id)
    for factor in enrolled:
        if phone and factor.phone == phone:
            if factor.is_verified:
                raise errors.mfa_verified_factor_exists()
            await factors.delete_factor(db, factor.id)
        elif (factor.friendly_name or "") == params.friendly_name:
            raise errors.mfa_factor_name_conflict(params.friendly_name)
    verified = [factor for factor in enrolled if factor.is_verified]
    if len(enrolled) >= mfa.max_enrolled or len(verified) >= mfa.max_verified:
        raise errors.too_many_enrolled_mfa_factors()
    if verified and caller.aal == "aal1":
        raise errors.insufficient_aal("AAL2 required to enroll a new factor", 403)


def _totp_payload(call: Call, issuer: str, email: str, secret: str) -> dict[str, str]:
    import segno  # with pyotp only needed by those who enrol

    named = issuer or urlsplit(call.settings.site_url).netloc
    uri = (
        f"otpauth://totp/{quote(named, safe='')}:{quote(email, safe='@')}?algorithm=SHA1&digits=6"
        f"&issuer={quote(named, safe='')}&period={TOTP_PERIOD_S}&secret={secret}"
    )
    svg = segno.make(uri, error="m", micro=False).svg_inline(scale=4, border=4, dark="black", light="white")
    # auth-js puts the SVG into a data URL as it is: a "#" would end it
    return {"qr_code": str(svg).replace("#000", "black").replace("#fff", "white"), "secret": secret, "uri": uri}


async def _load(call: Call, db: Db) -> tuple[Caller, Factor]:
    caller = await require_user(call, db)
    refuse_anonymous(caller)
    factor = await factors.factor_of(db, caller.user.id, path_uuid(call, "factor_id", "factor_id must be an UUID"))
    if factor is None:
        raise errors.mfa_factor_not_found()
    return caller, factor


async def challenge(call: Call) -> Response:
    """Ask for a factor; the answer is due within five minutes."""
    call.limit("mfa_challenge", call.settings.rates.mfa)
    async with call.transaction() as db:
        caller, factor = await _load(call, db)
        require_enabled(call, factor.factor_type, "verify")
        now, challenge_id = call.now, uuid4()
        values: dict[str, Any] = {
            "id": challenge_id, "factor_id": factor.id, "created_at": now, "ip_address": call.ip, "otp_code": "",
        }  # fmt: skip
        extra: dict[str, Any] = {}
        if factor.factor_type == "phone":
            values["otp_code"] = _send_code(call, factor)
        elif factor.factor_type == "webauthn":
            params = call.params(ChallengeFactorParams) if call.body.strip() else ChallengeFactorParams()
            values["web_authn_session_data"], options = mfa_webauthn.begin(
                call, caller.user, factor, params.webauthn or {}
            )
            extra = {"webauthn": options}
        await challenges.insert_challenge(db, values)
        await factors.update_factor(db, factor, now, last_challenged_at=now)
        await audit.record(
            call,
            db,
            caller.user,
            "challenge_created",
            ip=call.ip,
            factor_id=str(factor.id),
            factor_status=factor.status,
        )
    expires_at = int(now.timestamp() + call.settings.mfa.challenge_expiry_s)
    return answer({"id": str(challenge_id), "type": factor.factor_type, "expires_at": expires_at, **extra})


def _send_code(call: Call, factor: Factor) -> str:
    """Text a code to the factor's number; the hash is what is kept."""
    check_frequency(factor.last_challenged_at, call.now, call.settings.sms.max_frequency_s, SMS_LIMIT)
    phone = factor.phone or ""
    otp = test_otp(call, phone)
    if otp is None:
        raise errors.sms_send_failed("confirmation", "no SMS provider is configured")
    return hash_otp(phone, otp)


async def verify(call: Call) -> Response:
    """Answer a challenge: the factor counts from now on, and this session is aal2."""
    call.limit("mfa_verify", call.settings.rates.mfa)
    async with call.transaction() as db:
        caller, factor = await _load(call, db)
        params = call.params(VerifyFactorParams)
        require_enabled(call, factor.factor_type, "verify")
        if factor.factor_type != "webauthn" and not params.code:
            raise errors.validation_failed("Code needs to be non-empty")
        question = await _open_challenge(call, db, factor, params)
        given = await _answered(call, db, caller, factor, question, params) if question is not None else None
    if isinstance(given, ApiError):
        raise given
    if given is None:
        raise errors.mfa_challenge_expired(params.challenge_id)
    return service.grant_answer(given)


async def _answered(
    call: Call, db: Db, caller: Caller, factor: Factor, question: Challenge, params: VerifyFactorParams
) -> Grant | ApiError:
    """The raised session. A refusal that is returned, not raised, shall be committed: it ends every session."""
    wrong: ApiError | None = None
    try:
        await _check_answer(call, db, caller, factor, question, params)
    except ApiError as error:
        wrong = error
    refusal = await v0hooks.mfa_verification_attempt(call, db, factor, wrong is None)
    if refusal:
        await sessions.delete_sessions(db, caller.user.id)
        return errors.mfa_verification_rejected(refusal)
    if wrong is not None:
        raise wrong
    return await _raise_session(call, db, caller, factor, question)


async def _open_challenge(call: Call, db: Db, factor: Factor, params: VerifyFactorParams) -> Challenge | None:
    """The challenge that is being answered; None when it came too late (and is deleted)."""
    found = await mfa_webauthn.find_challenge(db, params.challenge_id, factor.id)
    if found is None:
        raise errors.mfa_factor_not_found("MFA factor with the provided challenge ID not found", 422)
    if found.verified_at is not None or found.ip_address != call.ip:
        raise errors.mfa_ip_address_mismatch()
    if (call.now - found.created_at).total_seconds() >= call.settings.mfa.challenge_expiry_s:
        await challenges.delete_challenge(db, found.id)
        return None
    return found


async def _check_answer(
    call: Call, db: Db, caller: Caller, factor: Factor, question: Challenge, params: VerifyFactorParams
) -> None:
    if factor.factor_type == "totp":
        import pyotp

        totp = pyotp.TOTP(factor.secret or "", interval=TOTP_PERIOD_S)
        if not params.code.isascii() or not totp.verify(params.code, for_time=call.now, valid_window=TOTP_WINDOW):
            raise errors.mfa_verification_failed()
    elif factor.factor_type == "phone":
        if not matches(question.otp_code, factor.phone or "", params.code):
            raise errors.mfa_verification_failed("Invalid MFA Phone code entered")
    else:
        await mfa_webauthn.finish(call, db, factor, question, params.webauthn or {})
    await audit.record(
        call, db, caller.user, "verification_attempted",
        ip=call.ip, factor_id=str(factor.id), challenge_id=str(question.id), factor_type=factor.factor_type,
    )  # fmt: skip


async def _raise_session(call: Call, db: Db, caller: Caller, factor: Factor, question: Challenge) -> Grant:
    session, user, now = caller.session, caller.user, call.now
    if session is None:
        raise errors.session_gone()
    await challenges.verify_challenge(db, question.id, now)
    await factors.update_factor(db, factor, now, status="verified")
    await amr_claims.add_amr(db, session.id, AMR[factor.factor_type], now)
    session = await sessions.update_session(db, session, now, aal="aal2", factor_id=factor.id)
    active = await refresh_tokens.active_refresh_token(db, session.id)
    token = await service.rotate(call, db, user, session, active.token if active else "")
    if active is not None:
        await refresh_tokens.revoke_refresh_token(db, active.id, now)
    await sessions.delete_sessions(db, user.id, besides=session.id, only_aal="aal1")
    await factors.delete_unverified_factors(db, user.id, factor.factor_type)
    return await service.grant(call, db, user, session, token, AMR[factor.factor_type])


async def unenroll(call: Call) -> Response:
    """Give a factor up; sessions that it raised fall back."""
    async with call.transaction() as db:
        caller, factor = await _load(call, db)
        if factor.is_verified and caller.aal != "aal2":
            raise errors.insufficient_aal("AAL2 required to unenroll verified factor", 422)
        await sessions.release_factor(db, factor.id, tuple(AMR.values()), call.now)
        await factors.delete_factor(db, factor.id)
        await audit.record(
            call, db, caller.user, "factor_unenrolled",
            ip=call.ip, factor_id=str(factor.id), factor_status=factor.status,
        )  # fmt: skip
    return answer({"id": str(factor.id)})
