"""The mails of a change of address: to the new one, and to the present one too where both must agree."""

from dataclasses import replace
from typing import Any

from emulator.auth.accounts.mail import send_by_hook, send_mail
from emulator.auth.accounts.mail_tokens import EMAIL_CHANGE, OneTimeToken, insert_mail_flow, make_token
from emulator.auth.accounts.pkce import Pkce
from emulator.auth.context import RequestContext
from emulator.auth.hooks import v0hooks
from emulator.auth.models import one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.ratelimit.frequency import EMAIL_LIMIT, check_frequency


async def send_email_change(ctx: RequestContext, db: Db, user: User, new_email: str, pkce: Pkce) -> User:
    """Store a token for each address that has to confirm the change, and mail them."""
    check_frequency(user.email_change_sent_at, ctx.now, ctx.settings.smtp.max_frequency_s, EMAIL_LIMIT)
    await insert_mail_flow(ctx, db, user, EMAIL_CHANGE, pkce)
    for_new = make_token(ctx, new_email, pkce)
    changes: dict[str, Any] = {
        "email_change": new_email, "email_change_sent_at": ctx.now, "email_change_confirm_status": 0,
        "email_change_token_new": for_new.token_hash, "email_change_token_current": "",
    }  # fmt: skip
    await one_time_tokens.put_token(db, user.id, "email_change_token_new", for_new.token_hash, new_email, ctx.now)
    for_current: OneTimeToken | None = None
    if ctx.settings.mailer.secure_email_change and user.email:
        for_current = make_token(ctx, user.email, pkce)
        changes["email_change_token_current"] = for_current.token_hash
        await one_time_tokens.put_token(
            db, user.id, "email_change_token_current", for_current.token_hash, user.email, ctx.now
        )
    else:
        await one_time_tokens.delete_tokens(db, user.id, "email_change_token_current")
    before = replace(user, email_change=new_email)
    user = await users.update_user(db, user, ctx.now, **changes)
    if for_current is not None and v0hooks.is_enabled(ctx, "send_email"):
        # One call for both mails, the hashes crossed: each token goes with the hash of the *other* name, as in GoTrue.
        crossed = {"token": for_current.otp, "token_hash_new": for_current.token_hash}
        crossed |= {"token_new": for_new.otp, "token_hash": for_new.token_hash}
        await send_by_hook(ctx, db, before, EMAIL_CHANGE, crossed)
        return user
    if for_current is not None:
        await send_mail(ctx, db, user, EMAIL_CHANGE, for_current, to=user.email or "", before=before)
    await send_mail(ctx, db, user, EMAIL_CHANGE, for_new, to=new_email, before=before)
    return user
