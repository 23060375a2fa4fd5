"""The Prefer header."""

import pytest

from emulator.rest.api_request.preferences import Preferences, applied, parse_preferences


@pytest.mark.parametrize(
    ("lines", "want"),
    [
        pytest.param(["return=minimal, count=exact"], Preferences(representation="minimal", count="exact"), id="list"),
        pytest.param(["count=exact", "count=planned"], Preferences(count="exact"), id="the first wins"),
        pytest.param(["Return=minimal"], Preferences(invalid=("Return=minimal",)), id="case counts"),
        pytest.param(["max-affected=oops"], Preferences(), id="not a number: ignored, and not invalid"),
        pytest.param(["handling=strict, x"], Preferences(handling="strict", invalid=("x",)), id="strict"),
        pytest.param(["timezone=Europe/Berlin"], Preferences(timezone="Europe/Berlin"), id="timezone"),
    ],
)
def test_preferences_are_understood(lines: list[str], want: Preferences) -> None:
    assert parse_preferences(lines) == want


def test_applied_preferences_keep_their_order() -> None:
    preferences = parse_preferences(
        ["max-affected=3, handling=strict, tx=rollback, return=minimal, resolution=merge-duplicates"]
    )
    all_relevant = applied(preferences, resolution=True, missing=True, representation=True, tx=True, max_affected=True)
    assert all_relevant == "resolution=merge-duplicates, return=minimal, tx=rollback, handling=strict, max-affected=3"
    none_relevant = applied(
        preferences, resolution=False, missing=False, representation=False, tx=False, max_affected=False
    )
    assert none_relevant == "handling=strict"
