"""The routes: method, path and endpoint.

An endpoint is imported by its first request, on a thread: most of them are never asked for, and all together are 4 MiB
and a tenth of a start.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable
from types import FunctionType
from typing import NamedTuple

from starlette.responses import Response

from emulator.auth.api.auth import in_person, require_admin, require_not_anonymous, require_user
from emulator.auth.context import RequestContext
from emulator.auth.security.captcha import require_captcha, verify_captcha
from emulator.loading import load_named

Handler = Callable[[RequestContext], Awaitable[Response]]
Guard = Callable[[RequestContext], Awaitable[None]]


class Row(NamedTuple):
    """A method and path; its endpoint, as `module:function` of this package; what stands before that."""

    method: str
    path: str
    endpoint: str
    guarded: Callable[[Handler], Handler] = lambda handler: handler

    def load(self) -> FunctionType:
        """The endpoint itself. Raises LoadError."""
        return load_named(f"{__package__}.{self.endpoint}", FunctionType)

    def handler(self) -> Handler:
        """What serves it, with an endpoint that is imported by its first request."""
        loaded: list[Handler] = []

        async def handle(ctx: RequestContext) -> Response:
            if not loaded:
                loaded.append(await asyncio.to_thread(self.load))
            return await loaded[0](ctx)

        return self.guarded(handle)


async def _user(ctx: RequestContext) -> None:
    async with ctx.service.pool.connection() as db:
        await require_user(ctx, db)


async def _factors(ctx: RequestContext) -> None:
    async with ctx.service.pool.connection() as db:
        require_not_anonymous(await require_user(ctx, db))


async def _admin(ctx: RequestContext) -> None:
    await require_admin(ctx)


async def _passkeys(ctx: RequestContext) -> None:
    from emulator.auth.api.passkeys.ceremony import require_passkeys_enabled

    require_passkeys_enabled(ctx)


async def _sso(ctx: RequestContext) -> None:
    from emulator.auth.api.saml import require_saml

    require_saml(ctx)


# What GoTrue asks of every path below these, also where there is no such path or method; the first match counts.
GROUPS: tuple[tuple[str, Guard], ...] = (
    ("/user", _user), ("/reauthenticate", _user), ("/factors", _factors), ("/passkeys", _passkeys), ("/sso", _sso),
    ("/admin", _admin), ("/signup", verify_captcha),
)  # fmt: skip


# Those that are routers of their own in GoTrue, which also serve their path with a slash behind it.
_WITH_SLASH = re.compile(
    "/(callback|signup|verify|reauthenticate|user|sso|(factors|passkeys)(/[^/]+)?"
    "|admin/(audit|users(/[^/]+(/(factors|passkeys)(/[^/]+)?)?)?|(sso/providers|oauth/clients|custom-providers)(/[^/]+)?))/"
)


def without_slash(path: str) -> str:
    """`/signup` for `/signup/`; elsewhere a path with a slash at its end is another one."""
    return path[:-1] if path.endswith("/") and _WITH_SLASH.fullmatch(path) else path


def guard_of(path: str) -> Guard | None:
    """The guard of a path's group."""
    return next((guard for prefix, guard in GROUPS if path == prefix or path.startswith(f"{prefix}/")), None)


