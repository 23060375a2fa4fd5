"""Which tokens are accepted, which role they give, and the message of every refusal."""

import json
from typing import Any

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from emulator.errors import ApiError
from emulator.jwt import sign
from emulator.rest.auth.authenticator import Authenticator
from emulator.rest.service import build_authenticator
from emulator.rest.settings import RestSettings

SECRET = "a secret that is long enough for HS256"


NOW = 1_000_000


def authenticator(**settings: str) -> Authenticator:
    """Build one for a secret and an anonymous role."""
    env = {"PGRST_JWT_SECRET": SECRET, "PGRST_DB_ANON_ROLE": "anon"} | settings
    return build_authenticator(RestSettings.from_env({key: value for key, value in env.items() if value}))


def bearer(**claims: object) -> str:
    """Sign claims."""
    return f"Bearer {sign(claims, SECRET)}"


REFUSED = [
    pytest.param("Bearer ", "PGRST301", "Empty JWT is sent in Authorization header", id="empty"),
    pytest.param("Bearer a.b", "PGRST301", "Expected 3 parts in JWT; got 2", id="two parts"),
    pytest.param(f"Bearer {sign({}, 'x' * 40)}", "PGRST301", "No suitable key or wrong key type", id="signature"),
    pytest.param("Bearer eyJhbGciOiJub25lIn0.e30.", "PGRST301", "Wrong or unsupported encoding algorithm", id="none"),
    pytest.param(
        f"Bearer {pyjwt.api_jws.encode(b'[]', SECRET, 'HS256')}", "PGRST303", "Parsing claims failed", id="no claims"
    ),
    pytest.param(bearer(exp=NOW - 31), "PGRST303", "JWT expired", id="expired"),
    pytest.param(bearer(exp=NOW + 0.5), "PGRST303", "JWT expired", id="a fraction counts as zero"),
    pytest.param(bearer(nbf=NOW + 31), "PGRST303", "JWT not yet valid", id="not yet"),
    pytest.param(bearer(iat=NOW + 31), "PGRST303", "JWT issued at future", id="from the future"),
    pytest.param(bearer(aud="other"), "PGRST303", "JWT not in audience", id="audience"),
    pytest.param(
        bearer(aud=[1]), "PGRST303", "The JWT 'aud' claim must be a string or an array of strings", id="aud type"
    ),
    pytest.param(bearer(exp="soon"), "PGRST303", "The JWT 'exp' claim must be a number", id="exp type"),
]


@pytest.mark.parametrize(("header", "code", "message"), REFUSED)
def test_a_bad_token_is_refused(header: str, code: str, message: str) -> None:
    with pytest.raises(ApiError) as refused:
        authenticator(PGRST_JWT_AUD="mine").authenticate(header, NOW)
    assert (refused.value.status, refused.value.code, refused.value.message) == (401, code, message)
    assert refused.value.headers[0][1].endswith(f'error_description="{message}"')


ACCEPTED = [
    pytest.param(None, "anon", b'{"role":"anon"}', id="nothing"),
    pytest.param("Basic eDp5", "anon", b'{"role":"anon"}', id="another scheme"),
    pytest.param(bearer(role="member", sub="s"), "member", b'{"role":"member","sub":"s"}', id="role"),
    pytest.param(bearer(sub="s"), "anon", b'{"sub":"s","role":"anon"}', id="no role"),
    pytest.param(bearer(role=None), "null", b'{"role":"null"}', id="a null role"),
    pytest.param(bearer(exp=NOW - 29, nbf=NOW + 29, iat=NOW + 29), "anon", None, id="leeway"),
    pytest.param(bearer(aud=[]), "anon", None, id="an empty audience"),
    pytest.param("bEaReR " + sign({"role": "x"}, SECRET), "x", None, id="scheme in any case"),
]


@pytest.mark.parametrize(("header", "role", "claims"), ACCEPTED)
def test_a_good_token_gives_its_role(header: str | None, role: str, claims: bytes | None) -> None:
    principal = authenticator(PGRST_JWT_AUD="mine").authenticate(header, NOW)
    assert principal.role == role
    assert claims is None or principal.claims_json.encode() == claims


def test_expiry_is_checked_again_for_a_cached_token() -> None:
    known, header = authenticator(), bearer(exp=NOW + 10)
    assert known.authenticate(header, NOW).role == "anon"
    assert known.authenticate(header, NOW).role == "anon"
    assert known.tokens.hits == 1
    with pytest.raises(ApiError, match="JWT expired"):
        known.authenticate(header, NOW + 41)


def test_without_secret_or_anonymous_role() -> None:
    with pytest.raises(ApiError, match="Server lacks JWT secret"):
        authenticator(PGRST_JWT_SECRET="").authenticate(bearer(), NOW)
    with pytest.raises(ApiError, match="Anonymous access is disabled"):
        authenticator(PGRST_DB_ANON_ROLE="").authenticate(None, NOW)


@pytest.mark.parametrize("alg", ["RS256", "ES256"])
def test_a_key_set_verifies_asymmetric_signatures(alg: str) -> None:
    """A key set: the token's kid must be in it, and the key's algorithm is the only one it may use."""
    private, public = _key_pair(alg)
    key_set = json.dumps({"keys": [{**public, "kid": "one", "alg": alg, "use": "sig"}]})
    known = authenticator(PGRST_JWT_SECRET=key_set)
    token = pyjwt.encode({"role": "member"}, private, algorithm=alg, headers={"kid": "one"})
    assert known.authenticate(f"Bearer {token}", NOW).role == "member"
    stranger = pyjwt.encode({"role": "member"}, private, algorithm=alg, headers={"kid": "two"})
    forged = pyjwt.encode({"role": "member"}, key_set.encode().ljust(64, b"x")[:64], algorithm="HS256")
    for bad in (stranger, forged):
        with pytest.raises(ApiError) as refused:
            known.authenticate(f"Bearer {bad}", NOW)
        assert refused.value.code == "PGRST301"


def _key_pair(alg: str) -> tuple[Any, dict[str, Any]]:
    if alg == "RS256":
        private_rsa = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        return private_rsa, json.loads(RSAAlgorithm.to_jwk(private_rsa.public_key()))
    private = ec.generate_private_key(ec.SECP256R1())
    return private, json.loads(ECAlgorithm.to_jwk(private.public_key()))


def test_who_was_authenticated_is_still_so_while_the_token_is_current() -> None:
    known = authenticator()
    member = known.authenticate(bearer(role="member", exp=NOW + 60, nbf=NOW), NOW)
    nobody = known.authenticate(None, NOW)
    before = known.tokens.lookups, known.tokens.hits
    assert [known.is_still(member, NOW + after) for after in (-31, -30, 0, 90, 91)] == [False, True, True, True, False]
    assert (known.tokens.lookups, known.tokens.hits) == (before[0] + 3, before[1] + 3), "as many as were accepted"
    assert known.is_still(nobody, NOW)
    unkept = authenticator(PGRST_JWT_CACHE_MAX_ENTRIES="0")
    assert not unkept.is_still(unkept.authenticate(bearer(role="member"), NOW), NOW)
    assert unkept.is_still(unkept.authenticate(None, NOW), NOW)
