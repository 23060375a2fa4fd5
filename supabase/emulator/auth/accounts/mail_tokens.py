"""One-time tokens that mails carry: made, and stored both in auth.users and in auth.one_time_tokens.

A token never leaves by a response; `generate_link` for admins is the one exception, and mails nothing.
"""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from emulator.auth.accounts.pkce import NO_PKCE, Pkce
from emulator.auth.context import RequestContext
from emulator.auth.crypto.otp import PKCE_PREFIX, hash_otp, make_otp
from emulator.auth.models import flow_states, one_time_tokens, users
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


@dataclass(frozen=True)
class MailKind:
    """A kind of mail.

    Its template, the column of its token, the setting of its link's path, the `type` in the link, the method of its
    PKCE flow, and the error when it can't be sent.
    """

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
class OneTimeToken:
    """The code to type, and its hash as it is stored and linked."""

    otp: str
    token_hash: str


def make_token(ctx: RequestContext, address: str, pkce: Pkce = NO_PKCE) -> OneTimeToken:
    """A new code for an address."""
    otp = make_otp(ctx.settings.mailer.otp_length)
    return OneTimeToken(otp, (PKCE_PREFIX if pkce.challenge else "") + hash_otp(address, otp))


async def issue_token(
    ctx: RequestContext, db: Db, user: User, kind: MailKind, pkce: Pkce = NO_PKCE, **changes: Any
) -> tuple[User, OneTimeToken]:
    """Store a token of that kind for the user's own address, with other changes of the row."""
    address = user.email or user.phone or ""
    token = make_token(ctx, address, pkce)
    await one_time_tokens.put_token(db, user.id, kind.column, token.token_hash, address, ctx.now)
    changes = {kind.column: token.token_hash, kind.sent_at: ctx.now, **changes}
    return await users.update_user(db, user, ctx.now, **changes), token


async def insert_mail_flow(ctx: RequestContext, db: Db, user: User, kind: MailKind, pkce: Pkce) -> None:
    """Keep the challenge of a PKCE client until the link of the mail is opened."""
    if not pkce.challenge:
        return
    await flow_states.insert_flow(
        db,
        {
            "user_id": user.id, "auth_code": str(uuid4()), "code_challenge": pkce.challenge,
            "code_challenge_method": pkce.method, "authentication_method": kind.flow_method,
            "provider_type": "email" if kind is CONFIRMATION else kind.flow_method,
        },
        ctx.now,
    )  # fmt: skip
