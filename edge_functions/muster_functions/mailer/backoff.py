"""How long a mail waits before it is tried again. Pure; chance comes in as an argument."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """`first_s`, then `factor` times longer each time, at most `most_s`; given up after `attempts` (about 14 hours)."""

    first_s: float = 15.0
    factor: float = 3.0
    most_s: float = 7200.0
    attempts: int = 13

    def delay_s(self, attempt: int, chance: float) -> float | None:
        """Seconds to wait after the `attempt`-th failure (from 1), spread by `chance` in 0..1; None to give up."""
        if attempt >= self.attempts:
            return None
        return min(self.most_s, self.first_s * self.factor ** (attempt - 1)) * (0.8 + 0.4 * chance)
