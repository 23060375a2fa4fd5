"""What people read is what was meant, brackets and all."""

import pytest

from muster_cli.output import print_pairs


@pytest.mark.parametrize("value", ["http://[::1]:54321", "/home/[me]/x", "[bold]", "plain", "https://muster.example"])
def test_values_are_no_markup(capsys: pytest.CaptureFixture[str], value: str) -> None:
    print_pairs({"Name": value})
    assert capsys.readouterr().out.split() == ["Name", *value.split()]
