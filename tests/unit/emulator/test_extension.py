"""What a product adds to the process."""

import pytest

from emulator.extension import Extension, load_extension
from emulator.settings import SettingsError


def test_a_process_without_a_product_serves_the_api_alone() -> None:
    assert load_extension("") == Extension()


def test_an_extension_is_found_by_its_name() -> None:
    found = load_extension("muster_functions.extension:EXTENSION")
    assert list(found.services) == list(found.health_paths) == ["functions"]


@pytest.mark.parametrize(
    "name",
    ["no_such_package:X", "emulator.extension:NO_SUCH_NAME", "emulator.extension", "emulator.paths:CHECKOUT", ":X"],
)
def test_what_is_no_extension_is_said_in_one_line(name: str) -> None:
    with pytest.raises(SettingsError, match="MUSTER_EXTENSION=") as caught:
        load_extension(name)
    assert "\n" not in str(caught.value)
