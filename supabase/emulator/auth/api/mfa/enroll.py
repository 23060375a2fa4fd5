"""POST /factors: enroll a second factor."""

import asyncio
import base64
import secrets
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import quote, urlsplit
from uuid import uuid4

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.auth import SignedInUser, require_not_anonymous, require_user
from emulator.auth.api.mfa.factors import KIND_NAMES, TOTP_PERIOD_S, require_enabled
from emulator.auth.api.responses import json_response
from emulator.auth.context import RequestContext
from emulator.auth.crypto import qr_code
from emulator.auth.models import factors
from emulator.auth.models.sql import Db
from emulator.auth.utilities import addresses

_drawing = ThreadPoolExecutor(1, "qr-code")  # one after another: each takes the interpreter for some 50 ms


@dataclass(frozen=True)
class EnrollFactorParams:
    """The body."""

    friendly_name: str = ""
    factor_type: str = ""
    issuer: str = ""
    phone: str = ""


async def enroll(ctx: RequestContext) -> Response:
    """Insert an unverified factor."""
    async with ctx.transaction() as db:
        caller = await require_user(ctx, db, lock=True)
        require_not_anonymous(caller)
        params = ctx.params(EnrollFactorParams)
        if params.factor_type not in KIND_NAMES:
            raise errors.validation_failed("factor_type needs to be totp, phone, or webauthn")
        require_enabled(ctx, params.factor_type, "enroll")
        phone = _checked_phone(params)
        await _check_enrollment(ctx, db, caller, params, phone)
        factor_id, now = uuid4(), ctx.now
        is_totp = params.factor_type == "totp"
        secret = base64.b32encode(secrets.token_bytes(20)).decode() if is_totp else ""
        uri = _totp_uri(ctx, params.issuer, caller.user.email or "", secret) if is_totp else ""
        await factors.insert_factor(
            db,
            {
                "id": factor_id, "user_id": caller.user.id, "friendly_name": params.friendly_name,
                "factor_type": params.factor_type, "status": "unverified", "created_at": now, "updated_at": now,
                "secret": secret, "phone": phone or None,
            },
        )  # fmt: skip
        await audit.record(
            ctx, db, caller.user, "factor_in_progress",
            ip=ctx.ip, factor_id=str(factor_id), factor_type=params.factor_type,
        )  # fmt: skip
    payload: dict[str, Any] = {"id": str(factor_id), "type": params.factor_type}
    payload |= {"friendly_name": params.friendly_name} if params.friendly_name else {}
    payload |= {"phone": params.phone} if phone else {}
    if is_totp:
        # auth-js puts the SVG into a data URL as it is; it has no "#", which would end one.
        svg = await asyncio.get_running_loop().run_in_executor(_drawing, qr_code.svg, uri)
        payload["totp"] = {"qr_code": svg, "secret": secret, "uri": uri}
    return json_response(payload)


def _checked_phone(params: EnrollFactorParams) -> str:
    if params.factor_type != "phone":
        return ""
    if not params.phone:
        raise errors.validation_failed("Phone number required to enroll Phone factor")
    return addresses.validate_phone(params.phone)


async def _check_enrollment(
    ctx: RequestContext, db: Db, caller: SignedInUser, params: EnrollFactorParams, phone: str
) -> None:
    """Raise unless one more factor may be enrolled; deletes what was never verified and is in its way."""
    mfa = ctx.settings.mfa
    if params.factor_type == "totp" and not caller.user.email:
        raise errors.unexpected_failure("Error generating QR Code")
    await factors.delete_stale_factors(db, caller.user.id, ctx.now - timedelta(seconds=mfa.factor_expiry_s))
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


def _totp_uri(ctx: RequestContext, issuer: str, email: str, secret: str) -> str:
    issuer = issuer or urlsplit(ctx.settings.site_url).netloc
    uri = (
        f"otpauth://totp/{quote(issuer, safe='')}:{quote(email, safe='@')}?algorithm=SHA1&digits=6"
        f"&issuer={quote(issuer, safe='')}&period={TOTP_PERIOD_S}&secret={secret}"
    )
    if len(uri) > qr_code.MAX_BYTES:
        raise errors.validation_failed("issuer is too long for a QR code")
    return uri
