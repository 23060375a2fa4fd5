"""A provider and the people it knows, as values, and what both flows need of it."""

from dataclasses import dataclass
from typing import Any

from emulator.auth import errors
from emulator.auth.conf.external import ProviderSettings
from emulator.errors import ApiError

Json = dict[str, Any]


@dataclass(frozen=True)
class Endpoints:
    """A provider's URLs; `issuer` and `jwks` only of OpenID Connect."""

    authorization: str
    token: str
    userinfo: str = ""
    issuer: str = ""
    jwks: str = ""


@dataclass(frozen=True)
class ProviderEmail:
    """An address of a person, and whether the provider has verified it."""

    email: str
    verified: bool
    primary: bool = True


@dataclass(frozen=True)
class UserProvidedData:
    """A person as a provider knows them. `claims` become identity data and user metadata."""

    subject: str
    emails: tuple[ProviderEmail, ...]
    claims: Json


@dataclass(frozen=True)
class Provider:
    """A usable provider."""

    settings: ProviderSettings
    endpoints: Endpoints
    scopes: str
    pkce: bool

    @property
    def name(self) -> str:
        """As in `provider=`."""
        return self.settings.name


def provider_failure(message: str = "Error getting user profile from external provider") -> ApiError:
    """The provider did not do its part."""
    return errors.unexpected_failure(message)


def named_claims(raw: Json, user_name: str, picture: object) -> Json:
    """Name and picture under each of the claims that GoTrue gives them."""
    claims: Json = {"provider_id": str(raw.get("sub") or raw.get("id") or "")}
    name = raw.get("name")
    if isinstance(name, str) and name:
        claims |= {"name": name, "full_name": name}
    if user_name:
        claims |= {"user_name": user_name, "preferred_username": user_name}
    if isinstance(picture, str) and picture:
        claims |= {"avatar_url": picture, "picture": picture}
    return claims


def user_of_api(endpoints: Endpoints, raw: Json, emails: tuple[ProviderEmail, ...], user_name: str) -> UserProvidedData:
    """A person described by a provider's own user API, which all name the id and the picture alike."""
    subject = str(raw.get("id", ""))
    if not subject:
        raise provider_failure()
    claims = named_claims(raw, user_name, raw.get("avatar_url"))
    return UserProvidedData(subject, emails, {"iss": endpoints.userinfo, "sub": subject, **claims})
