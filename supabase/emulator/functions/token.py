"""`verify_jwt`: the token that a call must bring. Pure; the time comes in as an argument.

Only the signature and the expiry are checked, as in the original: the anon key is good enough.
"""

from emulator.asgi.headers import find_header
from emulator.asgi.types import Headers
from emulator.functions import errors
from emulator.jwt import JwtError, KeySet, MalformedToken, read_header

_ASYMMETRIC = ("ES256", "RS256")


def check_token(headers: Headers, keys: KeySet, now: float) -> None:
    """Raise FunctionError unless the request carries a token that one of the keys has signed and that still holds."""
    authorization = find_header(headers, b"authorization")
    if authorization is None:
        raise errors.missing_token()
    parts = authorization.split()
    if len(parts) != 2 or parts[0].lower() != b"bearer":
        raise errors.malformed_token()
    token = parts[1].decode("latin-1")
    try:
        alg = read_header(token).get("alg")
    except MalformedToken as error:
        raise errors.malformed_token() from error
    if alg != "HS256" and alg not in _ASYMMETRIC:
        raise errors.unsupported_algorithm(str(alg))
    refusal = errors.invalid_asymmetric_token() if alg in _ASYMMETRIC else errors.invalid_token()
    try:
        expires = keys.verify(token).get("exp")
    except JwtError as error:
        raise refusal from error
    if expires is not None and not (_is_number(expires) and now < expires):
        raise refusal


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
