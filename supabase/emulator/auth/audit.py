"""The audit log: who did what, a row of auth.audit_log_entries each (AUDIT_LOG_DISABLE_POSTGRES turns it off)."""

from typing import Any

from emulator.auth.context import RequestContext
from emulator.auth.models import audit_log_entries
from emulator.auth.models.sql import NIL_UUID, Db
from emulator.auth.models.users import User
from emulator.principal import Principal

LOG_TYPES = {
    "login": "account", "logout": "account", "invite_accepted": "account", "user_signedup": "team",
    "user_invited": "team", "user_deleted": "team", "user_modified": "user", "user_recovery_requested": "user",
    "user_reauthenticate_requested": "user", "user_confirmation_requested": "user",
    "user_repeated_signup": "user", "user_updated_password": "user", "token_revoked": "token",
    "token_refreshed": "token", "factor_in_progress": "factor", "factor_unenrolled": "factor",
    "challenge_created": "factor", "verification_attempted": "factor", "factor_deleted": "factor",
    "factor_updated": "factor", "identity_linked": "user", "identity_unlinked": "user",
    "passkey_created": "user", "passkey_updated": "user", "passkey_deleted": "user",
}  # fmt: skip


async def record(ctx: RequestContext, db: Db, actor: User, action: str, /, *, ip: str = "", **traits: Any) -> None:
    """Log what a user did."""
    name = (actor.raw_user_meta_data or {}).get("full_name")
    who = {
        "actor_id": str(actor.id),
        "actor_via_sso": actor.is_sso_user,
        "actor_username": actor.email or actor.phone or "",
        **({"actor_name": name} if isinstance(name, str) and name else {}),
    }
    await _write(ctx, db, who, action, traits, ip)


async def record_admin(ctx: RequestContext, db: Db, admin: Principal, action: str, **traits: Any) -> None:
    """Log what an admin's token was used for."""
    who = {"actor_id": str(NIL_UUID), "actor_via_sso": False, "actor_username": admin.role}
    await _write(ctx, db, who, action, traits, "")


async def _write(
    ctx: RequestContext, db: Db, who: dict[str, Any], action: str, traits: dict[str, Any], ip: str
) -> None:
    if ctx.settings.audit_log_disable_postgres:
        return
    payload = {"action": action, **who, "log_type": LOG_TYPES[action], **({"traits": traits} if traits else {})}
    await audit_log_entries.insert_audit(db, dict(sorted(payload.items())), ip, ctx.now)
