"""Accounts that somebody signed up for with an address, or a number, that nobody has proved to be theirs yet.

Whoever signs up first must not keep the key. Each later sign-up keeps its password and metadata with its own token, and
the link that is opened (or the code that is typed) decides; what was there gives way to an invitation and to a
recovery, too. GoTrue keeps what the first left.
"""

from emulator.auth.accounts.identities import find_identity, identity_data
from emulator.auth.context import RequestContext
from emulator.auth.models import flow_states, identities, users
from emulator.auth.models.payloads import Json
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


def is_unproven(user: User) -> bool:
    """Whether a stranger may have made it: signed up, not invited or made by an admin, and never confirmed.

    A sign-up always puts the account's id into the metadata; an admin's metadata are as the admin gave them.
    """
    signed_up = (user.raw_user_meta_data or {}).get("sub") == str(user.id)
    return signed_up and user.invited_at is None and user.confirmed_at is None and not user.is_anonymous


async def apply_pending(ctx: RequestContext, db: Db, user: User) -> User:
    """The account as the sign-up wanted it whose token came back; its first sign-up's is there already."""
    pending = await flow_states.take_pending(db, user.id, user.confirmation_token or "")
    if pending is None or not is_unproven(user):
        return user
    return await overwrite(ctx, db, user, *pending)


async def overwrite(ctx: RequestContext, db: Db, user: User, password_hash: str, data: Json) -> User:
    """Replace what a stranger may have left in an unproven account."""
    provider = "email" if user.email else "phone"
    metadata = identity_data(user.id, email=user.email, data=data)
    identity = await find_identity(db, user, provider)
    if identity is not None:
        await identities.update_identity(db, identity, ctx.now, identity_data=metadata)
    return await users.update_user(
        db, user, ctx.now, encrypted_password=password_hash, raw_user_meta_data=metadata
    )  # fmt: skip
