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
class ProviderTokens:
    """The provider's own tokens; the client gets the first two."""

    access_token: str
    refresh_token: str
    id_token: str = ""


@dataclass(frozen=True)
class CustomRules:
    """What an admin said of a registered provider: parameters to send, claims to rename, claims to keep."""

    by_id_token: bool
    authorization_params: Json
    attribute_mapping: Json
    kept_claims: tuple[str, ...]


@dataclass(frozen=True)
class Provider:
    """A usable provider."""

    settings: ProviderSettings
    endpoints: Endpoints
    scopes: str
    pkce: bool
    custom: CustomRules | None = None

    @property
    def name(self) -> str:
        """As in `provider=`."""
        return self.settings.name


def provider_failure(message: str = "Error getting user profile from external provider") -> ApiError:
    """The provider did not do its part."""
    return errors.unexpected_failure(message)


def person(
    subject: object, emails: tuple[ProviderEmail, ...], *, custom_claims: Json | None = None, **claims: object
) -> UserProvidedData:
    """A person with GoTrue's claims; empty ones are left out, but for `custom_claims`, which may be {}.

    `provider_id` is GoTrue's older name of the subject. Raises an error without a code when there is no subject.
    """
    found = str(subject) if subject else ""
    if not found:
        raise ApiError(500, "", "error missing provider id")
    named = {"sub": found, "provider_id": found, **claims}
    extra = {} if custom_claims is None else {"custom_claims": custom_claims}
    return UserProvidedData(found, emails, {name: value for name, value in named.items() if value} | extra)


def text_of(raw: Json, name: str) -> str:
    """A text of a provider's document, "" for anything else."""
    value = raw.get(name)
    return value if isinstance(value, str) else ""


def only_email(raw: Json, verified: bool) -> tuple[ProviderEmail, ...]:
    """The address of a document that has at most one."""
    email = text_of(raw, "email")
    return (ProviderEmail(email, verified),) if email else ()
