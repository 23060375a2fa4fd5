"""Tokens: what the keys signed is believed, and nothing else."""

import base64
import hmac
import json
import subprocess
import sys

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from emulator import jwt
from emulator.principal import Principal

SECRET = "a-secret-of-more-than-thirty-two-bytes!!"
CLAIMS = {"sub": "1", "role": "authenticated"}


def _encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


def _ec_jwk(kid: str) -> dict[str, str]:
    made = json.loads(ECAlgorithm.to_jwk(ec.generate_private_key(ec.SECP256R1())))
    return {**made, "kid": kid, "alg": "ES256"}


def _public(jwk: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in jwk.items() if name not in ("d", "p", "q", "dp", "dq", "qi", "key_ops")}


def test_a_shared_secret_signs_and_verifies() -> None:
    assert jwt.KeySet.parse(SECRET).verify(jwt.sign(CLAIMS, SECRET)) == CLAIMS


@pytest.mark.parametrize("secret", [SECRET, SECRET.encode()], ids=["text", "bytes"])
@pytest.mark.parametrize("headers", [None, {"kid": "one"}], ids=["no kid", "kid"])
def test_a_shared_secret_signs_as_any_library_does(secret: str | bytes, headers: dict[str, str] | None) -> None:
    assert jwt.sign(CLAIMS, secret, headers) == pyjwt.encode(CLAIMS, secret, "HS256", headers)


@pytest.mark.parametrize("alg", ["HS256", "HS384", "HS512"])
def test_a_shared_secret_verifies_each_digest(alg: str) -> None:
    secret = SECRET + SECRET
    token = pyjwt.encode(CLAIMS, secret, alg)
    assert jwt.KeySet.parse(secret).verify(token) == CLAIMS
    oct_key = {"kty": "oct", "k": base64.urlsafe_b64encode(secret.encode()).decode(), "alg": alg}
    assert jwt.KeySet.parse(json.dumps(oct_key)).verify(token) == CLAIMS
    head, payload, signature = token.split(".")
    for forged in ("", signature[:-4], signature[::-1]):
        with pytest.raises(jwt.BadSignature):
            jwt.KeySet.parse(secret).verify(f"{head}.{payload}.{forged}")


def test_a_shared_secret_needs_no_cryptography() -> None:
    """It would take 9 MiB and 50 ms of every process."""
    code = "import sys, emulator.jwt as j; j.KeySet.parse('s').verify(j.sign({}, 's')); assert 'jwt' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_another_secret_is_refused() -> None:
    with pytest.raises(jwt.BadSignature):
        jwt.KeySet.parse(SECRET).verify(jwt.sign(CLAIMS, SECRET + "?"))


@pytest.mark.parametrize("alg", ["none", "None", "NONE", "PS256", "", None, 1], ids=str)
def test_unsigned_and_unknown_algorithms_are_refused(alg: object) -> None:
    token = f"{_encoded({'alg': alg})}.{_encoded(CLAIMS)}."
    with pytest.raises(jwt.UnsupportedAlgorithm):
        jwt.KeySet.parse(SECRET).verify(token)


