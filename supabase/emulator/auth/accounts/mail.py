"""One-time tokens on their way out: stored, and mailed or texted to the address they prove.

A token never leaves by an answer; `generate_link` for admins is the one exception, and mails nothing.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit
from uuid import uuid4

from emulator.auth import errors
from emulator.auth.context import Call, run_in_background
from emulator.auth.crypto.otp import PKCE_PREFIX, hash_otp, make_otp
from emulator.auth.hooks import v0hooks
from emulator.auth.mailer.emails import Email, MailContent, render_email
from emulator.auth.mailer.smtp import MailError
from emulator.auth.models import flow_states, identities, one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User
from emulator.auth.utilities import addresses
from emulator.auth.utilities.redirects import mail_link

log = logging.getLogger("emulator.auth")
TEMPLATE_CACHE_S = 600
EMAIL_LIMIT, SMS_LIMIT = "over_email_send_rate_limit", "over_sms_send_rate_limit"


@dataclass(frozen=True)
class Pkce:
    """A caller's code challenge; both empty in the implicit flow."""

    challenge: str = ""
    method: str = ""

    @classmethod
    def checked(cls, challenge: str, method: str) -> "Pkce":
        """Raises validation_failed."""
        addresses.validate_pkce(challenge, method)
        return cls(challenge, method.lower())


@dataclass(frozen=True)
class MailKind:
    """Where a kind of mail keeps its token, where its link leads, what its failure is called."""

    template: str
    column: str
    path: str
    link_type: str
    flow_method: str
    failure: str

    @property
    def sent_at(self) -> str:
        """The column of the time it was last sent."""
        return self.column.replace("_token", "_sent_at")


CONFIRMATION = MailKind(
    "confirmation", "confirmation_token", "CONFIRMATION", "signup", "email/signup", "Error sending confirmation email"
)
INVITE = MailKind("invite", "confirmation_token", "INVITE", "invite", "invite", "Error inviting user")
RECOVERY = MailKind("recovery", "recovery_token", "RECOVERY", "recovery", "recovery", "Error sending recovery email")
MAGIC_LINK = MailKind(
    "magic_link", "recovery_token", "RECOVERY", "magiclink", "magiclink", "Error sending magic link email"
)
REAUTHENTICATION = MailKind(
    "reauthentication", "reauthentication_token", "", "", "", "Error sending reauthentication email"
)
EMAIL_CHANGE = MailKind(
    "email_change", "email_change_token_new", "EMAIL_CHANGE", "email_change", "email_change",
    "Error sending email change email",
)  # fmt: skip


@dataclass(frozen=True)
class Issued:
    """A stored token: the code, its hash as stored and linked."""

    otp: str
    token_hash: str


async def begin_flow(call: Call, db: Db, user: User, kind: MailKind, pkce: Pkce) -> None:
    """Remember the challenge of a PKCE caller until the mail is clicked."""
    if not pkce.challenge:
        return
    await flow_states.insert_flow(
        db,
        {
            "user_id": user.id, "auth_code": str(uuid4()), "code_challenge": pkce.challenge,
            "code_challenge_method": pkce.method, "authentication_method": kind.flow_method,
            "provider_type": "email" if kind is CONFIRMATION else kind.flow_method,
        },
        call.now,
    )  # fmt: skip


async def issue(
    call: Call, db: Db, user: User, kind: MailKind, pkce: Pkce = Pkce(), **changes: Any
) -> tuple[User, Issued]:
    """Store a token of that kind for the user's own address, in both places."""
    address = user.email or user.phone or ""
    issued = make_token(call, address, pkce)
    await one_time_tokens.put_token(db, user.id, kind.column, issued.token_hash, address, call.now)
    changes = {kind.column: issued.token_hash, kind.sent_at: call.now, **changes}
    return await users.update_user(db, user, call.now, **changes), issued


def make_token(call: Call, address: str, pkce: Pkce = Pkce(), length: int | None = None) -> Issued:
    """A fresh code and its hash."""
    otp = make_otp(length or call.settings.mailer.otp_length)
    return Issued(otp, (PKCE_PREFIX if pkce.challenge else "") + hash_otp(address, otp))


