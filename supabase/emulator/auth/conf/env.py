"""Environment variables as typed values, read the way the Go service reads them. Pure."""

from collections.abc import Mapping

from emulator.auth.utilities.go_duration import parse_duration_s
from emulator.settings import SettingsError

_TRUE, _FALSE = {"1", "t", "true"}, {"0", "f", "false"}


class Env:
    """Look-ups under one prefix; an empty value counts as absent."""

    def __init__(self, env: Mapping[str, str], prefix: str = "GOTRUE_") -> None:
        self._env, self._prefix = env, prefix

    def bare(self, *names: str) -> str:
        """The first non-empty of some full names."""
        return next((self._env[name] for name in names if self._env.get(name)), "")

    def text(self, name: str, default: str = "") -> str:
        """A string."""
        return self._env.get(self._prefix + name) or default

    def flag(self, name: str, default: bool = False) -> bool:
        """A boolean as Go's strconv has it."""
        raw = self.text(name).lower()
        if raw and raw not in _TRUE | _FALSE:
            raise SettingsError(f"{self._prefix}{name} must be true or false, not {raw!r}")
        return raw in _TRUE if raw else default

    def integer(self, name: str, default: int) -> int:
        """A whole number."""
        raw = self.text(name)
        try:
            return int(raw) if raw else default
        except ValueError:
            raise SettingsError(f"{self._prefix}{name} must be a whole number, not {raw!r}") from None

    def seconds(self, name: str, default: float) -> float:
        """A Go duration, or a bare number of seconds."""
        raw = self.text(name)
        try:
            return default if not raw else float(raw) if raw.isdecimal() else parse_duration_s(raw)
        except ValueError:
            raise SettingsError(f"{self._prefix}{name} must be a duration like 60s or 1h, not {raw!r}") from None

    def items(self, name: str, default: str = "") -> tuple[str, ...]:
        """A comma list."""
        return tuple(part.strip() for part in self.text(name, default).split(",") if part.strip())

    def below(self, prefix: str) -> dict[str, str]:
        """All non-empty variables whose name goes on after `prefix`, keyed by the rest."""
        start = self._prefix + prefix
        return {name[len(start) :]: value for name, value in self._env.items() if name.startswith(start) and value}
