"""The catalog of errors: GoTrue's codes, statuses and messages, a constructor each.

`api/responses.py` turns them into responses, in either version of the API.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

from emulator.errors import ApiError

UNEXPECTED = "Unexpected failure, please check server logs for more information"


@dataclass(eq=False)
class OAuthError(ApiError):
    """An error in OAuth's own form: `code` is `error`, `message` is `error_description`; always 400."""


@dataclass(eq=False)
class WeakPassword(ApiError):
    """A password that is too weak, and why (length, characters, pwned)."""

    reasons: tuple[str, ...] = ()


# --- requests -----------------------------------------------------------------------------------------------------


def bad_json(detail: str, prefix: str = "Could not parse request body as JSON") -> ApiError:
    return ApiError(400, "bad_json", f"{prefix}: {detail}")


def validation_failed(message: str, status: int = 400) -> ApiError:
    return ApiError(status, "validation_failed", message)


def request_entity_too_large(limit: int) -> ApiError:
    return ApiError(413, "request_entity_too_large", f"Request body too large (max {limit} bytes)")


def request_timeout() -> ApiError:
    return ApiError(504, "request_timeout", "Processing this request timed out, please retry after a moment.")


def unexpected_failure(message: str = UNEXPECTED, status: int = 500) -> ApiError:
    return ApiError(status, "unexpected_failure", message)


def database_unavailable() -> ApiError:
    return unexpected_failure("Database is unavailable, please retry after a moment", 503)


def captcha_failed(reason: str) -> ApiError:
    return ApiError(400, "captcha_failed", f"captcha protection: request disallowed ({reason})")


def hook_refused(message: str, status: int) -> ApiError:
    """With the hook's own message; GoTrue has no code for it."""
    return ApiError(status, "", message)


def hook_failed_afterwards() -> ApiError:
    return unexpected_failure("Error invoking hook")


def hook_failed(uri: str) -> ApiError:
    return unexpected_failure(f"Error running hook URI: {uri}")


def hook_timeout(limit_s: float) -> ApiError:
    return ApiError(422, "hook_timeout", f"Failed to reach hook within maximum time of {limit_s:f} seconds")


def hook_timeout_after_retry() -> ApiError:
    return ApiError(422, "hook_timeout_after_retry", "Failed to reach hook after maximum retries")


def hook_payload_too_big(limit: int) -> ApiError:
    return ApiError(422, "hook_payload_over_size_limit", f"Payload size exceeded size limit of {limit} bytes")


def hook_payload_not_json(message: str) -> ApiError:
    return ApiError(400, "hook_payload_invalid_content_type", message)


def mfa_verification_rejected(message: str) -> ApiError:
    return ApiError(403, "mfa_verification_rejected", message)


def feature_disabled(feature: str, *, are: bool = False) -> ApiError:
    return ApiError(404, "feature_disabled", f"{feature} {'are' if are else 'is'} disabled")


def over_request_rate_limit() -> ApiError:
    return ApiError(429, "over_request_rate_limit", "Request rate limit reached")


def over_email_send_rate_limit() -> ApiError:
    return ApiError(429, "over_email_send_rate_limit", "email rate limit exceeded")


def over_sms_send_rate_limit() -> ApiError:
    return ApiError(429, "over_sms_send_rate_limit", "SMS rate limit exceeded")


def too_soon(code: str, wait_s: float) -> ApiError:
    """`code` is over_email_send_rate_limit or over_sms_send_rate_limit. Seconds are truncated, as by GoTrue."""
    return ApiError(
        429, code, f"For security purposes, you can only request this after {floor(max(0.0, wait_s))} seconds."
    )


# --- authentication of requests ---------------------------------------------------------------------------------------


def no_authorization(message: str = "This endpoint requires a valid Bearer token", status: int = 401) -> ApiError:
    return ApiError(status, "no_authorization", message)


def anonymous_not_allowed() -> ApiError:
    return no_authorization("Anonymous user not allowed to perform these actions", 403)


def application_not_allowed() -> ApiError:
    return no_authorization("OAuth client not allowed to perform these actions", 403)


def bad_jwt(detail: str) -> ApiError:
    return ApiError(403, "bad_jwt", f"invalid JWT: unable to parse or verify signature, {detail}")


def bad_claim(detail: str, status: int = 403) -> ApiError:
    return ApiError(status, "bad_jwt", f"invalid claim: {detail}")


def not_admin(message: str = "User not allowed") -> ApiError:
    return ApiError(403, "not_admin", message)