async def send_mail_token(
    call: Call, db: Db, user: User, kind: MailKind, pkce: Pkce = Pkce(), *, hasty: bool = False, **changes: Any
) -> User:
    """Store and mail a token. `hasty` skips the limit of one a minute (admins). Raises too_soon, unexpected_failure."""
    if not hasty:
        check_frequency(getattr(user, kind.sent_at), call.now, call.settings.smtp.max_frequency_s, EMAIL_LIMIT)
    await begin_flow(call, db, user, kind, pkce)
    user, issued = await issue(call, db, user, kind, pkce, **changes)
    await mail(call, db, user, kind, issued, to=user.email or "")
    return user


def check_frequency(sent_at: datetime | None, now: datetime, interval_s: float, code: str) -> None:
    """Raise too_soon when the last one is younger than the interval."""
    if sent_at is not None and (now - sent_at).total_seconds() < interval_s:
        raise errors.too_soon(code, interval_s - (now - sent_at).total_seconds())


async def mail(call: Call, db: Db, user: User, kind: MailKind, issued: Issued, *, to: str) -> None:
    """Render one mail and send it: now, or after the commit when sending in the background. A hook takes it over."""
    settings = call.settings
    _check_recipient(call, to)
    if not settings.mailer.autoconfirm:
        limiter = call.service.limiter("email_sent", settings.rates.email_sent)
        if not limiter.allow("", call.now.timestamp()):
            raise errors.over_email_send_rate_limit()
    redirect_to = call.redirect_to()
    if v0hooks.is_on(call, "send_email"):
        await _hand_over(call, db, user, kind, {"token": issued.otp, "token_hash": issued.token_hash})
        return
    content = MailContent(
        kind=kind.template, to=to, site_url=settings.site_url, email=user.email or "", token=issued.otp,
        data=user.raw_user_meta_data or {}, token_hash=issued.token_hash, redirect_to=redirect_to,
        confirmation_url=link(call, kind, issued.token_hash, redirect_to) if kind.path else "",
        new_email=user.email_change or "", sending_to=to if kind is EMAIL_CHANGE else "",
    )  # fmt: skip
    if settings.mailer.background:
        call.effects.append(lambda: run_in_background(call.service, lambda: _send_quietly(call, content)))
        return
    try:
        await call.service.mailer.send(await _rendered(call, content))
    except MailError as error:
        log.warning("mail of kind %s was not accepted: %s", kind.template, error)
        raise errors.unexpected_failure(kind.failure) from error


async def _hand_over(call: Call, db: Db, user: User, kind: MailKind, tokens: dict[str, str]) -> None:
    about = {"redirect_to": call.redirect_to(), "email_action_type": kind.link_type or kind.template, **tokens}
    await v0hooks.send_email(call, db, user, await identities.identities_of(db, user.id), about)


async def _rendered(call: Call, content: MailContent) -> Email:
    key = content.kind.upper()
    return render_email(content, call.settings.mailer.subjects.get(key, ""), await _operator_template(call, key))


async def _send_quietly(call: Call, content: MailContent) -> None:
    try:
        await call.service.mailer.send(await _rendered(call, content))
    except MailError as error:
        log.warning("a mail was not accepted: %s", error)


def _check_recipient(call: Call, to: str) -> None:
    allowed = call.settings.mailer.authorized_addresses
    if not allowed:
        return
    name, _, domain = to.lower().partition("@")
    if f"{name.partition('+')[0]}@{domain}" not in allowed and to.lower() not in allowed:
        raise errors.email_address_not_authorized(to)


def link(call: Call, kind: MailKind, token_hash: str, redirect_to: str, link_type: str = "") -> str:
    """The URL that proves the address when it is opened."""
    settings = call.settings
    external = settings.api_external_url
    host = call.header("x-forwarded-host")
    if host and host.partition(":")[0] in settings.mailer.external_hosts:
        scheme = "http" if call.header("x-forwarded-proto") == "http" else "https"
        external = urlunsplit(urlsplit(external)._replace(scheme=scheme, netloc=host))
    path = settings.mailer.urlpaths.get(kind.path, "/verify")
    return mail_link(external, path, token_hash, link_type or kind.link_type, redirect_to)


