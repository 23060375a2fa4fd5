"""Tokens of sockets and channels: text in, the member they speak for out. Pure but for the clock handed in."""

from dataclasses import dataclass
from urllib.parse import unquote

from emulator.jwt import BadSignature, JwtError, KeySet, MalformedToken, NoSuitableKey, UnsupportedAlgorithm
from emulator.realtime import errors
from emulator.realtime.wire.frames import dump


@dataclass(frozen=True, slots=True)
class Member:
    """Whom a token speaks for: the database role, all claims as JSON text, and until when (Unix seconds)."""

    role: str
    claims: str
    subject: str
    expires_at: float


def read_token(text: str, keys: KeySet, now: float) -> Member:
    """The member of a token; raises errors.Refused with the dialect's reason."""
    token = "".join(unquote(text).split())
    try:
        claims = keys.verify(token)
    except MalformedToken as error:
        raise errors.token_malformed() from error
    except (BadSignature, NoSuitableKey, UnsupportedAlgorithm) as error:
        raise errors.token_signature() from error
    except JwtError as error:
        raise errors.token_malformed() from error
    role, expires_at, issued_at = claims.get("role"), claims.get("exp"), claims.get("iat")
    if not isinstance(role, str) or expires_at is None:
        raise errors.token_lacks_fields()
    if not _is_number(expires_at) or not (issued_at is None or _is_number(issued_at)):
        raise errors.token_time_invalid()
    member = Member(role, dump(claims), str(claims.get("sub") or ""), float(expires_at))
    check_expiry(member, now)
    return member


def check_expiry(member: Member, now: float) -> None:
    """Raises errors.Refused when the token's time is over."""
    if member.expires_at <= now:
        raise errors.token_expired(int(now - member.expires_at))


def is_opaque(token: object) -> bool:
    """Whether this is no token at all but an API key that the gateway has mapped already."""
    return isinstance(token, str) and token.startswith("sb_")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
