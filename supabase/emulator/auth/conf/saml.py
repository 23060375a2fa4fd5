"""SAML_ENABLED and what belongs to it."""

import base64
import binascii
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field, model_validator

from emulator.auth.conf.values import GoBool, GoSeconds, GoTrueSettings, positive, rate
from emulator.rate_limit import Rate
from emulator.settings import Variable


def _url(value: str) -> str:
    if value and not urlsplit(value).netloc:
        raise ValueError(f"must be a URL, not {value!r}")
    return value


class SamlSettings(GoTrueSettings):
    """The key is RSA, 2048 bits or more, as PKCS #1 in base64. `external_url` is API_EXTERNAL_URL unless it is set."""

    prefix = "GOTRUE_SAML_"
    enabled: GoBool = False
    private_key: Annotated[str, Field(repr=False)] = ""
    private_key_next: Annotated[str, Field(repr=False)] = ""
    allow_encrypted_assertions: GoBool = False
    relay_state_validity_s: Annotated[
        GoSeconds, Variable("RELAY_STATE_VALIDITY_PERIOD"), AfterValidator(positive),
        AfterValidator(lambda value: value or 120),
    ] = 120  # fmt: skip
    external_url: Annotated[str, AfterValidator(_url)] = ""
    assertions: Annotated[Rate, Variable("RATE_LIMIT_ASSERTION"), rate(15, 300, 30)] = Rate(15, 300, 30)

    @model_validator(mode="after")
    def _is_usable(self) -> "SamlSettings":
        if not self.enabled:
            return self
        if not self.private_key:
            raise ValueError("GOTRUE_SAML_PRIVATE_KEY is not set")
        _check_key("GOTRUE_SAML_PRIVATE_KEY", self.private_key)
        if self.private_key_next:
            _check_key("GOTRUE_SAML_PRIVATE_KEY_NEXT", self.private_key_next)
        return self


def _check_key(name: str, encoded: str) -> None:
    from cryptography.hazmat.primitives.asymmetric import rsa
    from cryptography.hazmat.primitives.serialization import load_der_private_key

    try:
        key = load_der_private_key(base64.b64decode(encoded, validate=True), None)
    except (ValueError, TypeError, binascii.Error):
        raise ValueError(f"{name} must be a PKCS#1 private key in base64") from None
    if not isinstance(key, rsa.RSAPrivateKey) or key.key_size < 2048:
        raise ValueError(f"{name} must be at least RSA 2048")
    if key.public_key().public_numbers().e != 65537:
        raise ValueError(f"{name} should use the 65537 (0x10001) RSA public exponent")
