"""/admin/custom-providers: OAuth 2.0 and OpenID Connect providers that admins register, named `custom:…`."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

from psycopg.errors import DataError, IntegrityError
from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.api.auth import require_admin
from emulator.auth.api.provider.custom import discovery_url, require_custom_providers
from emulator.auth.api.provider.loading import Unreachable, fetch_document
from emulator.auth.api.responses import empty_response, json_response
from emulator.auth.context import RequestContext
from emulator.auth.models import custom_oauth_providers
from emulator.auth.models.custom_oauth_providers import CustomOAuthProvider
from emulator.auth.models.payloads import Json, time_text
from emulator.auth.models.sql import Db
from emulator.auth.security.public_urls import require_public_url

PREFIX = "custom:"
# What this service sends itself, and no provider's settings replace.
RESERVED_PARAMS = (
    "client_id", "client_secret", "redirect_uri", "response_type", "state", "code_challenge",
    "code_challenge_method", "code_verifier", "nonce",
)  # fmt: skip
# What no provider decides about an account.
PROTECTED_FIELDS = (
    "id", "aud", "role", "app_metadata", "created_at", "updated_at", "confirmed_at", "email_confirmed_at",
    "phone_confirmed_at", "email_verified", "phone_verified", "banned_until", "is_super_admin",
)  # fmt: skip
_URLS = ("issuer", "discovery_url", "authorization_url", "token_url", "userinfo_url", "jwks_uri")
_DISCOVERED = ("issuer", "authorization_endpoint", "token_endpoint", "jwks_uri")
_KEPT = (
    "userinfo_endpoint", "scopes_supported", "response_types_supported", "grant_types_supported",
    "subject_types_supported",
)  # fmt: skip


@dataclass(frozen=True)
class AdminCustomOAuthProviderParams:
    """The body of POST and PUT; what is absent keeps its value or gets the default."""

    provider_type: str = ""
    identifier: str = ""
    name: str = ""
    client_id: str = ""
    client_secret: str = ""
    acceptable_client_ids: list[str] | None = None
    scopes: list[str] | None = None
    pkce_enabled: bool | None = None
    attribute_mapping: dict[str, Any] | None = None
    custom_claims_allowlist: list[str] | None = None
    authorization_params: dict[str, Any] | None = None
    enabled: bool | None = None
    email_optional: bool | None = None
    issuer: str = ""
    discovery_url: str | None = None
    skip_nonce_check: bool | None = None
    authorization_url: str = ""
    token_url: str = ""
    userinfo_url: str = ""
    jwks_uri: str | None = None


async def list_all(ctx: RequestContext) -> Response:
    """All, or those of `type`."""
    await _require_access(ctx)
    kind = ctx.query("type")
    if kind not in ("", "oauth2", "oidc"):
        raise errors.validation_failed("type must be either 'oauth2' or 'oidc'")
    async with ctx.service.pool.connection() as db:
        found = await custom_oauth_providers.list_providers(db, kind)
    return json_response({"providers": [provider_payload(provider) for provider in found]})


async def get(ctx: RequestContext) -> Response:
    """One provider."""
    await _require_access(ctx)
    async with ctx.service.pool.connection() as db:
        return json_response(provider_payload(await _find(ctx, db)))


async def create(ctx: RequestContext) -> Response:
    """Register a provider; a discovery document is fetched and checked before."""
    await _require_access(ctx)
    params = ctx.params(AdminCustomOAuthProviderParams)
    _check_new(params)
    _check_maps(params)
    limit = ctx.settings.custom_oauth_max_providers
    async with ctx.service.pool.connection() as db:
        if limit and await custom_oauth_providers.count_providers(db) >= limit:
            raise errors.over_custom_provider_quota()
    empty = CustomOAuthProvider(
        uuid4(), params.provider_type, params.identifier, "", "", "", [], [], True, {}, [], {}, True, False, None, None,
        False, None, None, None, None, None, None, ctx.now, ctx.now,
    )  # fmt: skip
    await _check_urls(params, empty)
    async with ctx.service.pool.connection() as db:
        if await custom_oauth_providers.provider_by_identifier(db, params.identifier) is not None:
            raise errors.custom_provider_exists()
    provider = await _with_discovery(ctx, _changed(empty, params))
    try:
        async with ctx.transaction() as db:
            await custom_oauth_providers.insert_provider(db, provider)
    except (IntegrityError, DataError) as error:
        raise _refused_by_table(error) from error
    return json_response(provider_payload(provider), status=201)


async def update(ctx: RequestContext) -> Response:
    """Change the given fields; a new issuer or discovery URL is looked up again."""
    await _require_access(ctx)
    async with ctx.service.pool.connection() as db:
        provider = await _find(ctx, db)
    params = ctx.params(AdminCustomOAuthProviderParams)
    _check_maps(params)
    await _check_urls(params, provider)
    provider = _changed(provider, params)
    if params.issuer or params.discovery_url is not None:
        provider = await _with_discovery(ctx, provider)
    try:
        async with ctx.transaction() as db:
            provider = await custom_oauth_providers.update_provider(db, provider, ctx.now)
    except (IntegrityError, DataError) as error:
        raise _refused_by_table(error) from error
    return json_response(provider_payload(provider))


async def delete(ctx: RequestContext) -> Response:
    """Delete a provider; accounts keep their identities."""
    await _require_access(ctx)
    async with ctx.transaction() as db:
        await custom_oauth_providers.delete_provider(db, await _find(ctx, db))
    return empty_response()


async def _require_access(ctx: RequestContext) -> None:
    await require_admin(ctx)
    require_custom_providers(ctx)


async def _find(ctx: RequestContext, db: Db) -> CustomOAuthProvider:
    identifier = ctx.request.path_params["identifier"].replace("\0", "")
    _check_prefix(identifier)
    found = await custom_oauth_providers.provider_by_identifier(db, identifier)
    if found is None:
        raise errors.custom_provider_not_found()
    return found


def _check_prefix(identifier: str) -> None:
    if not identifier.startswith(PREFIX):
        raise errors.validation_failed(f"identifier must start with 'custom:' prefix, e.g. 'custom:{identifier}'")


def _check_new(params: AdminCustomOAuthProviderParams) -> None:
    if params.provider_type not in ("oauth2", "oidc"):
        raise errors.validation_failed("provider_type must be either 'oauth2' or 'oidc'")
    if not params.identifier:
        raise errors.validation_failed("identifier is required")
    _check_prefix(params.identifier)
    for name in ("name", "client_id", "client_secret"):
        if not getattr(params, name):
            raise errors.validation_failed(f"{name} is required")
    if params.provider_type == "oidc" and not params.issuer:
        raise errors.validation_failed("issuer is required for OIDC providers")
    for name in ("authorization_url", "token_url", "userinfo_url") if params.provider_type == "oauth2" else ():
        if not getattr(params, name):
            raise errors.validation_failed(f"{name} is required for OAuth2 providers")


def _check_maps(params: AdminCustomOAuthProviderParams) -> None:
    for key, value in (params.authorization_params or {}).items():
        if key in RESERVED_PARAMS:
            raise errors.validation_failed(f"Cannot override reserved OAuth parameter: {key}")
        if not isinstance(value, str):
            raise errors.validation_failed(f'Authorization parameter "{key}" must be a string')
    for key in params.attribute_mapping or {}:
        if key in PROTECTED_FIELDS:
            raise errors.validation_failed(f"Cannot map to protected system field: {key}")
    if any(not key.strip() for key in params.custom_claims_allowlist or ()):
        raise errors.validation_failed("custom_claims_allowlist entries must be non-empty strings")


async def _check_urls(params: AdminCustomOAuthProviderParams, provider: CustomOAuthProvider) -> None:
    is_oidc = provider.provider_type == "oidc"
    for name in _URLS[:2] if is_oidc else _URLS[2:]:
        if getattr(params, name):
            await require_public_url(getattr(params, name))


def _changed(provider: CustomOAuthProvider, params: AdminCustomOAuthProviderParams) -> CustomOAuthProvider:
    """The provider with what the body gives; fields of the other type are left alone."""
    is_oidc = provider.provider_type == "oidc"
    texts = ("name", "client_id", "client_secret", *(_URLS[:2] if is_oidc else _URLS[2:]))
    changes: Json = {name: getattr(params, name) for name in texts if getattr(params, name)}
    others = (
        "acceptable_client_ids", "scopes", "pkce_enabled", "attribute_mapping", "custom_claims_allowlist",
        "authorization_params", "enabled", "email_optional", *(("skip_nonce_check",) if is_oidc else ()),
    )  # fmt: skip
    changes |= {name: getattr(params, name) for name in others if getattr(params, name) is not None}
    provider = replace(provider, **changes)
    if is_oidc and "openid" not in provider.scopes:
        provider = replace(provider, scopes=["openid", *provider.scopes])
    return provider


async def _with_discovery(ctx: RequestContext, provider: CustomOAuthProvider) -> CustomOAuthProvider:
    """With what its issuer says of itself: a wrong address shows here, not when somebody signs in."""
    if provider.provider_type != "oidc":
        return provider
    url = discovery_url(provider)
    failed = f'OIDC discovery from "{url}" failed: oidc: '
    try:
        document = await fetch_document(ctx, url)
    except Unreachable as error:
        raise errors.validation_failed(f"{failed}discovery request to {url} failed: {error.reason}") from error
    if document.get("issuer") != provider.issuer:
        text = f'issuer mismatch, expected "{provider.issuer}" got "{document.get("issuer") or ""}"'
        raise errors.validation_failed(failed + text)
    missing = [name for name in _DISCOVERED if not document.get(name)]
    if missing:
        raise errors.validation_failed(f"OIDC discovery document is missing required fields: {', '.join(missing)}")
    kept = {name: document[name] for name in (*_DISCOVERED, *_KEPT) if document.get(name)}
    return replace(provider, cached_discovery=kept, discovery_cached_at=ctx.now)


def _refused_by_table(error: IntegrityError | DataError) -> Exception:
    """A value that a constraint of the table refuses: its length, or the form of the identifier."""
    name = error.diag.constraint_name or ""
    if name == "custom_oauth_providers_identifier_key":
        return errors.custom_provider_exists()
    field = name.removeprefix("custom_oauth_providers_")
    return errors.validation_failed(f"invalid value: {field}" if field else "invalid value")


def provider_payload(provider: CustomOAuthProvider) -> Json:
    """The provider in a response, without its secret."""
    hidden = ("client_secret", "discovery_cached_at", "cached_discovery", *_URLS, "skip_nonce_check")
    payload = {
        name: value for name, value in vars(provider).items()
        if name not in (*hidden, "created_at", "updated_at")
    }  # fmt: skip
    payload |= {"id": str(provider.id)}
    payload |= {name: value for name in _URLS[:2] if (value := getattr(provider, name)) is not None}
    payload |= {"skip_nonce_check": provider.skip_nonce_check}
    payload |= {"discovery_document": provider.cached_discovery} if provider.cached_discovery else {}
    payload |= {name: value for name in _URLS[2:] if (value := getattr(provider, name)) is not None}
    return payload | {"created_at": time_text(provider.created_at), "updated_at": time_text(provider.updated_at)}
