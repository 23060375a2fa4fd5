"""Durations as Go's time.ParseDuration reads them."""

import re

_UNITS_S = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)")


def parse_duration_s(text: str) -> float:
    """Seconds of a Go duration: "24h", "1h30m", "300ms", "-5s", "0". Raises ValueError."""
    sign, rest = (-1.0, text[1:]) if text[:1] == "-" else (1.0, text.removeprefix("+"))
    if rest == "0":
        return 0.0
    parts = list(_PART.finditer(rest))
    if not parts or "".join(part.group(0) for part in parts) != rest:
        raise ValueError(f'time: invalid duration "{text}"')
    return sign * sum(float(part.group(1)) * _UNITS_S[part.group(2)] for part in parts)