async def _operator_template(call: Call, key: str) -> str:
    """The template behind MAILER_TEMPLATES_<key>, kept for ten minutes; "" when there is none or it can't be had."""
    url = call.settings.mailer.templates.get(key, "")
    if not url:
        return ""
    full = url if url.startswith("http") else urljoin(call.settings.site_url.rstrip("/") + "/", url.lstrip("/"))
    import httpx

    cache: dict[str, tuple[float, str]] = call.service.caches.setdefault("templates", {})
    until, text = cache.get(full, (0.0, ""))
    if call.now.timestamp() < until:
        return text
    try:
        response = await call.service.http.get(full)
        response.raise_for_status()
        text = response.text
    except httpx.HTTPError as error:
        log.warning("the mail template %s can't be fetched: %s", full, error)
    cache[full] = (call.now.timestamp() + TEMPLATE_CACHE_S, text)
    return text


async def send_email_change(call: Call, db: Db, user: User, new_email: str, pkce: Pkce) -> User:
    """Ask the new address, and the present one too when both must agree."""
    check_frequency(user.email_change_sent_at, call.now, call.settings.smtp.max_frequency_s, EMAIL_LIMIT)
    await begin_flow(call, db, user, EMAIL_CHANGE, pkce)
    fresh = make_token(call, new_email, pkce)
    changes: dict[str, Any] = {
        "email_change": new_email, "email_change_sent_at": call.now, "email_change_confirm_status": 0,
        "email_change_token_new": fresh.token_hash, "email_change_token_current": "",
    }  # fmt: skip
    await one_time_tokens.put_token(db, user.id, "email_change_token_new", fresh.token_hash, new_email, call.now)
    present: Issued | None = None
    if call.settings.mailer.secure_email_change and user.email:
        present = make_token(call, user.email, pkce)
        changes["email_change_token_current"] = present.token_hash
        await one_time_tokens.put_token(
            db, user.id, "email_change_token_current", present.token_hash, user.email, call.now
        )
    else:
        await one_time_tokens.drop_tokens(db, user.id, "email_change_token_current")
    user = await users.update_user(db, user, call.now, **changes)
    if present is not None and v0hooks.is_on(call, "send_email"):
        # One call for both mails, the hashes crossed: each token goes with the hash of the *other* name, as upstream.
        crossed = {"token": present.otp, "token_hash_new": present.token_hash}
        crossed |= {"token_new": fresh.otp, "token_hash": fresh.token_hash}
        await _hand_over(call, db, user, EMAIL_CHANGE, crossed)
        return user
    if present is not None:
        await mail(call, db, user, EMAIL_CHANGE, present, to=user.email or "")
    await mail(call, db, user, EMAIL_CHANGE, fresh, to=new_email)
    return user


PHONE_COLUMNS = {
    "confirmation": ("confirmation_token", "confirmation_sent_at"),
    "phone_change": ("phone_change_token", "phone_change_sent_at"),
    "reauthentication": ("reauthentication_token", "reauthentication_sent_at"),
}


async def send_phone_token(call: Call, db: Db, user: User, kind: str, phone: str) -> tuple[User, str]:
    """Store a code for a number and text it by the hook; returns the message's id, that of a test number."""
    column, sent_at = PHONE_COLUMNS[kind]
    sms = call.settings.sms
    check_frequency(getattr(user, sent_at), call.now, sms.max_frequency_s, SMS_LIMIT)
    fixed = test_otp(call, phone)
    by_hook = fixed is None and v0hooks.is_on(call, "send_sms")
    if fixed is None:
        limiter = call.service.limiter("sms_sent", call.settings.rates.sms_sent)
        if not sms.autoconfirm and not limiter.allow("", call.now.timestamp()):
            raise errors.over_sms_send_rate_limit()
        if not by_hook:
            raise errors.sms_send_failed(kind, "no SMS provider is configured")
        fixed = make_otp(sms.otp_length)
    token_hash = hash_otp(phone, fixed)
    await one_time_tokens.put_token(db, user.id, column, token_hash, phone, call.now)
    changes = {column: token_hash, sent_at: call.now}
    if kind == "phone_change":
        changes["phone_change"] = phone
    user = await users.update_user(db, user, call.now, **changes)
    if by_hook:
        await v0hooks.send_sms(call, db, user, await identities.identities_of(db, user.id), phone, fixed, kind)
    return user, "" if by_hook else "test-otp"


def test_otp(call: Call, phone: str) -> str | None:
    """The fixed code of a test number, while such are valid."""
    sms = call.settings.sms
    if sms.test_otps_until is not None and call.now >= sms.test_otps_until:
        return None
    return sms.test_otps.get(phone)
