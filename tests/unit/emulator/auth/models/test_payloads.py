"""Times as Go writes them."""

from datetime import UTC, datetime

import pytest

from emulator.auth.models.payloads import time_text


@pytest.mark.parametrize(
    ("moment", "want"),
    [
        (datetime(2026, 8, 20, 10, 11, 12, 500000, UTC), "2026-08-20T10:11:12.5Z"),
        (datetime(2026, 8, 20, 10, 11, 10, 0, UTC), "2026-08-20T10:11:10Z"),
        (datetime(2026, 8, 20, 10, 11, 12, 1), "2026-08-20T10:11:12.000001Z"),
    ],
)
def test_times(moment: datetime, want: str) -> None:
    assert time_text(moment) == want
