"""Parts of a row change's payload."""

from datetime import UTC, datetime

from emulator.realtime.postgres_changes.rendering.rows import timestamp


def test_timestamps_are_cut_not_rounded() -> None:
    assert timestamp(datetime(2026, 1, 31, 9, 8, 7, 123_999, UTC)) == "2026-01-31T09:08:07.123Z"
