"""What an identity provider says of a person, and what is taken of it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

EMAIL_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"
UNSPECIFIED_FORMAT = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"
PERSISTENT_FORMAT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"
TRANSIENT_FORMAT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient"
_SUBJECT_ID = "urn:oasis:names:tc:SAML:attribute:subject-id"
_EMAIL_NAMES = (
    "urn:oid:0.9.2342.19200300.100.1.3",
    "http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress",
    "http://schemas.xmlsoap.org/claims/EmailAddress",
    "mail",
    "email",
)


@dataclass(frozen=True)
class Attribute:
    """A named list of values."""

    name: str
    friendly_name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Assertion:
    """A checked assertion. `ends_at` is when the session must end, if the provider says so."""

    id: str
    name_id: str
    name_id_format: str
    attributes: tuple[Attribute, ...]
    valid_until: datetime
    ends_at: datetime | None

    def values(self, name: str) -> list[str]:
        """All values under a name or friendly name, in any case."""
        asked = name.casefold()
        return [
            value
            for one in self.attributes
            if asked in (one.name.casefold(), one.friendly_name.casefold())
            for value in one.values
        ]

    @property
    def user_id(self) -> str:
        """What names the person for good: the subject-id, else the name; "" for one that changes each time."""
        subject = self.values(_SUBJECT_ID)
        if subject:
            return subject[0]
        if self.name_id_format == EMAIL_FORMAT:
            return self.name_id.strip().lower()
        return "" if self.name_id_format == TRANSIENT_FORMAT else self.name_id

    @property
    def email(self) -> str:
        """The best guess."""
        found = (value for name in _EMAIL_NAMES for value in self.values(name) if value)
        return next(found, self.name_id if self.name_id_format == EMAIL_FORMAT else "")

    def mapped(self, mapping: Mapping[str, Any]) -> dict[str, Any]:
        """Claims by an attribute mapping, {"keys": {claim: {"name", "names", "default", "array"}}}."""
        claims: dict[str, Any] = {}
        for claim, rule in (mapping.get("keys") or {}).items():
            names = [name for name in (rule.get("name"), *(rule.get("names") or ())) if name]
            found = next((values for name in names if (values := [one for one in self.values(name) if one])), None)
            if found:
                claims[claim] = found if rule.get("array") else found[0]
            elif rule.get("default") is not None:
                claims[claim] = rule["default"]
        return claims
