"""What all factor endpoints need: the factor of the path, and which kinds are enabled."""

from emulator.auth import errors
from emulator.auth.api.auth import SignedInUser, path_uuid, require_not_anonymous, require_user
from emulator.auth.context import RequestContext
from emulator.auth.models import factors
from emulator.auth.models.factors import Factor
from emulator.auth.models.sql import Db

KIND_NAMES = {"totp": "TOTP", "phone": "Phone", "webauthn": "WebAuthn"}
TOTP_PERIOD_S = 30
# The method that a session's amr claim names for a factor.
AMR = {"totp": "totp", "phone": "mfa/phone", "webauthn": "mfa/webauthn"}


def require_enabled(ctx: RequestContext, kind: str, step: str) -> None:
    """Raise mfa_<kind>_<step>_not_enabled. `step`: enroll or verify."""
    prefix = "web_authn" if kind == "webauthn" else kind
    if not getattr(ctx.settings.mfa, f"{prefix}_{step}"):
        raise errors.mfa_disabled(KIND_NAMES[kind], step)


async def require_factor(ctx: RequestContext, db: Db) -> tuple[SignedInUser, Factor]:
    """The signed-in user and the factor of the path; raises mfa_factor_not_found and what require_user does."""
    caller = await require_user(ctx, db)
    require_not_anonymous(caller)
    factor = await factors.factor_of(db, caller.user.id, path_uuid(ctx, "factor_id", "factor_id must be an UUID"))
    if factor is None:
        raise errors.mfa_factor_not_found()
    return caller, factor
