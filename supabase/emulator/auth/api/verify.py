"""GET and POST /verify: a one-time token comes back. Which user it is for, whether it is still good, what it proves."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.changes import apply_email, apply_phone
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone, mark_identity_verified
from emulator.auth.accounts.creation import hash_random_password
from emulator.auth.accounts.identities import update_app_metadata_providers
from emulator.auth.api.responses import error_url, grant_response, json_response, redirect
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import PKCE_PREFIX, matches
from emulator.auth.models import flow_states, one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities import addresses
from emulator.auth.utilities.redirects import with_fragment, with_query
from emulator.errors import ApiError

MAIL_TYPES = ("signup", "invite", "recovery", "magiclink", "email_change", "email")
PHONE_TYPES = ("sms", "phone_change")
HALF_WAY = "Confirmation link accepted. Please proceed to confirm link sent to the other email"
_KINDS_OF_TYPE = {
    "signup": ("confirmation_token",),
    "invite": ("confirmation_token",),
    "recovery": ("recovery_token",),
    "magiclink": ("recovery_token",),
    "email": ("confirmation_token", "recovery_token"),
    "email_change": ("email_change_token_new", "email_change_token_current"),
}
_FLOW_METHODS = {"signup": "email/signup"}


@dataclass(frozen=True)
class VerifyParams:
    """The body of POST."""

    type: str = ""
    token: str = ""
    token_hash: str = ""
    email: str = ""
    phone: str = ""
    redirect_to: str = ""


@dataclass(frozen=True)
class Proof:
    """A good token: whose, and in which slot it was."""

    user: User
    column: str


async def verify_get(ctx: RequestContext) -> Response:
    """The link of a mail: always a redirect, unless it is no link of ours at all."""
    ctx.check_rate_limit(ctx.rate_limits.verify)
    kind, token_hash = ctx.query("type"), ctx.query("token") or ctx.query("token_hash")
    if not kind:
        raise errors.validation_failed("Verify requires a verification type")
    if not token_hash:
        raise errors.validation_failed("Verify requires a token or a token hash")
    target, is_pkce = ctx.redirect_to(), token_hash.startswith(PKCE_PREFIX)
    try:
        return await _follow_link(ctx, kind, token_hash, target, is_pkce)
    except ApiError as error:
        return redirect(error_url(target, error, in_query=is_pkce))


async def _follow_link(ctx: RequestContext, kind: str, token_hash: str, target: str, is_pkce: bool) -> Response:
    async with ctx.transaction() as db:
        proof = await _by_hash(ctx, db, kind, token_hash, for_link=True)
        user = await _prove(ctx, db, kind, proof)
        if user is None:
            message = {"message": HALF_WAY}
            return redirect(with_fragment(with_query(target, message if is_pkce else {}), message))
        if is_pkce:
            return redirect(with_query(target, {"code": await _issue_code(ctx, db, user, kind)}))
        await audit.record(ctx, db, user, "login")
        grant = await issue_session(ctx, db, user, "otp")
    items = {
        "access_token": grant.access_token, "expires_at": str(grant.expires_at), "expires_in": str(grant.expires_in),
        "refresh_token": grant.refresh_token, "token_type": "bearer", "type": kind,
    }  # fmt: skip
    return redirect(with_fragment(target, items))


async def _issue_code(ctx: RequestContext, db: Db, user: User, kind: str) -> str:
    flow = await flow_states.latest_flow(db, user.id, _FLOW_METHODS.get(kind, kind))
    if flow is None or not flow.auth_code:
        raise errors.flow_state_not_found(
            "No associated flow state found. The flow state may have been already used or expired."
        )
    await flow_states.update_flow(db, flow, ctx.now, auth_code_issued_at=ctx.now)
    return flow.auth_code


async def verify_post(ctx: RequestContext) -> Response:
    """A typed code, or the hash from a page of the application's own."""
    ctx.check_rate_limit(ctx.rate_limits.verify)
    params = ctx.params(VerifyParams)
    _check(params)
    async with ctx.transaction() as db:
        if params.token_hash:
            proof = await _by_hash(ctx, db, params.type, params.token_hash, for_link=False)
        else:
            proof = await _by_code(ctx, db, params)
        user = await _prove(ctx, db, params.type, proof)
        if user is None:
            return json_response({"msg": HALF_WAY, "code": "200"})
        await audit.record(ctx, db, user, "login")
        grant = await issue_session(ctx, db, user, "otp")
    return grant_response(grant)


def _check(params: VerifyParams) -> None:
    if not params.type:
        raise errors.validation_failed("Verify requires a verification type")
    if bool(params.token) == bool(params.token_hash):
        raise errors.validation_failed("Verify requires either a token or a token hash")
    if params.token_hash:
        if params.email or params.phone or params.redirect_to:
            raise errors.validation_failed("Only the token_hash and type should be provided")
        return
    if bool(params.email) == bool(params.phone):
        raise errors.validation_failed("Only an email address or phone number should be provided on verify")
    if params.email and params.type in PHONE_TYPES or params.phone and params.type in MAIL_TYPES:
        raise errors.validation_failed("Only an email address or phone number should be provided on verify")
    if params.type not in MAIL_TYPES + PHONE_TYPES:
        raise errors.validation_failed("Unsupported verification type")