ROUTES = (
    Row("GET", "/health", "settings:health"),
    Row("GET", "/settings", "settings:settings"),
    Row("GET", "/.well-known/jwks.json", "jwks:jwks"),
    Row("GET", "/.well-known/openid-configuration", "jwks:openid_configuration"),
    Row("GET", "/.well-known/oauth-authorization-server", "jwks:oauth_authorization_server"),
    Row("POST", "/signup", "signup:sign_up", require_captcha),
    Row("POST", "/token", "token:token"),
    Row("GET", "/user", "user:get_user"),
    Row("PUT", "/user", "user:update_user"),
    Row("POST", "/logout", "logout:logout"),
    Row("POST", "/recover", "recover:recover", require_captcha),
    Row("GET", "/reauthenticate", "reauthenticate:reauthenticate", in_person),
    Row("POST", "/otp", "otp:otp", require_captcha),
    Row("POST", "/magiclink", "otp:magic_link", require_captcha),
    Row("POST", "/resend", "resend:resend", require_captcha),
    Row("GET", "/verify", "verify:verify_get"),
    Row("POST", "/verify", "verify:verify_post"),
    Row("POST", "/sso", "sso:single_sign_on"),
    Row("GET", "/admin/users", "admin.users:list_users"),
    Row("POST", "/admin/users", "admin.create_user:create_user"),
    Row("GET", "/admin/users/{user_id}", "admin.users:get_user"),
    Row("PUT", "/admin/users/{user_id}", "admin.users:update_user"),
    Row("DELETE", "/admin/users/{user_id}", "admin.users:delete_user"),
    Row("GET", "/admin/users/{user_id}/factors", "admin.factors:list_factors"),
    Row("PUT", "/admin/users/{user_id}/factors/{factor_id}", "admin.factors:update_factor"),
    Row("DELETE", "/admin/users/{user_id}/factors/{factor_id}", "admin.factors:delete_factor"),
    Row("GET", "/admin/users/{user_id}/passkeys", "admin.passkeys:list_passkeys"),
    Row("DELETE", "/admin/users/{user_id}/passkeys/{passkey_id}", "admin.passkeys:delete_passkey"),
    Row("GET", "/admin/sso/providers", "admin.sso_providers:list_all"),
    Row("POST", "/admin/sso/providers", "admin.sso_providers:create"),
    Row("GET", "/admin/sso/providers/{idp_id}", "admin.sso_providers:get"),
    Row("PUT", "/admin/sso/providers/{idp_id}", "admin.sso_providers:update"),
    Row("DELETE", "/admin/sso/providers/{idp_id}", "admin.sso_providers:delete"),
    Row("GET", "/admin/audit", "admin.audit:list_audit"),
    Row("POST", "/admin/generate_link", "admin.generate_link:generate_link"),
    Row("POST", "/invite", "invite:invite"),
    Row("POST", "/admin/oauth/clients", "admin.oauth_clients:create"),
    Row("GET", "/admin/oauth/clients", "admin.oauth_clients:list_all"),
    Row("GET", "/admin/oauth/clients/{client_id}", "admin.oauth_clients:get"),
    Row("PUT", "/admin/oauth/clients/{client_id}", "admin.oauth_clients:update"),
    Row("DELETE", "/admin/oauth/clients/{client_id}", "admin.oauth_clients:delete"),
    Row("POST", "/admin/oauth/clients/{client_id}/regenerate_secret", "admin.oauth_clients:regenerate_secret"),
    Row("POST", "/factors", "mfa.enroll:enroll", in_person),
    Row("POST", "/factors/{factor_id}/challenge", "mfa.challenge:challenge", in_person),
    Row("POST", "/factors/{factor_id}/verify", "mfa.verify:verify", in_person),
    Row("DELETE", "/factors/{factor_id}", "mfa.unenroll:unenroll", in_person),
    Row("POST", "/passkeys/registration/options", "passkeys.registration:registration_options", in_person),
    Row("POST", "/passkeys/registration/verify", "passkeys.registration:registration_verify", in_person),
    Row("POST", "/passkeys/authentication/options", "passkeys.authentication:authentication_options", require_captcha),
    Row("POST", "/passkeys/authentication/verify", "passkeys.authentication:authentication_verify"),
    Row("GET", "/passkeys", "passkeys.manage:list_own"),
    Row("PATCH", "/passkeys/{passkey_id}", "passkeys.manage:rename", in_person),
    Row("DELETE", "/passkeys/{passkey_id}", "passkeys.manage:remove", in_person),
    Row("GET", "/authorize", "external:authorize"),
    Row("GET", "/callback", "external:callback"),
    Row("POST", "/callback", "external:callback"),
    Row("GET", "/user/identities/authorize", "identity:link", in_person),
    Row("DELETE", "/user/identities/{identity_id}", "identity:unlink", in_person),
    Row("POST", "/oauth/clients/register", "oauth.clients:register_itself"),
    Row("GET", "/oauth/authorize", "oauth.authorize:authorize"),
    Row("POST", "/oauth/token", "oauth.token:token"),
    Row("GET", "/oauth/userinfo", "oauth.grants:userinfo"),
    Row("GET", "/oauth/authorizations/{authorization_id}", "oauth.consent:details", in_person),
    Row("POST", "/oauth/authorizations/{authorization_id}/consent", "oauth.consent:consent", in_person),
    Row("GET", "/user/oauth/grants", "oauth.grants:list_grants"),
    Row("DELETE", "/user/oauth/grants", "oauth.grants:revoke_grant", in_person),
    Row("GET", "/admin/custom-providers", "admin.custom_providers:list_all"),
    Row("POST", "/admin/custom-providers", "admin.custom_providers:create"),
    Row("GET", "/admin/custom-providers/{identifier}", "admin.custom_providers:get"),
    Row("PUT", "/admin/custom-providers/{identifier}", "admin.custom_providers:update"),
    Row("DELETE", "/admin/custom-providers/{identifier}", "admin.custom_providers:delete"),
    Row("GET", "/scim/v2/{rest:path}", "unsupported:scim_off"),
    Row("GET", "/sso/saml/metadata", "saml:metadata"),
    Row("POST", "/sso/saml/acs", "samlacs:saml_acs"),
)