def test_a_public_key_is_no_shared_secret() -> None:
    """Key confusion: HS256 with the bytes of the public key must not pass."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    jwk = json.dumps({**json.loads(RSAAlgorithm.to_jwk(key.public_key())), "kid": "r"})
    signed = f"{_encoded({'alg': 'HS256', 'kid': 'r'})}.{_encoded(CLAIMS)}"
    digest = hmac.digest(jwk.encode(), signed.encode(), "sha256")
    with pytest.raises(jwt.NoSuitableKey):
        jwt.KeySet.parse(jwk).verify(f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}")


def test_a_private_key_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """An RSA key is checked when it is read: 45 ms, in which nobody else is answered."""
    made = json.loads(RSAAlgorithm.to_jwk(rsa.generate_private_key(public_exponent=65537, key_size=2048)))
    key = {**made, "kid": "r", "alg": "RS256"}
    keys = jwt.KeySet.parse(json.dumps({name: key[name] for name in ("kty", "n", "e", "kid", "alg")}))
    from_jwk = RSAAlgorithm.from_jwk
    read = []

    def noted(jwk: dict[str, str]) -> object:
        read.append("d" in jwk)
        return from_jwk(jwk)

    monkeypatch.setattr(RSAAlgorithm, "from_jwk", staticmethod(noted))
    assert [keys.verify(jwt.sign({**CLAIMS, "n": n}, dict(key)))["n"] for n in range(3)] == [0, 1, 2]
    assert read.count(True) == 1


def test_a_key_set_picks_the_key_by_its_kid() -> None:
    first, second = _ec_jwk("one"), _ec_jwk("two")
    keys = jwt.KeySet.parse(json.dumps({"keys": [_public(first), _public(second)]}))
    assert keys.verify(jwt.sign(CLAIMS, second)) == CLAIMS
    stranger = {**_ec_jwk("three")}
    with pytest.raises(jwt.NoSuitableKey):
        keys.verify(jwt.sign(CLAIMS, stranger))


def test_a_named_key_must_be_that_key_when_strict() -> None:
    token = jwt.sign(CLAIMS, SECRET, {"kid": "unknown"})
    assert jwt.KeySet.parse(SECRET).verify(token) == CLAIMS
    with pytest.raises(jwt.NoSuitableKey):
        jwt.KeySet.parse(SECRET).verify(token, strict_kid=True)


@pytest.mark.parametrize(
    "token", ["", "a", "a.b", "a.b.c", "a.b.c.d", "é.b.c", "....", f"{_encoded([])}.{_encoded(CLAIMS)}.x"], ids=repr
)
def test_what_is_no_token_is_malformed(token: str) -> None:
    with pytest.raises(jwt.MalformedToken):
        jwt.KeySet.parse(SECRET).verify(token)


@pytest.mark.parametrize("payload", [b"[]", b"1", b"{", b"", b"\xff", b"[" * 100_000], ids=lambda text: repr(text[:4]))
def test_claims_are_read_after_the_signature(payload: bytes) -> None:
    keys = jwt.KeySet.parse(SECRET)
    token = pyjwt.api_jws.encode(payload, SECRET, "HS256")
    with pytest.raises(jwt.MalformedClaims):
        keys.verify(token)
    with pytest.raises(jwt.BadSignature):
        keys.verify(pyjwt.api_jws.encode(payload, SECRET + "?", "HS256"))


@pytest.mark.parametrize(
    ("jwk", "why"),
    [
        ({"kty": "magic"}, "unsupported key type"),
        ({"kty": "oct"}, "without k"),
        ({"kty": "oct", "k": 1}, "without k"),
        ({"kty": "oct", "k": "é"}, "base64url"),
        ({"kty": "oct", "k": "YQ", "alg": "RS256"}, "not for RS256"),
        ({"kty": "EC", "crv": "P-256", "x": "AA", "y": "AA"}, "unusable key"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_unusable_key_is_said_so(jwk: dict[str, object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        jwt.KeySet.parse(json.dumps(jwk))


def test_a_key_of_a_project_is_read_with_the_first_token_for_it() -> None:
    """Its reading loads 9 MiB; a point that is not on the curve is refused at once."""
    jwk = _ec_jwk("one")
    script = (
        "import sys; from emulator.jwt import KeySet; KeySet.parse(sys.argv[1]); print('cryptography' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, json.dumps(jwk)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
    for wrong in ({**jwk, "y": jwk["x"]}, {**jwk, "x": jwk["x"][:-4]}, {**jwk, "alg": "RS256"}, {**jwk, "y": 1}):
        with pytest.raises(ValueError, match=r"."):
            jwt.KeySet.parse(json.dumps(wrong))


@pytest.mark.parametrize("alg", [None, "HS256", "HS512"])
def test_a_secret_may_be_a_jwk(alg: str | None) -> None:
    raw = b"\xff\x00 a secret of any bytes, long enough for every digest there is."
    jwk = {"kty": "oct", "k": base64.urlsafe_b64encode(raw).rstrip(b"=").decode(), **({"alg": alg} if alg else {})}
    signed = pyjwt.encode(CLAIMS, raw, alg or "HS256")
    assert jwt.KeySet.parse(json.dumps({"keys": [jwk]})).verify(signed) == CLAIMS


def test_what_is_kept_of_tokens_is_bounded() -> None:
    """By number and by length; the oldest goes first, and 0 keeps none."""
    kept, none = jwt.VerifiedTokens(2), jwt.VerifiedTokens(0)
    names = ("ada", "ben", "cy", "x" * (jwt.MAX_KEPT_CHARS + 1))
    made = {name: Principal("anon", {"sub": name}) for name in names}
    for name, principal in made.items():
        assert (kept.find(name), none.find(name)) == (None, None)
        kept.keep(name, principal)
        none.keep(name, principal)
    assert [kept.find(name) for name in names] == [None, made["ben"], made["cy"], None]
    assert (kept.lookups, kept.hits, none.hits) == (8, 2, 0)