async def _by_hash(ctx: RequestContext, db: Db, kind: str, token_hash: str, *, for_link: bool) -> Proof:
    kinds = _KINDS_OF_TYPE.get(kind)
    if kinds is None or (for_link and kind == "email"):
        raise errors.validation_failed("Invalid email verification type")
    found = await users.user_by_token(db, token_hash, kinds, ctx.aud)
    if found is None:
        raise errors.otp_expired(by_link=True)
    user, column = found
    if user.is_banned(ctx.now):
        raise errors.user_banned()
    if _is_expired(ctx, user, column, by_phone=False):
        raise errors.otp_expired(by_link=True)
    return Proof(user, column)


async def _by_code(ctx: RequestContext, db: Db, params: VerifyParams) -> Proof:
    user, address = await _addressee(ctx, db, params)
    if user is None:
        raise errors.otp_expired()
    user = await users.lock_user(db, user.id) or user
    if user.is_banned(ctx.now):
        raise errors.user_banned()
    column = next((name for name in _columns(user, params.type, address) if _fits(user, name, address, params)), None)
    if column is None or _is_expired(ctx, user, column, by_phone=bool(params.phone)):
        raise errors.otp_expired()
    return Proof(user, column)


async def _addressee(ctx: RequestContext, db: Db, params: VerifyParams) -> tuple[User | None, str]:
    if params.phone:
        phone = addresses.validate_phone(params.phone)
        if params.type == "phone_change":
            return await users.user_by_phone_change(db, phone, ctx.aud), phone
        return await users.user_by_phone(db, phone, ctx.aud), phone
    try:
        email = addresses.validate_email(params.email)
    except ApiError:
        raise errors.validation_failed("Invalid email format", 422) from None
    if params.type == "email_change":
        return await users.user_by_email_change(db, email, ctx.aud), email
    return await users.user_by_email(db, email, ctx.aud), email


def _columns(user: User, kind: str, address: str) -> tuple[str, ...]:
    """Where a code of that type may be; a change of address has one slot for each address."""
    if kind == "sms":
        return ("confirmation_token",)
    if kind == "phone_change":
        return ("phone_change_token",)
    if kind == "email_change":
        is_new = address == (user.email_change or "").lower()
        return ("email_change_token_new",) if is_new else ("email_change_token_current",)
    return _KINDS_OF_TYPE[kind]


def _fits(user: User, column: str, address: str, params: VerifyParams) -> bool:
    return matches(getattr(user, column), address, params.token)


def _is_expired(ctx: RequestContext, user: User, column: str, *, by_phone: bool) -> bool:
    sent_column = "email_change_sent_at" if column.startswith("email_change") else column.replace("_token", "_sent_at")
    sent = getattr(user, sent_column)
    lifetime_s = ctx.settings.sms.otp_exp_s if by_phone else ctx.settings.mailer.otp_exp_s
    return sent is None or (ctx.now - sent).total_seconds() >= lifetime_s


async def _prove(ctx: RequestContext, db: Db, kind: str, proof: Proof) -> User | None:
    """What the token changes; None when the other address has yet to agree."""
    user, column = proof.user, proof.column
    if column.startswith("email_change"):
        return await _prove_email_change(ctx, db, user, column)
    if column == "phone_change_token":
        return await apply_phone(ctx, db, user, user.phone_change or "")
    if kind == "sms":
        return await confirm_phone(ctx, db, user)
    if column == "confirmation_token":
        return await _prove_signup(ctx, db, user)
    user = await users.update_user(db, user, ctx.now, recovery_token="")
    await one_time_tokens.delete_tokens(db, user.id)
    if user.email_confirmed_at is None:
        user = await confirm_email(ctx, db, user)
        await audit.record(ctx, db, user, "user_signedup")
    return await update_app_metadata_providers(ctx, db, user)


async def _prove_signup(ctx: RequestContext, db: Db, user: User) -> User:
    invited = user.invited_at is not None and not user.has_password
    changes = {"encrypted_password": await hash_random_password(ctx)} if invited else {}
    await audit.record(ctx, db, user, "invite_accepted" if user.invited_at else "user_signedup")
    user = await confirm_email(ctx, db, user, **changes)
    await one_time_tokens.delete_tokens(db, user.id)
    await mark_identity_verified(ctx, db, user, "email")
    return await update_app_metadata_providers(ctx, db, user)


async def _prove_email_change(ctx: RequestContext, db: Db, user: User, column: str) -> User | None:
    mailer = ctx.settings.mailer
    both = mailer.secure_email_change and not mailer.autoconfirm and bool(user.email)
    if both and not user.email_change_confirm_status:
        await users.update_user(db, user, ctx.now, email_change_confirm_status=1, **{column: ""})
        await one_time_tokens.delete_tokens(db, user.id, column)
        return None
    await audit.record(ctx, db, user, "user_modified")
    return await apply_email(ctx, db, user, (user.email_change or "").lower())
