"""POST /token?grant_type=pkce: the code that a redirect brought, with the verifier that only its client knows."""

from dataclasses import dataclass

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.accounts.pkce import challenge_matches
from emulator.auth.api.responses import grant_response
from emulator.auth.context import RequestContext
from emulator.auth.models import flow_states, users
from emulator.auth.models.flow_states import FlowState
from emulator.auth.tokens.sessions import issue_session


@dataclass(frozen=True)
class PKCEGrantParams:
    """The body."""

    auth_code: str = ""
    code_verifier: str = ""


async def pkce_grant(ctx: RequestContext) -> Response:
    """A session for the user of the flow, which ends with it."""
    params = ctx.params(PKCEGrantParams)
    if not params.auth_code or not params.code_verifier:
        raise errors.validation_failed("invalid request: both auth code and code verifier should be non-empty")
    async with ctx.transaction() as db:
        flow = await flow_states.flow_by_code(db, params.auth_code)
        user = await users.user_by_id(db, flow.user_id) if flow and flow.user_id else None
        if flow is None or user is None:
            raise errors.flow_state_not_found()
        if _is_expired(ctx, flow):
            raise errors.flow_state_expired()
        if not challenge_matches(params.code_verifier, flow.code_challenge or "", flow.code_challenge_method or ""):
            raise errors.bad_code_verifier()
        if user.is_banned(ctx.now):
            raise errors.user_banned()
        await audit.record(ctx, db, user, "login", provider_type=flow.provider_type)
        grant = await issue_session(ctx, db, user, flow.authentication_method)
        await flow_states.delete_flow(db, flow.id)
    return grant_response(
        grant,
        provider_token=flow.provider_access_token or "",
        provider_refresh_token=flow.provider_refresh_token or "",
    )


def _is_expired(ctx: RequestContext, flow: FlowState) -> bool:
    """Counted from the request; for magic links from the click, as mails may lie unread."""
    since = flow.auth_code_issued_at if flow.authentication_method == "magiclink" else flow.created_at
    age_s = (ctx.now - (since or flow.created_at)).total_seconds()
    return age_s >= ctx.settings.flow_state_expiry_s
