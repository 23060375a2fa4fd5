"""What a product adds to the process, and that the emulator itself knows none."""

import re

import pytest

from emulator.extension import Extension, load_extension
from emulator.paths import EMULATOR
from emulator.settings import SettingsError

# Names of this repository's product: its tables, mails, addresses and words.
PRODUCT = re.compile(
    r"firefight|waitlist|article|\bblog\b|feed\.xml|rss\b|sitemap|robots\.txt|muster\.local|muster_functions|muster_product"
    r"|\b(posts|profiles|certifications|awards|mentions|reactions|career_milestones|quiz_responses)\b",
    re.I,
)


def test_the_emulator_names_no_product() -> None:
    found = [
        f"{file.relative_to(EMULATOR)}:{number}: {line.strip()}"
        for file in sorted(EMULATOR.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
        for number, line in enumerate(file.read_text("utf8").splitlines(), 1)
        if PRODUCT.search(line)
    ]
    assert found == []


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
