"""Rows as the JSON objects of responses: User, Identity, Factor, Passkey, audit log entry.

Key order is GoTrue's. Absent values are left out or empty exactly as in its structs.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from emulator.auth.models.audit_log_entries import AuditLogEntry
from emulator.auth.models.factors import Factor
from emulator.auth.models.identities import Identity
from emulator.auth.models.users import User
from emulator.auth.models.webauthn_credentials import WebAuthnCredential

Json = dict[str, Any]


def time_text(moment: datetime) -> str:
    """RFC 3339 in UTC, the fraction trimmed as Go trims it."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    text = aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f").rstrip("0").rstrip(".")
    return f"{text}Z"


def without_empty(**values: object) -> Json:
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
        **without_empty(email_confirmed_at=user.email_confirmed_at, invited_at=user.invited_at),
        "phone": user.phone or "",
        **without_empty(
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
        **without_empty(banned_until=user.banned_until, deleted_at=user.deleted_at),
        "is_anonymous": user.is_anonymous,
    }


def as_changed(user: User, before: User | None = None) -> User:
    """A user whom this request changed or made, as GoTrue shows it: generated columns are not read again."""
    return replace(user, confirmed_at=before.confirmed_at if before else None)


def identity_payload(identity: Identity) -> Json:
    """An Identity; `id` is the person's id at the provider."""
    return {
        "identity_id": str(identity.id),
        "id": identity.provider_id,
        "user_id": str(identity.user_id),
        **without_empty(identity_data=identity.identity_data),
        "provider": identity.provider,
        **without_empty(last_sign_in_at=identity.last_sign_in_at),
        "created_at": time_text(identity.created_at),
        "updated_at": time_text(identity.updated_at),
        **without_empty(email=identity.email),
    }


def factor_payload(factor: Factor) -> Json:
    """A Factor, never with its secret."""
    challenged = factor.last_challenged_at
    return {
        "id": str(factor.id),
        "created_at": time_text(factor.created_at),
        "updated_at": time_text(factor.updated_at),
        "status": factor.status,
        **without_empty(friendly_name=factor.friendly_name),
        "factor_type": factor.factor_type,
        "phone": factor.phone or "",
        "last_challenged_at": time_text(challenged) if challenged else None,
        **without_empty(
            web_authn_aaguid=str(factor.web_authn_aaguid) if factor.web_authn_aaguid else None,
            last_webauthn_challenge_data=factor.last_webauthn_challenge_data,
        ),
    }


def passkey_payload(passkey: WebAuthnCredential) -> Json:
    """A passkey in a list."""
    return {
        "id": str(passkey.id),
        **without_empty(friendly_name=passkey.friendly_name),
        "created_at": time_text(passkey.created_at),
        **without_empty(last_used_at=passkey.last_used_at),
    }


def audit_payload(entry: AuditLogEntry) -> Json:
    """An entry of the audit log."""
    return {
        "id": str(entry.id),
        "payload": entry.payload,
        "created_at": time_text(entry.created_at) if entry.created_at else None,
        "ip_address": entry.ip_address,
    }
