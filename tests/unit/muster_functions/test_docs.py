"""docs/functions.md names every refusal with its status, and every variable."""

import inspect
import re
from pathlib import Path

from emulator.errors import ApiError
from muster_functions import errors
from muster_functions.runtime import errors as runtime_errors
from muster_functions.settings import FunctionsSettings, Limits, MailSettings, PushSettings

DOCUMENT = (Path(__file__).parents[3] / "docs" / "functions.md").read_text("utf-8")


def catalog() -> list[ApiError]:
    made = [
        function(*[1] * len(inspect.signature(function).parameters))
        for module in (runtime_errors, errors)
        for _, function in inspect.getmembers(module, inspect.isfunction)
        if function.__module__ == module.__name__
    ]
    assert len(made) > 15
    return made


def test_every_refusal_is_documented_with_its_status_and_nothing_else_is() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|", DOCUMENT, re.MULTILINE))
    assert documented == {(error.code, str(error.status)) for error in catalog()}


def test_every_variable_is_documented_and_nothing_else_is() -> None:
    groups = (FunctionsSettings, MailSettings, Limits, PushSettings)
    read = {name for group in groups for names in group.variables().values() for name in names}
    section = DOCUMENT.split("## Settings")[1].split("## Write")[0]
    rows = "".join(re.findall(r"^\| (.*?) \|", section, re.MULTILINE))
    assert set(re.findall(r"`([A-Z][A-Z_]+)`", rows)) == read
