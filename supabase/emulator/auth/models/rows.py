"""Rows of the auth schema as frozen values; the attribute names are the column names. Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

NIL_UUID = UUID(int=0)


@dataclass(frozen=True)
class User:
    """auth.users. Token columns are '' when empty, email and phone NULL."""

    id: UUID
    aud: str | None
    role: str | None
    email: str | None
    encrypted_password: str | None
    email_confirmed_at: datetime | None
    invited_at: datetime | None
    confirmation_token: str | None
    confirmation_sent_at: datetime | None
    recovery_token: str | None
    recovery_sent_at: datetime | None
    email_change_token_new: str | None
    email_change: str | None
    email_change_sent_at: datetime | None
    last_sign_in_at: datetime | None
    raw_app_meta_data: dict[str, Any] | None
    raw_user_meta_data: dict[str, Any] | None
    created_at: datetime
    updated_at: datetime
    phone: str | None
    phone_confirmed_at: datetime | None
    phone_change: str | None
    phone_change_token: str | None
    phone_change_sent_at: datetime | None
    confirmed_at: datetime | None
    email_change_token_current: str | None
    email_change_confirm_status: int | None
    banned_until: datetime | None
    reauthentication_token: str | None
    reauthentication_sent_at: datetime | None
    is_sso_user: bool
    deleted_at: datetime | None
    is_anonymous: bool

    def is_banned(self, now: datetime) -> bool:
        """Whether the account is locked now."""
        return self.banned_until is not None and self.banned_until > now

    @property
    def has_password(self) -> bool:
        """Whether a password was ever set."""
        return bool(self.encrypted_password)


@dataclass(frozen=True)
class Identity:
    """auth.identities."""

    id: UUID
    provider_id: str
    user_id: UUID
    identity_data: dict[str, Any]
    provider: str
    last_sign_in_at: datetime | None
    created_at: datetime
    updated_at: datetime
    email: str | None


@dataclass(frozen=True)
class Session:
    """auth.sessions. refreshed_at has no zone: it is UTC."""

    id: UUID
    user_id: UUID
    created_at: datetime
    updated_at: datetime
    factor_id: UUID | None
    aal: str | None
    not_after: datetime | None
    refreshed_at: datetime | None
    user_agent: str | None
    ip: str | None
    tag: str | None


@dataclass(frozen=True)
class RefreshToken:
    """auth.refresh_tokens."""

    id: int
    token: str
    user_id: str
    revoked: bool
    created_at: datetime
    updated_at: datetime
    parent: str | None
    session_id: UUID | None


@dataclass(frozen=True)
class AmrClaim:
    """auth.mfa_amr_claims: one way in which a session was authenticated."""

    authentication_method: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True)
class FlowState:
    """auth.flow_state: a PKCE or OAuth flow under way."""

    id: UUID
    user_id: UUID | None
    auth_code: str | None
    code_challenge_method: str | None
    code_challenge: str | None
    provider_type: str
    provider_access_token: str | None
    provider_refresh_token: str | None
    created_at: datetime
    updated_at: datetime
    authentication_method: str
    auth_code_issued_at: datetime | None
    invite_token: str | None
    referrer: str | None
    oauth_client_state_id: UUID | None
    linking_target_id: UUID | None


@dataclass(frozen=True)
class Factor:
    """auth.mfa_factors."""

    id: UUID
    user_id: UUID
    friendly_name: str | None
    factor_type: str
    status: str
    created_at: datetime
    updated_at: datetime
    secret: str | None
    phone: str | None
    last_challenged_at: datetime | None
    web_authn_credential: dict[str, Any] | None
    web_authn_aaguid: UUID | None
    last_webauthn_challenge_data: dict[str, Any] | None

    @property
    def is_verified(self) -> bool:
        """Whether it counts as a second factor."""
        return self.status == "verified"


@dataclass(frozen=True)
class Challenge:
    """auth.mfa_challenges."""

    id: UUID
    factor_id: UUID
    created_at: datetime
    verified_at: datetime | None
    ip_address: str
    otp_code: str | None
    web_authn_session_data: dict[str, Any] | None


@dataclass(frozen=True)
class Passkey:
    """auth.webauthn_credentials."""

    id: UUID
    user_id: UUID
    credential_id: bytes
    public_key: bytes
    aaguid: UUID | None
    sign_count: int
    transports: list[str]
    backed_up: bool
    friendly_name: str
    created_at: datetime
    updated_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True)
class PasskeyChallenge:
    """auth.webauthn_challenges."""

    id: UUID
    user_id: UUID | None
    challenge_type: str
    session_data: dict[str, Any]
    expires_at: datetime


@dataclass(frozen=True)
class OAuthClient:
    """auth.oauth_clients; lists are kept comma separated, as the real service does."""

    id: UUID
    client_secret_hash: str | None
    registration_type: str
    redirect_uris: str
    grant_types: str
    client_name: str | None
    client_uri: str | None
    logo_uri: str | None
    created_at: datetime
    updated_at: datetime
    client_type: str
    token_endpoint_auth_method: str


@dataclass(frozen=True)
class AuditEntry:
    """auth.audit_log_entries."""

    id: UUID
    payload: dict[str, Any] | None
    created_at: datetime | None
    ip_address: str
