"""Durations as Go reads them."""

import pytest

from emulator.auth.utilities.go_duration import parse_duration_s


@pytest.mark.parametrize(
    ("text", "want"),
    [("24h", 86400.0), ("1h30m", 5400.0), ("300ms", 0.3), ("1.5s", 1.5), ("-5s", -5.0), ("0", 0.0), ("+1m", 60.0)],
)
def test_durations(text: str, want: float) -> None:
    assert parse_duration_s(text) == pytest.approx(want)


@pytest.mark.parametrize("text", ["", "1", "3d", "h", "1 h", "1h-1m", "none"])
def test_invalid_durations(text: str) -> None:
    with pytest.raises(ValueError, match="invalid duration"):
        parse_duration_s(text)
