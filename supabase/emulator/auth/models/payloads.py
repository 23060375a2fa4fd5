"""Rows as the JSON objects of the wire: User, Identity, Factor, the session of a token answer. Pure.

Key order is GoTrue's. Absent values are left out or empty exactly where its structs say so.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from emulator.auth.errors import WeakPassword
from emulator.auth.models.rows import AuditEntry, Factor, Identity, Passkey, Session, User

Json = dict[str, Any]


def time_text(moment: datetime) -> str:
    """RFC 3339 in UTC, the fraction trimmed as Go trims it."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    text = aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")
    return f"{text}Z"


def _optional(**values: object) -> Json:
    """Only what is set; times as text."""
    return {name: time_text(value) if isinstance(value, datetime) else value for name, value in values.items() if value}


def user_payload(
    user: User, identities: Sequence[Identity] | None, factors: Sequence[Factor] = (), *, id_text: str | None = None
) -> Json:
    """A User. `identities` None: not loaded (the admin list)."""
    return {
        "id": id_text or str(user.id),
        "aud": user.aud or "",
        "role": user.role or "",
        "email": user.email or "",
        **_optional(email_confirmed_at=user.email_confirmed_at, invited_at=user.invited_at),
        "phone": user.phone or "",
        **_optional(
            phone_confirmed_at=user.phone_confirmed_at,
            confirmation_sent_at=user.confirmation_sent_at,
            confirmed_at=user.confirmed_at,
            recovery_sent_at=user.recovery_sent_at,
            new_email=user.email_change,
            email_change_sent_at=user.email_change_sent_at,
            new_phone=user.phone_change,
            phone_change_sent_at=user.phone_change_sent_at,
            reauthentication_sent_at=user.reauthentication_sent_at,
            last_sign_in_at=user.last_sign_in_at,
        ),
        "app_metadata": user.raw_app_meta_data,
        "user_metadata": user.raw_user_meta_data,
        **({"factors": [factor_payload(factor) for factor in factors]} if factors else {}),
        "identities": None if identities is None else [identity_payload(identity) for identity in identities],
        "created_at": time_text(user.created_at),
        "updated_at": time_text(user.updated_at),
        **_optional(banned_until=user.banned_until, deleted_at=user.deleted_at),
        "is_anonymous": user.is_anonymous,
    }


def identity_payload(identity: Identity) -> Json:
    """An Identity; `id` is the provider's name for the person."""
    return {
        "identity_id": str(identity.id),
        "id": identity.provider_id,
        "user_id": str(identity.user_id),
        "identity_data": identity.identity_data,
        "provider": identity.provider,
        **_optional(last_sign_in_at=identity.last_sign_in_at),
        "created_at": time_text(identity.created_at),
        "updated_at": time_text(identity.updated_at),
        **_optional(email=identity.email),
    }


def factor_payload(factor: Factor) -> Json:
    """A Factor, never with its secret."""
    challenged = factor.last_challenged_at
    return {
        "id": str(factor.id),
        "created_at": time_text(factor.created_at),
        "updated_at": time_text(factor.updated_at),
        "status": factor.status,
        **_optional(friendly_name=factor.friendly_name),
        "factor_type": factor.factor_type,
        "phone": factor.phone or "",
        "last_challenged_at": time_text(challenged) if challenged else None,
        **_optional(
            web_authn_aaguid=str(factor.web_authn_aaguid) if factor.web_authn_aaguid else None,
            last_webauthn_challenge_data=factor.last_webauthn_challenge_data,
        ),
    }


def passkey_payload(passkey: Passkey) -> Json:
    """A passkey in a list."""
    return {
        "id": str(passkey.id),
        **_optional(friendly_name=passkey.friendly_name),
        "created_at": time_text(passkey.created_at),
        **_optional(last_used_at=passkey.last_used_at),
    }


def audit_payload(entry: AuditEntry) -> Json:
    """An audit row."""
    return {
        "id": str(entry.id),
        "payload": entry.payload,
        "created_at": time_text(entry.created_at) if entry.created_at else None,
        "ip_address": entry.ip_address,
    }


@dataclass(frozen=True)
class Grant:
    """What a successful sign-in hands out."""

    user: User
    identities: Sequence[Identity]
    factors: Sequence[Factor]
    session: Session
    access_token: str
    refresh_token: str
    expires_in: int
    expires_at: int


def grant_payload(
    grant: Grant, *, weak: WeakPassword | None = None, provider_token: str = "", provider_refresh_token: str = ""
) -> Json:
    """An AccessTokenResponse."""
    return {
        "access_token": grant.access_token,
        "token_type": "bearer",
        "expires_in": grant.expires_in,
        "expires_at": grant.expires_at,
        "refresh_token": grant.refresh_token,
        "user": user_payload(grant.user, grant.identities, grant.factors),
        **_optional(provider_token=provider_token, provider_refresh_token=provider_refresh_token),
        **({"weak_password": {"message": weak.message, "reasons": list(weak.reasons)}} if weak else {}),
    }
