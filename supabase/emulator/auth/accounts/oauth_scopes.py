"""Scopes of the OAuth server, and what each shows of a user (OpenID Connect Core, section 5.4). Pure."""

from collections.abc import Sequence
from typing import Any

from emulator.auth.models.users import User

SCOPES = ("openid", "profile", "email", "phone", "offline_access")


def id_token_claims(user: User, scopes: Sequence[str]) -> dict[str, Any]:
    """The claims about a user in an ID token. Whether an address is verified is always said."""
    claims: dict[str, Any] = {"email_verified": False, "phone_number_verified": False}
    if "email" in scopes:
        claims |= {"email": user.email} if user.email else {}
        claims["email_verified"] = user.email_confirmed_at is not None
    if "phone" in scopes:
        claims |= {"phone_number": user.phone} if user.phone else {}
        claims["phone_number_verified"] = user.phone_confirmed_at is not None
    return claims | (_profile(user) if "profile" in scopes else {})


def user_info(user: User, scopes: Sequence[str]) -> dict[str, Any]:
    """GET /oauth/userinfo. Other than in the ID token, phone numbers have the names of the user's columns."""
    info: dict[str, Any] = {"sub": str(user.id)}
    if "email" in scopes:
        info |= {"email": user.email} if user.email else {}
        info |= {"email_verified": True} if user.email_confirmed_at is not None else {}
    if "profile" in scopes:
        info |= _profile(user)
        info |= {"user_metadata": user.raw_user_meta_data} if user.raw_user_meta_data is not None else {}
    if "phone" in scopes:
        info |= {"phone": user.phone} if user.phone else {}
        info |= {"phone_verified": True} if user.phone_confirmed_at is not None else {}
    return info


def _profile(user: User) -> dict[str, Any]:
    metadata = user.raw_user_meta_data or {}

    def first(*names: str) -> str:
        values = (metadata.get(name) for name in names)
        return next((value for value in values if isinstance(value, str) and value), "")

    shown = {
        "name": first("name") or user.email,
        "picture": first("picture", "avatar_url"),
        "preferred_username": first("preferred_username", "username"),
        "updated_at": int(user.updated_at.timestamp()),
    }
    return {name: value for name, value in shown.items() if value}
