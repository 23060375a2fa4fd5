"""Mails with one-time tokens, and of changes: sent by SMTP or handed to the send_email hook."""

import asyncio
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit, urlunsplit

from emulator.auth import audit, errors
from emulator.auth.accounts.mail_tokens import EMAIL_CHANGE, MailKind, OneTimeToken, insert_mail_flow, issue_token
from emulator.auth.accounts.pkce import NO_PKCE, Pkce
from emulator.auth.context import RequestContext
from emulator.auth.hooks import v0hooks
from emulator.auth.mailer.templatemailer import MailContent, render_email
from emulator.auth.models import identities, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.ratelimit.frequency import EMAIL_LIMIT, check_frequency
from emulator.auth.utilities.redirects import mail_link
from emulator.errors import ApiError
from emulator.mail.email import DeliveryFailed, Email

log = logging.getLogger("emulator.auth")
# What the send_email hook is told of a change, by the name that templates have for it.
_HOOK_FACTS = {"old_email": "OldEmail", "old_phone": "OldPhone", "provider": "Provider", "factor_type": "FactorType"}


async def send_mail_token(
    ctx: RequestContext, db: Db, user: User, kind: MailKind, pkce: Pkce = NO_PKCE, *, skip_rate_limit: bool = False,
    **changes: Any,
) -> User:  # fmt: skip
    """Store and mail a token. Raises too_soon within SMTP_MAX_FREQUENCY of the last one, and what send_mail does.

    `skip_rate_limit` is for mails that an admin causes.
    """
    if not skip_rate_limit:
        check_frequency(getattr(user, kind.sent_at), ctx.now, ctx.settings.smtp.max_frequency_s, EMAIL_LIMIT)
    await insert_mail_flow(ctx, db, user, kind, pkce)
    before = user
    user, token = await issue_token(ctx, db, user, kind, pkce, **changes)
    await send_mail(ctx, db, user, kind, token, to=user.email or "", before=before)
    return user


async def send_mail(
    ctx: RequestContext, db: Db, user: User, kind: MailKind, token: OneTimeToken, *, to: str, before: User
) -> None:
    """Send one mail: now, or after the commit with MAILER_EMAIL_BACKGROUND_SENDING, or by the send_email hook.

    `before` is the account as the hook sees it: without what the mail changes.
    Raises email_address_not_authorized, over_email_send_rate_limit, unexpected_failure.
    """
    settings = ctx.settings
    _check_recipient(ctx, to)
    if not settings.mailer.autoconfirm:
        _take_from_budget(ctx, user)
    redirect_to = ctx.redirect_to()
    if v0hooks.is_enabled(ctx, "send_email"):
        await send_by_hook(ctx, db, before, kind, {"token": token.otp, "token_hash": token.token_hash})
        return
    content = MailContent(
        kind=kind.template, to=to, site_url=settings.site_url, email=user.email or "", token=token.otp,
        data=user.raw_user_meta_data or {}, token_hash=token.token_hash, redirect_to=redirect_to,
        confirmation_url=confirmation_url(ctx, kind, token.token_hash, redirect_to) if kind.path else "",
        new_email=user.email_change or "", sending_to=to if kind is EMAIL_CHANGE else "",
    )  # fmt: skip
    if settings.mailer.background:
        ctx.effects.append(lambda: ctx.run_in_background(lambda: _deliver_logged(ctx, content)))
        return
    try:
        await ctx.service.mailer.send(await _render(ctx, content))
    except DeliveryFailed as error:
        log.warning("mail of kind %s was not accepted: %s", kind.template, error)
        raise errors.unexpected_failure(kind.failure) from error


def notify(ctx: RequestContext, user: User, change: str, to: str = "", **facts: str) -> None:
    """Tell of a change of the account once it is committed, where MAILER_NOTIFICATIONS_<change>_ENABLED says so.

    `to` is the user's address unless the change has taken it away; `facts` are what templates and the hook are told.
    A mail that can't be sent leaves the change as it is.
    """
    recipient = to or user.email or ""
    if recipient and getattr(ctx.settings.mailer.notifications, change):
        ctx.effects.append(partial(_notify, ctx, user, f"{change}_notification", recipient, facts))


async def _notify(ctx: RequestContext, user: User, kind: str, to: str, facts: Mapping[str, str]) -> None:
    settings = ctx.settings
    try:
        _check_recipient(ctx, to)
        if not settings.mailer.autoconfirm:
            _take_from_budget(ctx, user)
        if v0hooks.is_enabled(ctx, "send_email"):
            named = {name: facts[key] for name, key in _HOOK_FACTS.items() if key in facts}
            data = {"redirect_to": ctx.redirect_to(), "email_action_type": kind, **named}
            async with ctx.service.pool.connection() as db:
                await v0hooks.send_email(ctx, db, user, await identities.identities_of(db, user.id), data)
            return
    except ApiError as error:
        log.warning("mail of kind %s is not sent: %s", kind, error.message)
        return
    email = to if kind == "identity_unlinked_notification" else user.email or ""
    content = MailContent(
        kind=kind, to=to, site_url=settings.site_url, email=email, token="", data=user.raw_user_meta_data or {},
        extra=facts,
    )  # fmt: skip
    if settings.mailer.background:
        await ctx.run_in_background(lambda: _deliver_logged(ctx, content))
    else:
        await _deliver_logged(ctx, content)


