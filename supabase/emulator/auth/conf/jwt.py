"""How access tokens are signed, and which are accepted."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field

from emulator.auth.conf.values import GoInt, GoTrueSettings
from emulator.settings import CommaList, Variable

MIN_SECRET_LENGTH = 16


def _secret(value: str) -> str:
    if len(value) < MIN_SECRET_LENGTH:
        raise ValueError(f"must have at least {MIN_SECRET_LENGTH} characters")
    return value


def _private_keys(value: object) -> object:
    """A JSON list of private JWKs, or a set of them; exactly one of them signs."""
    if not isinstance(value, str):
        return value
    try:
        document = json.loads(value)
        keys = document["keys"] if isinstance(document, dict) else document
        signing = [key for key in keys if "sign" in key.get("key_ops", ())]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError("must be a JSON list of private JWKs") from error
    if len(signing) != 1:
        raise ValueError(f"needs exactly one key with key_ops sign, it has {len(signing)}")
    return tuple(keys)


class JwtSettings(GoTrueSettings):
    """Without `keys` the secret signs, by HS256."""

    secret: Annotated[str, Variable("JWT_SECRET"), AfterValidator(_secret), Field(repr=False)]
    exp_s: Annotated[GoInt, Variable("JWT_EXP")] = 3600
    aud: Annotated[str, Variable("JWT_AUD")] = ""
    issuer: Annotated[str, Variable("JWT_ISSUER")] = ""
    admin_roles: Annotated[CommaList, Variable("JWT_ADMIN_ROLES")] = ("service_role", "supabase_admin")
    default_group: Annotated[str, Variable("JWT_DEFAULT_GROUP_NAME")] = ""
    key_id: Annotated[str, Variable("JWT_KEY_ID")] = ""
    keys: Annotated[
        tuple[Mapping[str, Any], ...], Variable("JWT_KEYS"), BeforeValidator(_private_keys), Field(repr=False)
    ] = ()
    valid_methods: Annotated[CommaList, Variable("JWT_VALID_METHODS")] = ()
