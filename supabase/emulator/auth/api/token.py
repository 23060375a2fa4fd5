"""POST /token: sessions in exchange for a password, a refresh token, a PKCE code or a provider's id_token."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.responses import answer
from emulator.auth.api.token_oidc import sign_in_with_id_token
from emulator.auth.context import Call
from emulator.auth.crypto import password
from emulator.auth.hooks import v0hooks
from emulator.auth.models import flow_states, sessions, users
from emulator.auth.models.flow_states import FlowState
from emulator.auth.models.users import User
from emulator.auth.security import captcha
from emulator.auth.tokens import service
from emulator.auth.tokens.access_tokens import challenge_matches
from emulator.auth.tokens.grant import grant_payload
from emulator.auth.utilities import addresses


@dataclass(frozen=True)
class PasswordGrantParams:
    """grant_type=password."""

    email: str = ""
    phone: str = ""
    password: str = ""


@dataclass(frozen=True)
class RefreshTokenGrantParams:
    """grant_type=refresh_token."""

    refresh_token: str = ""


@dataclass(frozen=True)
class PKCEGrantParams:
    """grant_type=pkce."""

    auth_code: str = ""
    code_verifier: str = ""


async def token(call: Call) -> Response:
    """Go by grant_type."""
    kind = call.query("grant_type")
    if kind in ("password", "web3"):
        await captcha.check(call)
    if kind == "web3":
        call.limit("web3", call.settings.rates.sso)
        raise errors.web3_provider_disabled()
    call.limit("token", call.settings.rates.token)
    if kind == "password":
        return await _by_password(call)
    if kind == "refresh_token":
        return await service.refresh(call, call.params(RefreshTokenGrantParams).refresh_token)
    if kind == "pkce":
        return await _by_code(call)
    if kind == "id_token":
        return await sign_in_with_id_token(call)
    raise errors.invalid_credentials("unsupported_grant_type")


async def _by_password(call: Call) -> Response:
    params, settings = call.params(PasswordGrantParams), call.settings
    if params.email and params.phone:
        raise errors.validation_failed("Only an email address or phone number should be provided on login.")
    if not params.email and not params.phone:
        raise errors.validation_failed("missing email or phone")
    if params.email and not settings.email_enabled:
        raise errors.email_provider_disabled("Email logins are")
    if params.phone and not settings.phone_enabled:
        raise errors.phone_provider_disabled("Phone logins are disabled")
    account = params.email.lower() or addresses.format_phone(params.phone)
    _refuse_guessing(call, account)
    user = await _find(call, params)
    if user is not None and user.has_password and user.is_banned(call.now):
        raise errors.user_banned(400)
    right = await call.service.hasher.verify(params.password, user.encrypted_password if user else None)
    if user is not None:
        await _heed_hook(call, user, right)
    if user is None or not right:
        _count_guess(call, account)
        raise errors.invalid_credentials()
    if params.email and user.email_confirmed_at is None:
        raise errors.email_not_confirmed()
    if params.phone and user.phone_confirmed_at is None:
        raise errors.phone_not_confirmed()
    async with call.transaction(pipelined=True) as db:
        await audit.record(call, db, user, "login", provider="email" if params.email else "phone")
        grant = await service.sign_in(call, db, user, "password")
    weak = password.find_weakness(params.password, settings.password)
    return answer(grant_payload(grant, weak=weak), headers=service.grant_headers(grant))


async def _find(call: Call, params: PasswordGrantParams) -> User | None:
    """The connection goes back before the password is looked at: hashing is slow."""
    async with call.service.pool.connection() as db:
        if params.email:
            return await users.user_by_email(db, params.email, call.aud)
        return await users.user_by_phone(db, addresses.format_phone(params.phone), call.aud)


async def _heed_hook(call: Call, user: User, right: bool) -> None:
    """The application may refuse an attempt, and end the sessions of the account; raises invalid_credentials."""
    refusal, sign_out = await v0hooks.password_verification_attempt(call, user.id, right)
    if not refusal:
        return
    if sign_out:
        async with call.service.pool.connection() as db:
            await sessions.delete_sessions(db, user.id)
    raise errors.invalid_credentials(refusal)


def _refuse_guessing(call: Call, account: str) -> None:
    """Too many wrong passwords for one account, from wherever (RATE_LIMIT_PASSWORD_FAILURES, ours; off by default)."""
    rate = call.settings.rates.password_failures
    if rate is not None and call.service.limiter("password_failures", rate).exhausted(account, call.now.timestamp()):
        raise errors.over_request_rate_limit()


def _count_guess(call: Call, account: str) -> None:
    rate = call.settings.rates.password_failures
    if rate is not None:
        call.service.limiter("password_failures", rate).allow(account, call.now.timestamp())


async def _by_code(call: Call) -> Response:
    params = call.params(PKCEGrantParams)
    if not params.auth_code or not params.code_verifier:
        raise errors.validation_failed("invalid request: both auth code and code verifier should be non-empty")
    async with call.transaction() as db:
        flow = await flow_states.flow_by_code(db, params.auth_code)
        user = await users.user_by_id(db, flow.user_id) if flow and flow.user_id else None
        if flow is None or user is None:
            raise errors.flow_state_not_found()
        if is_expired(call, flow):
            raise errors.flow_state_expired()
        if not challenge_matches(params.code_verifier, flow.code_challenge or "", flow.code_challenge_method or ""):
            raise errors.bad_code_verifier()
        if user.is_banned(call.now):
            raise errors.user_banned()
        await audit.record(call, db, user, "login", provider_type=flow.provider_type)
        grant = await service.sign_in(call, db, user, flow.authentication_method)
        await flow_states.delete_flow(db, flow.id)
    payload = grant_payload(
        grant,
        provider_token=flow.provider_access_token or "",
        provider_refresh_token=flow.provider_refresh_token or "",
    )
    return answer(payload, headers=service.grant_headers(grant))


def is_expired(call: Call, flow: FlowState) -> bool:
    """Counted from the request, for magic links from the click."""
    since = flow.auth_code_issued_at if flow.authentication_method == "magiclink" else flow.created_at
    age_s = (call.now - (since or flow.created_at)).total_seconds()
    return age_s >= call.settings.flow_state_expiry_s
