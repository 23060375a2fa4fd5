"""The routes: method, path and endpoint."""

import re
from collections.abc import Awaitable, Callable

from starlette.responses import Response

from emulator.auth.api import (
    external,
    identity,
    invite,
    jwks,
    logout,
    otp,
    reauthenticate,
    recover,
    resend,
    saml,
    samlacs,
    settings,
    signup,
    sso,
    token,
    unsupported,
    user,
    verify,
)
from emulator.auth.api.admin import (
    audit,
    create_user,
    custom_providers,
    generate_link,
    oauth_clients,
    sso_providers,
    users,
)
from emulator.auth.api.admin import factors as admin_factors
from emulator.auth.api.admin import passkeys as admin_passkeys
from emulator.auth.api.auth import in_person, require_admin, require_not_anonymous, require_user
from emulator.auth.api.mfa import challenge, enroll, unenroll
from emulator.auth.api.mfa import verify as mfa_verify
from emulator.auth.api.oauth import authorize, clients, consent, grants
from emulator.auth.api.oauth import token as oauth_token
from emulator.auth.api.passkeys import authentication, manage, registration
from emulator.auth.api.passkeys.ceremony import require_passkeys_enabled
from emulator.auth.api.saml import require_saml
from emulator.auth.context import RequestContext
from emulator.auth.security.captcha import require_captcha, verify_captcha

Handler = Callable[[RequestContext], Awaitable[Response]]
Guard = Callable[[RequestContext], Awaitable[None]]


async def _user(ctx: RequestContext) -> None:
    async with ctx.service.pool.connection() as db:
        await require_user(ctx, db)


async def _factors(ctx: RequestContext) -> None:
    async with ctx.service.pool.connection() as db:
        require_not_anonymous(await require_user(ctx, db))


async def _admin(ctx: RequestContext) -> None:
    await require_admin(ctx)


async def _passkeys(ctx: RequestContext) -> None:
    require_passkeys_enabled(ctx)


async def _sso(ctx: RequestContext) -> None:
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


ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/health", settings.health),
    ("GET", "/settings", settings.settings),
    ("GET", "/.well-known/jwks.json", jwks.jwks),
    ("GET", "/.well-known/openid-configuration", jwks.openid_configuration),
    ("GET", "/.well-known/oauth-authorization-server", jwks.oauth_authorization_server),
    ("POST", "/signup", require_captcha(signup.sign_up)),
    ("POST", "/token", token.token),
    ("GET", "/user", user.get_user),
    ("PUT", "/user", user.update_user),
    ("POST", "/logout", logout.logout),
    ("POST", "/recover", require_captcha(recover.recover)),
    ("GET", "/reauthenticate", in_person(reauthenticate.reauthenticate)),
    ("POST", "/otp", require_captcha(otp.otp)),
    ("POST", "/magiclink", require_captcha(otp.magic_link)),
    ("POST", "/resend", require_captcha(resend.resend)),
    ("GET", "/verify", verify.verify_get),
    ("POST", "/verify", verify.verify_post),
    ("POST", "/sso", sso.single_sign_on),
    ("GET", "/admin/users", users.list_users),
    ("POST", "/admin/users", create_user.create_user),
    ("GET", "/admin/users/{user_id}", users.get_user),
    ("PUT", "/admin/users/{user_id}", users.update_user),
    ("DELETE", "/admin/users/{user_id}", users.delete_user),
    ("GET", "/admin/users/{user_id}/factors", admin_factors.list_factors),
    ("PUT", "/admin/users/{user_id}/factors/{factor_id}", admin_factors.update_factor),
    ("DELETE", "/admin/users/{user_id}/factors/{factor_id}", admin_factors.delete_factor),
    ("GET", "/admin/users/{user_id}/passkeys", admin_passkeys.list_passkeys),
    ("DELETE", "/admin/users/{user_id}/passkeys/{passkey_id}", admin_passkeys.delete_passkey),
    ("GET", "/admin/sso/providers", sso_providers.list_all),
    ("POST", "/admin/sso/providers", sso_providers.create),
    ("GET", "/admin/sso/providers/{idp_id}", sso_providers.get),
    ("PUT", "/admin/sso/providers/{idp_id}", sso_providers.update),
    ("DELETE", "/admin/sso/providers/{idp_id}", sso_providers.delete),
    ("GET", "/admin/audit", audit.list_audit),
    ("POST", "/admin/generate_link", generate_link.generate_link),
    ("POST", "/invite", invite.invite),
    ("POST", "/admin/oauth/clients", oauth_clients.create),
    ("GET", "/admin/oauth/clients", oauth_clients.list_all),
    ("GET", "/admin/oauth/clients/{client_id}", oauth_clients.get),
    ("PUT", "/admin/oauth/clients/{client_id}", oauth_clients.update),
    ("DELETE", "/admin/oauth/clients/{client_id}", oauth_clients.delete),
    ("POST", "/admin/oauth/clients/{client_id}/regenerate_secret", oauth_clients.regenerate_secret),
    ("POST", "/factors", in_person(enroll.enroll)),
    ("POST", "/factors/{factor_id}/challenge", in_person(challenge.challenge)),
    ("POST", "/factors/{factor_id}/verify", in_person(mfa_verify.verify)),
    ("DELETE", "/factors/{factor_id}", in_person(unenroll.unenroll)),
    ("POST", "/passkeys/registration/options", in_person(registration.registration_options)),
    ("POST", "/passkeys/registration/verify", in_person(registration.registration_verify)),
    ("POST", "/passkeys/authentication/options", require_captcha(authentication.authentication_options)),
    ("POST", "/passkeys/authentication/verify", authentication.authentication_verify),
    ("GET", "/passkeys", manage.list_own),
    ("PATCH", "/passkeys/{passkey_id}", in_person(manage.rename)),
    ("DELETE", "/passkeys/{passkey_id}", in_person(manage.remove)),
    ("GET", "/authorize", external.authorize),
    ("GET", "/callback", external.callback),
    ("POST", "/callback", external.callback),
    ("GET", "/user/identities/authorize", in_person(identity.link)),
    ("DELETE", "/user/identities/{identity_id}", in_person(identity.unlink)),
    ("POST", "/oauth/clients/register", clients.register_itself),
    ("GET", "/oauth/authorize", authorize.authorize),
    ("POST", "/oauth/token", oauth_token.token),
    ("GET", "/oauth/userinfo", grants.userinfo),
    ("GET", "/oauth/authorizations/{authorization_id}", in_person(consent.details)),
    ("POST", "/oauth/authorizations/{authorization_id}/consent", in_person(consent.consent)),
    ("GET", "/user/oauth/grants", grants.list_grants),
    ("DELETE", "/user/oauth/grants", in_person(grants.revoke_grant)),
    ("GET", "/admin/custom-providers", custom_providers.list_all),
    ("POST", "/admin/custom-providers", custom_providers.create),
    ("GET", "/admin/custom-providers/{identifier}", custom_providers.get),
    ("PUT", "/admin/custom-providers/{identifier}", custom_providers.update),
    ("DELETE", "/admin/custom-providers/{identifier}", custom_providers.delete),
    ("GET", "/scim/v2/{rest:path}", unsupported.scim_off),
    ("GET", "/sso/saml/metadata", saml.metadata),
    ("POST", "/sso/saml/acs", samlacs.saml_acs),
)
