"""What a valid one-time token does: confirm an address or a number, change one, or let its user in."""

from emulator.auth import audit
from emulator.auth.accounts.changes import apply_email, apply_phone
from emulator.auth.accounts.confirmation import confirm_email, confirm_phone, mark_identities_verified
from emulator.auth.accounts.creation import hash_random_password
from emulator.auth.accounts.identities import find_identity, update_app_metadata_providers
from emulator.auth.accounts.mail import notify
from emulator.auth.accounts.token_lookup import ValidToken
from emulator.auth.accounts.unproven import apply_pending, is_unproven, overwrite
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import PKCE_PREFIX
from emulator.auth.models import one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


async def use_token(ctx: RequestContext, db: Db, kind: str, token: ValidToken) -> User | None:
    """The user as changed; None when a change of address still needs the confirmation of the other address."""
    user, column = token.user, token.column
    if column.startswith("email_change"):
        return await _confirm_email_change(ctx, db, user, column)
    if column == "phone_change_token":
        await audit.record(ctx, db, user, "user_modified")
        had_identity = await find_identity(db, user, "phone") is not None
        changed = await apply_phone(ctx, db, user, user.phone_change or "")
        if user.phone and changed.phone and user.phone != changed.phone:
            notify(ctx, changed, "phone_changed", OldPhone=user.phone, Phone=changed.phone)
        if not had_identity:
            notify(ctx, changed, "identity_linked", Provider="phone")
        return changed
    if kind == "sms":
        user = await apply_pending(ctx, db, user)
        await audit.record(ctx, db, user, "user_signedup", provider="phone")
        return await confirm_phone(ctx, db, user)
    if column == "confirmation_token":
        return await _confirm_signup(ctx, db, user)
    user = await users.update_user(db, user, ctx.now, recovery_token="")
    await one_time_tokens.delete_tokens(db, user.id)
    if user.email_confirmed_at is None:
        # A recovery by PKCE goes on in the browser that asked for it, which asks for a new password: as with GoTrue.
        asks_for_password = kind == "recovery" and (token.user.recovery_token or "").startswith(PKCE_PREFIX)
        if is_unproven(user) and not asks_for_password:
            user = await overwrite(ctx, db, user, await hash_random_password(ctx), {})
        await audit.record(ctx, db, user, "user_signedup", provider="email")
        user = await confirm_email(ctx, db, user)
    else:
        await audit.record(ctx, db, user, "login")
    return await update_app_metadata_providers(ctx, db, user)


async def _confirm_signup(ctx: RequestContext, db: Db, user: User) -> User:
    user = await apply_pending(ctx, db, user)
    invited = user.invited_at is not None and not user.has_password
    changes = {"encrypted_password": await hash_random_password(ctx)} if invited else {}
    await audit.record(ctx, db, user, "user_signedup", provider="email")
    user = await confirm_email(ctx, db, user, **changes)
    await mark_identities_verified(ctx, db, user)
    return await update_app_metadata_providers(ctx, db, user)


async def _confirm_email_change(ctx: RequestContext, db: Db, user: User, column: str) -> User | None:
    mailer = ctx.settings.mailer
    both_must_confirm = mailer.secure_email_change and not mailer.autoconfirm and bool(user.email)
    if both_must_confirm and not user.email_change_confirm_status:
        await users.update_user(db, user, ctx.now, email_change_confirm_status=1, **{column: ""})
        await one_time_tokens.delete_tokens(db, user.id, column)
        return None
    await audit.record(ctx, db, user, "user_modified")
    changed = await apply_email(ctx, db, user, (user.email_change or "").lower())
    if user.email and changed.email and user.email != changed.email:
        notify(ctx, changed, "email_changed", to=user.email, OldEmail=user.email)
    return changed
