"""What people read is what was meant, brackets and all."""

import pytest

from muster_cli.output import print_pairs, shown_time


@pytest.mark.parametrize("value", ["http://[::1]:54321", "/home/[me]/x", "[bold]", "plain", "https://muster.example"])
def test_values_are_no_markup(capsys: pytest.CaptureFixture[str], value: str) -> None:
    print_pairs({"Name": value})
    assert capsys.readouterr().out.split() == ["Name", *value.split()]


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("2026-11-22T01:49:06.807193Z", "2026-11-22 01:49"),
        ("2026-11-22T01:49:06.807193+02:00", "2026-11-21 23:49"),
        ("yesterday", "yesterday"),
        (None, ""),
    ],
)
def test_times_are_short(text: str | None, want: str) -> None:
    assert shown_time(text) == want
