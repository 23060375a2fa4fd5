"""Values that dotenvx encrypted. They are made here as eciesjs makes them: a random key, ECDH, HKDF, AES-GCM."""

import base64
import os

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from muster_cli.project.encrypted import DecryptionError, decrypt, private_keys

FIELD = 2**256 - 2**32 - 977


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def _multiply(scalar: int, point: tuple[int, int]) -> tuple[int, int]:
    """Plain double-and-add: the exchange of the library gives one coordinate only."""
    result: tuple[int, int] | None = None
    while scalar:
        if scalar & 1:
            result = point if result is None else _add(result, point)
        point = _add(point, point)
        scalar >>= 1
    assert result is not None
    return result


def _add(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    if one == other:
        slope = 3 * one[0] ** 2 * pow(2 * one[1], -1, FIELD)
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, FIELD)
    x = (slope**2 - one[0] - other[0]) % FIELD
    return x, (slope * (one[0] - x) - one[1]) % FIELD


def sealed(text: str, receiver: ec.EllipticCurvePrivateKey) -> str:
    ephemeral = ec.generate_private_key(ec.SECP256K1())
    numbers = receiver.public_key().public_numbers()
    x, y = _multiply(ephemeral.private_numbers().private_value, (numbers.x, numbers.y))
    public = _point(ephemeral.public_key())
    key = HKDF(SHA256(), 32, salt=None, info=None).derive(public + b"\x04" + x.to_bytes(32) + y.to_bytes(32))
    nonce = os.urandom(16)
    both = AESGCM(key).encrypt(nonce, text.encode(), None)
    return "encrypted:" + base64.b64encode(public + nonce + both[-16:] + both[:-16]).decode()


RECEIVER = ec.generate_private_key(ec.SECP256K1())
KEY = f"{RECEIVER.private_numbers().private_value:064x}"


def test_the_key_opens_it() -> None:
    for text in ("s3cret", "", "zażółć"):
        assert decrypt(sealed(text, RECEIVER), ["00" * 31 + "01", KEY]) == text


@pytest.mark.parametrize(
    ("value", "keys", "said"),
    [
        pytest.param("encrypted:%%%", [KEY], "is not base64", id="base64"),
        pytest.param("encrypted:AAAA", [KEY], "is too short", id="short"),
        pytest.param("encrypted:" + base64.b64encode(bytes(120)).decode(), [KEY], "any of the keys", id="no-point"),
        pytest.param(sealed("x", RECEIVER), ["12" * 32], "any of the keys", id="other-key"),
        pytest.param(sealed("x", RECEIVER), ["no hex"], "any of the keys", id="no-key"),
        pytest.param(sealed("x", RECEIVER), [], "needs the variable DOTENV_PRIVATE_KEY", id="missing"),
    ],
)
def test_what_can_not_be_opened_says_why(value: str, keys: list[str], said: str) -> None:
    with pytest.raises(DecryptionError, match=said):
        decrypt(value, keys)


def test_the_environment_s_key_goes_first() -> None:
    env = {
        "SUPABASE_ENV": "production", "DOTENV_PRIVATE_KEY": "a, b", "DOTENV_PRIVATE_KEY_PRODUCTION": "c", "OTHER": "d",
    }  # fmt: skip
    assert private_keys(env) == ["c", "a", "b"]
