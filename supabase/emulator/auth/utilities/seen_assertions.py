"""SAML assertions that were used and are still valid: none is taken twice."""

from datetime import datetime


class SeenAssertions:
    """Of this process alone; at most `most`, of which those that have run out go first."""

    def __init__(self, most: int = 100_000) -> None:
        self._ends: dict[str, datetime] = {}
        self._most = most

    def take(self, name: str, valid_until: datetime, now: datetime) -> bool:
        """Whether an assertion of that name is here for the first time."""
        if self._ends.get(name, now) > now:
            return False
        if len(self._ends) >= self._most:
            self._ends = {known: end for known, end in self._ends.items() if end > now}
        if len(self._ends) >= self._most:  # an identity provider would have to sign so many within minutes
            return False
        self._ends[name] = valid_until
        return True