def token_user_not_found() -> ApiError:
    return ApiError(403, "user_not_found", "User from sub claim in JWT does not exist")


def token_session_not_found() -> ApiError:
    return ApiError(403, "session_not_found", "Session from session_id claim in JWT does not exist")


def session_not_valid() -> ApiError:
    return ApiError(403, "session_expired", "Session is no longer valid")


def user_banned(status: int = 403, message: str = "User is banned") -> ApiError:
    return ApiError(status, "user_banned", message)


def unexpected_audience(message: str = "Token audience doesn't match request audience") -> ApiError:
    return ApiError(403, "unexpected_audience", message)


# --- sign-up, sign-in ---------------------------------------------------------------------------------------------


def signup_disabled() -> ApiError:
    return ApiError(422, "signup_disabled", "Signups not allowed for this instance")


def user_already_exists() -> ApiError:
    return ApiError(422, "user_already_exists", "User already registered")


def email_exists() -> ApiError:
    return ApiError(422, "email_exists", "A user with this email address has already been registered")


def phone_exists(message: str = "A user with this phone number has already been registered") -> ApiError:
    return ApiError(422, "phone_exists", message)


def email_provider_disabled(what: str, status: int = 422) -> ApiError:
    """`what`: "Email signups are", "Email logins are" or "Login with magic link is"."""
    return ApiError(status, "email_provider_disabled", f"{what} disabled")


def phone_provider_disabled(message: str, status: int = 422) -> ApiError:
    return ApiError(status, "phone_provider_disabled", message)


