"""The claims of an access token."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from emulator.auth.conf.jwt import JwtSettings
from emulator.auth.models.amr_claims import AmrClaim
from emulator.auth.models.identities import Identity
from emulator.auth.models.sessions import Session
from emulator.auth.models.users import User
from emulator.jwt import Claims

SAML_METHOD = "sso/saml"
SSO_PREFIX = "sso:"  # before the id of a SAML provider, where others have their name
AAL2_METHODS = ("totp", "mfa/phone", "mfa/webauthn")


def make_claims(
    user: User, session: Session, amr: Sequence[AmrClaim], settings: JwtSettings, now: datetime, exp_s: int,
    sso_provider: str = "",
) -> Claims:  # fmt: skip
    """The claims of a user's token, issued now."""
    issued = int(now.timestamp())
    claims: Claims = {"iss": settings.issuer} if settings.issuer else {}
    return claims | {
        "sub": str(user.id),
        "aud": user.aud or "",
        "exp": issued + exp_s,
        "iat": issued,
        "email": user.email or "",
        "phone": user.phone or "",
        "app_metadata": user.raw_app_meta_data or {},
        "user_metadata": user.raw_user_meta_data or {},
        "role": user.role or "",
        "aal": authenticator_assurance_level(amr),
        "amr": [
            _amr_entry(claim, sso_provider) for claim in sorted(amr, key=lambda claim: claim.updated_at, reverse=True)
        ],
        "session_id": str(session.id),
        "is_anonymous": user.is_anonymous,
        **({"client_id": str(session.oauth_client_id)} if session.oauth_client_id else {}),
        **({"scope": session.scopes} if session.scopes else {}),
    }


def _amr_entry(claim: AmrClaim, sso_provider: str) -> dict[str, Any]:
    entry = {"method": claim.authentication_method, "timestamp": int(claim.updated_at.timestamp())}
    named = sso_provider and claim.authentication_method == SAML_METHOD
    return entry | ({"provider": sso_provider} if named else {})


def sso_provider_of(identities: Sequence[Identity]) -> str:
    """The id of the SAML provider whose person this is, "" for all others. Such a user has one identity."""
    only = identities[0].provider if len(identities) == 1 else ""
    return only.removeprefix(SSO_PREFIX) if only.startswith(SSO_PREFIX) else ""


def authenticator_assurance_level(amr: Sequence[AmrClaim]) -> str:
    """aal2 as soon as one method was a second factor."""
    return "aal2" if any(claim.authentication_method in AAL2_METHODS for claim in amr) else "aal1"
