"""Verifies tokens by the present time, and remembers those that were good: one principal per token."""

from collections.abc import Mapping

from emulator.clock import Clock
from emulator.jwt import JwtError, KeySet, VerifiedTokens
from emulator.principal import Principal
from emulator.realtime.wire import tokens

MAX_CACHED = 10_000


class TokenVerifier:
    """`keys` verify clients' tokens, which must have the `required` claims; `admin_keys` the administration's."""

    def __init__(self, keys: KeySet, admin_keys: KeySet, required: Mapping[str, object], clock: Clock) -> None:
        self._clock = clock
        self._keys = keys
        self._admin_keys = admin_keys
        self._required = required
        self._verified = VerifiedTokens(MAX_CACHED)

    def verify(self, token: str) -> Principal:
        """The principal of a token; raises errors.Refused. Equal tokens give the same object."""
        principal = self._verified.find(token)
        if principal is not None:
            tokens.check_expiry(principal, self._clock.time())
            return principal
        principal = tokens.read_token(token, self._keys, self._clock.time(), self._required)
        self._verified.keep(token, principal)
        return principal

    def is_admin(self, token: str) -> bool:
        """Whether a token is signed with the administration's secret, and holds."""
        try:
            claims = self._admin_keys.verify(token)
        except JwtError:
            return False
        expires_at = claims.get("exp")
        return not isinstance(expires_at, int | float) or expires_at > self._clock.time()
