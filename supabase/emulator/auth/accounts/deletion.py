"""Soft deletion: the row stays, without personal data."""

import base64
import hashlib

from emulator.auth.context import RequestContext
from emulator.auth.models import factors, identities, one_time_tokens, sessions, users, webauthn_credentials
from emulator.auth.models.sql import Db
from emulator.auth.models.users import User


async def soft_delete(ctx: RequestContext, db: Db, user: User) -> None:
    """Overwrite what identifies a person by hashes, remove factors, passkeys and sessions."""
    now = ctx.now
    await users.update_user(
        db, user, now,
        email=_obfuscate(user, user.email or ""), phone=_obfuscate(user, user.phone or "")[:15],
        email_change=_obfuscate(user, user.email_change or ""),
        phone_change=_obfuscate(user, user.phone_change or "")[:15], encrypted_password=None, deleted_at=now,
        raw_user_meta_data={}, raw_app_meta_data={}, confirmation_token="", recovery_token="",
        email_change_token_current="", email_change_token_new="", phone_change_token="", reauthentication_token="",
    )  # fmt: skip
    await one_time_tokens.delete_tokens(db, user.id)
    for identity in await identities.identities_of(db, user.id):
        provider_id = _obfuscate(user, f"{identity.provider}:{identity.provider_id}")
        await identities.update_identity(db, identity, now, identity_data={}, provider_id=provider_id)
    await factors.delete_factors(db, user.id)
    await webauthn_credentials.delete_credentials(db, user.id)
    await sessions.delete_sessions(db, user.id)


def _obfuscate(user: User, value: str) -> str:
    digest = hashlib.sha256((str(user.id) + value).encode()).digest()
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