def anonymous_provider_disabled() -> ApiError:
    return ApiError(422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled")


def web3_provider_disabled(chain: str = "") -> ApiError:
    named = f"{chain} Web3" if chain else "Web3"
    return ApiError(422, "web3_provider_disabled", f"{named} provider is disabled")


def web3_unsupported_chain() -> ApiError:
    return ApiError(400, "web3_unsupported_chain", "Unsupported chain")


def sso_provider_not_found(text: str = "SSO Identity Provider not found") -> ApiError:
    return ApiError(404, "sso_provider_not_found", text)


def sso_provider_disabled(text: str = "SSO Provider assigned for this domain is currently disabled") -> ApiError:
    return ApiError(404, "sso_provider_disabled", text)


def sso_domain_already_exists(text: str) -> ApiError:
    return ApiError(400, "sso_domain_already_exists", text)


def sso_conflict() -> ApiError:
    return ApiError(422, "conflict", "Updating SSO provider failed, likely due to a conflict. Try again?")


def saml_provider_disabled() -> ApiError:
    return ApiError(404, "saml_provider_disabled", "SAML 2.0 is disabled")


def saml_idp_not_found() -> ApiError:
    text = "A SAML connection has not been established with this Identity Provider"
    return ApiError(404, "saml_idp_not_found", text)


def saml_idp_already_exists(entity_id: str) -> ApiError:
    text = f"SAML Identity Provider with this EntityID ({entity_id}) already exists"
    return ApiError(422, "saml_idp_already_exists", text)


def saml_entity_id_mismatch(expected: str, got: str) -> ApiError:
    text = "SAML Metadata can be updated only if the EntityID matches for the provider"
    return ApiError(400, "saml_entity_id_mismatch", f"{text}; expected '{expected}' but got '{got}'")


def saml_metadata_fetch_failed(why: str, url: str) -> ApiError:
    return ApiError(400, "saml_metadata_fetch_failed", f"{why} error fetching SAML Metadata from URL '{url}'")


def saml_relay_state_not_found() -> ApiError:
    return ApiError(404, "saml_relay_state_not_found", "SAML RelayState does not exist, try logging in again?")


def saml_relay_state_expired() -> ApiError:
    return ApiError(422, "saml_relay_state_expired", "SAML RelayState has expired. Try logging in again?")


def saml_assertion_no_user_id() -> ApiError:
    text = (
        "SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely"
        " identifying this user"
    )
    return ApiError(400, "saml_assertion_no_user_id", text)


def saml_assertion_no_email() -> ApiError:
    return ApiError(400, "saml_assertion_no_email", "SAML Assertion does not contain an email address")


def passkey_disabled() -> ApiError:
    return ApiError(404, "passkey_disabled", "Passkeys are disabled")


def provider_disabled(issuer: str) -> ApiError:
    return ApiError(400, "provider_disabled", f'Provider (issuer "{issuer}") is not enabled')


def otp_disabled() -> ApiError:
    return ApiError(422, "otp_disabled", "Signups not allowed for otp")


def email_address_not_authorized(address: str) -> ApiError:
    text = f'Email address "{address}" cannot be used as it is not authorized'
    return ApiError(400, "email_address_not_authorized", text)


def sms_send_failed(kind: str, detail: str) -> ApiError:
    """`kind`: confirmation, phone_change or reauthentication."""
    return ApiError(422, "sms_send_failed", f"Error sending {kind} OTP to provider: {detail}")


def invalid_credentials(message: str = "Invalid login credentials") -> ApiError:
    return ApiError(400, "invalid_credentials", message)


def email_not_confirmed(status: int = 400, message: str = "Email not confirmed") -> ApiError:
    return ApiError(status, "email_not_confirmed", message)


def phone_not_confirmed(status: int = 400, message: str = "Phone not confirmed") -> ApiError:
    return ApiError(status, "phone_not_confirmed", message)


def leak_check_failed() -> ApiError:
    return unexpected_failure("Unable to perform password strength check with HaveIBeenPwned.org.")


def weak_password(message: str, reasons: Sequence[str]) -> WeakPassword:
    return WeakPassword(422, "weak_password", message, reasons=tuple(reasons))


# --- refresh tokens -----------------------------------------------------------------------------------------------


def refresh_token_not_found() -> ApiError:
    return ApiError(400, "refresh_token_not_found", "Invalid Refresh Token: Refresh Token Not Found")


def refresh_token_already_used() -> ApiError:
    return ApiError(400, "refresh_token_already_used", "Invalid Refresh Token: Already Used")


def refresh_session_not_found() -> ApiError:
    return ApiError(400, "session_not_found", "Invalid Refresh Token: No Valid Session Found")


def session_expired(why: str = "") -> ApiError:
    """`why`: "", "Inactivity", "Low AAL: User Needs MFA Verification" or "Revoked by Newer Login"."""
    return ApiError(400, "session_expired", "Invalid Refresh Token: Session Expired" + (f" ({why})" if why else ""))


def refresh_conflict() -> ApiError:
    text = "Too many concurrent token refresh requests on the same session or refresh token"
    return ApiError(409, "conflict", text)


# --- one-time tokens, flows ---------------------------------------------------------------------------------------


def otp_expired(by_link: bool = False) -> ApiError:
    text = "Email link is invalid or has expired" if by_link else "Token has expired or is invalid"
    return ApiError(403, "otp_expired", text)


def bad_code_verifier() -> ApiError:
    return ApiError(400, "bad_code_verifier", "code challenge does not match previously saved code verifier")


def flow_state_not_found(message: str = "invalid flow state, no valid flow state found") -> ApiError:
    return ApiError(404, "flow_state_not_found", message)


def flow_state_expired() -> ApiError:
    return ApiError(422, "flow_state_expired", "invalid flow state, flow state has expired")


def flow_state_already_used() -> ApiError:
    return ApiError(400, "flow_state_already_used", "State has already been used")


def bad_oauth_state(message: str) -> ApiError:
    return ApiError(400, "bad_oauth_state", message)


def bad_oauth_callback(message: str) -> ApiError:
    return ApiError(400, "bad_oauth_callback", message)


def provider_email_needs_verification(provider: str, sent: bool) -> ApiError:
    where = (
        f"A confirmation email has been sent to your {provider} email"
        if sent
        else f"Verify the email with {provider} in order to sign in"
    )
    text = f"Unverified email with {provider}. {where}"
    return ApiError(422, "provider_email_needs_verification", text)


def oauth_invalid_request(description: str) -> OAuthError:
    return OAuthError(400, "invalid request", description)


def oauth_invalid_nonce(description: str = "Nonces mismatch") -> OAuthError:
    return OAuthError(400, "invalid nonce", description)


# --- users --------------------------------------------------------------------------------------------------------


def user_not_found(message: str = "User not found") -> ApiError:
    return ApiError(404, "user_not_found", message)


def same_password() -> ApiError:
    return ApiError(422, "same_password", "New password should be different from the old password.")


def user_sso_managed() -> ApiError:
    text = "Updating email, phone, password of a SSO account only possible via SSO"
    return ApiError(422, "user_sso_managed", text)


def reauthentication_needed() -> ApiError:
    return ApiError(400, "reauthentication_needed", "Password update requires reauthentication")


def reauthentication_not_valid() -> ApiError:
    return ApiError(422, "reauthentication_not_valid", "Nonce has expired or is invalid")


def current_password_required(given: bool) -> ApiError:
    code = "current_password_invalid" if given else "current_password_required"
    return ApiError(400, code, "Current password required when setting new password.")


def manual_linking_disabled() -> ApiError:
    return ApiError(404, "manual_linking_disabled", "Manual linking is disabled")


def identity_already_exists(other_user: bool) -> ApiError:
    text = "Identity is already linked" + (" to another user" if other_user else "")
    return ApiError(422, "identity_already_exists", text)


def identity_not_found() -> ApiError:
    return ApiError(422, "identity_not_found", "Identity doesn't exist")


def single_identity_not_deletable() -> ApiError:
    return ApiError(422, "single_identity_not_deletable", "User must have at least 1 identity after unlinking")


def email_conflict_identity_not_deletable() -> ApiError:
    text = "Unable to unlink identity due to email conflict"
    return ApiError(422, "email_conflict_identity_not_deletable", text)


# --- factors, passkeys --------------------------------------------------------------------------------------------


def insufficient_aal(message: str, status: int) -> ApiError:
    return ApiError(status, "insufficient_aal", message)


def mfa_disabled(kind: str, step: str) -> ApiError:
    """`kind`: TOTP, Phone or WebAuthn; `step`: enroll or verify."""
    text = f"MFA {'enroll' if step == 'enroll' else 'verification'} is disabled for {kind}"
    code_kind = {"TOTP": "totp", "Phone": "phone", "WebAuthn": "webauthn"}[kind]
    return ApiError(422, f"mfa_{code_kind}_{step}_not_enabled", text)


def mfa_factor_name_conflict(name: str) -> ApiError:
    text = f'A factor with the friendly name "{name}" for this user already exists'
    return ApiError(422, "mfa_factor_name_conflict", text)


def mfa_factor_not_found(message: str = "Factor not found", status: int = 404) -> ApiError:
    return ApiError(status, "mfa_factor_not_found", message)


def mfa_challenge_expired(challenge: object) -> ApiError:
    text = f"MFA challenge {challenge} has expired, verify against another challenge or create a new challenge."
    return ApiError(422, "mfa_challenge_expired", text)


def mfa_ip_address_mismatch() -> ApiError:
    return ApiError(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.")


def mfa_verification_failed(message: str = "Invalid TOTP code entered") -> ApiError:
    return ApiError(422, "mfa_verification_failed", message)


def mfa_verified_factor_exists() -> ApiError:
    text = "A verified phone factor already exists, unenroll the existing factor to continue"
    return ApiError(422, "mfa_verified_factor_exists", text)


def too_many_enrolled_mfa_factors() -> ApiError:
    text = "Maximum number of verified factors reached, unenroll to continue"
    return ApiError(422, "too_many_enrolled_mfa_factors", text)


def webauthn_challenge_not_found() -> ApiError:
    return ApiError(400, "webauthn_challenge_not_found", "Challenge not found or already used")


def webauthn_challenge_expired() -> ApiError:
    return ApiError(400, "webauthn_challenge_expired", "Challenge has expired")


def webauthn_verification_failed(message: str = "Credential verification failed") -> ApiError:
    return ApiError(400, "webauthn_verification_failed", message)


def too_many_passkeys() -> ApiError:
    return ApiError(422, "too_many_passkeys", "Maximum number of passkeys reached")


def webauthn_credential_exists() -> ApiError:
    return ApiError(422, "webauthn_credential_exists", "This credential is already registered")


# --- OAuth clients ------------------------------------------------------------------------------------------------


def oauth_client_not_found(message: str = "OAuth client not found", status: int = 404) -> ApiError:
    return ApiError(status, "oauth_client_not_found", message)


def custom_provider_not_found() -> ApiError:
    return ApiError(404, "custom_provider_not_found", "Custom OAuth provider not found")


def custom_provider_disabled(identifier: str) -> ApiError:
    return ApiError(400, "provider_disabled", f'Custom provider "{identifier}" is disabled')


def custom_provider_exists() -> ApiError:
    return ApiError(400, "conflict", "A custom OAuth provider with this identifier already exists")


def over_custom_provider_quota() -> ApiError:
    text = "Maximum number of custom OAuth/OIDC providers reached"
    return ApiError(400, "over_custom_provider_quota", text)


def oauth_authorization_not_found() -> ApiError:
    return ApiError(404, "oauth_authorization_not_found", "authorization not found")


def oauth_consent_not_found() -> ApiError:
    return ApiError(404, "oauth_consent_not_found", "No active grant found for this client")


def dynamic_registration_disabled() -> ApiError:
    text = "Dynamic client registration is not enabled"
    return ApiError(403, "oauth_dynamic_client_registration_disabled", text)