def _take_from_budget(ctx: RequestContext, user: User) -> None:
    """Take one mail of the process's; raises over_email_send_rate_limit.

    Whoever makes up addresses can use up the share of those that nobody has confirmed, not what members need.
    """
    now, limits = ctx.service.clock(), ctx.rate_limits
    is_known = user.email_confirmed_at is not None
    has_share = is_known or not limits.email_sent_unconfirmed.is_exhausted("", now)
    if has_share and limits.email_sent.take("", now) == 0:
        if not is_known:
            limits.email_sent_unconfirmed.take("", now)
        return
    limits.dropped_mails += 1
    log.warning("a mail is not sent: the hour's mails are used up (%s)", "known" if is_known else "unconfirmed")
    raise errors.over_email_send_rate_limit()


async def send_by_hook(ctx: RequestContext, db: Db, user: User, kind: MailKind, tokens: dict[str, str]) -> None:
    """Let the send_email hook send what it wants to send."""
    data = {"redirect_to": ctx.redirect_to(), "email_action_type": kind.link_type or kind.template, **tokens}
    await v0hooks.send_email(ctx, db, user, await identities.identities_of(db, user.id), data)


async def _deliver_logged(ctx: RequestContext, content: MailContent) -> None:
    try:
        await ctx.service.mailer.send(await _render(ctx, content))
    except DeliveryFailed as error:
        log.warning("mail of kind %s was not accepted: %s", content.kind, error)


async def _render(ctx: RequestContext, content: MailContent) -> Email:
    key, headers = content.kind.upper(), ctx.settings.smtp.headers
    url = ctx.settings.mailer.templates.get(key, "")
    template = await _operator_template(ctx, url) if url else ""
    if url and not template:
        return render_email(content, headers=headers)  # GoTrue's subject goes with GoTrue's body
    return render_email(content, ctx.settings.mailer.subjects.get(key, ""), template, headers)


async def _operator_template(ctx: RequestContext, url: str) -> str:
    """The template of MAILER_TEMPLATES_<kind>; "" when it can't be read.

    One that can't be fetched is none for a while: mails must not wait for a broken server again and again.
    """
    if url.startswith("file:"):
        return await asyncio.to_thread(_read_template, url)  # each time: whoever writes it sees it in the next mail
    url = url if url.startswith("http") else urljoin(ctx.settings.site_url.rstrip("/") + "/", url.lstrip("/"))
    cache, now = ctx.service.mail_templates, ctx.now.timestamp()
    text = cache.get(url, now)
    if text is None:
        text = await _fetch_template(ctx, url)
        cache.put(url, text, now)
    return text


def _read_template(url: str) -> str:
    try:
        return Path(unquote(urlsplit(url).path)).read_text("utf8")
    except (OSError, UnicodeDecodeError) as error:
        log.warning("the mail template %s can't be read: %s", url, error)
        return ""


async def _fetch_template(ctx: RequestContext, url: str) -> str:
    import httpx

    try:
        response = await ctx.service.http.get(url)
        response.raise_for_status()
    except httpx.HTTPError as error:
        log.warning("the mail template %s can't be fetched: %s", url, error)
        return ""
    return response.text


def _check_recipient(ctx: RequestContext, to: str) -> None:
    """EXTERNAL_EMAIL_AUTHORIZED_ADDRESSES, where a "+tag" of the name does not count."""
    allowed = ctx.settings.mailer.authorized_addresses
    if not allowed:
        return
    name, _, domain = to.lower().partition("@")
    if f"{name.partition('+')[0]}@{domain}" not in allowed and to.lower() not in allowed:
        raise errors.email_address_not_authorized(to)


def confirmation_url(ctx: RequestContext, kind: MailKind, token_hash: str, redirect_to: str) -> str:
    """The link of a mail: opening it proves the address."""
    settings = ctx.settings
    external = settings.api_external_url
    host = ctx.header("x-forwarded-host")
    if host and host.partition(":")[0] in settings.mailer.external_hosts:
        scheme = "http" if ctx.header("x-forwarded-proto") == "http" else "https"
        external = urlunsplit(urlsplit(external)._replace(scheme=scheme, netloc=host))
    path = settings.mailer.urlpaths.get(kind.path, "/verify")
    return mail_link(external, path, token_hash, kind.link_type, redirect_to)


async def send_recovery(ctx: RequestContext, user: User, kind: MailKind, pkce: Pkce) -> None:
    """Mail a recovery or magic link in a transaction of its own, unless the account is gone by now."""
    async with ctx.transaction() as db:
        locked = await users.lock_user(db, user.id)
        if locked is not None:
            await audit.record(ctx, db, locked, "user_recovery_requested")
            await send_mail_token(ctx, db, locked, kind, pkce)
