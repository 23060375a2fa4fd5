"""Tokens in URLs: what they are for, and whether one is for this object."""

from enum import StrEnum
from typing import Any

from emulator.storage.errors import invalid_input, invalid_jwt, invalid_signature
from emulator.storage.service import Context
from emulator.storage.tokens import TokenError


class Scope(StrEnum):
    """What a token permits."""

    DOWNLOAD = "download"
    UPLOAD = "upload"


def verify_signature(context: Context, scope: Scope) -> dict[str, Any]:
    """The claims of the query's token. Raises StorageError unless it is for this object and purpose."""
    token = context.request.query.get("token")
    if token is None:
        raise invalid_input("querystring must have required property 'token'")
    if not isinstance(token, str):
        raise invalid_input("querystring/token must be string")
    return verify_token(context, token, f"{context.request.bucket}/{context.request.key}", scope)


def verify_token(context: Context, token: str, url: str, scope: Scope) -> dict[str, Any]:
    """The same for a token that came elsewhere."""
    try:
        claims = context.service.tokens.claims(token)
    except TokenError as error:
        raise invalid_jwt(str(error)) from error
    if _scope_of(claims) != scope:
        raise invalid_signature(f"Token is not scoped for {scope.value}")
    if claims.get("url") != url:
        raise invalid_signature()
    return claims


def _scope_of(claims: dict[str, Any]) -> object:
    """Tokens of before there were scopes: those for uploads say whether they may overwrite."""
    if "scope" in claims:
        return claims["scope"]
    return Scope.UPLOAD if "upsert" in claims else Scope.DOWNLOAD
