"""docs/functions.md names every refusal with its status, every variable and every type."""

import inspect
import re
from pathlib import Path
from typing import get_args

from emulator.errors import ApiError
from muster_functions.notifications.models import Notification
from muster_functions.runtime import errors
from muster_functions.settings import FunctionsSettings, Limits, MailSettings

DOCUMENT = (Path(__file__).parents[3] / "docs" / "functions.md").read_text("utf-8")


def catalogue() -> list[ApiError]:
    made = [
        function(*[1] * len(inspect.signature(function).parameters))
        for _, function in inspect.getmembers(errors, inspect.isfunction)
        if function.__module__ == errors.__name__
    ]
    assert len(made) > 15
    return made


def test_every_refusal_is_documented_with_its_status_and_nothing_else_is() -> None:
    documented = set(re.findall(r"^\| `([A-Z_]+)` \| (\d+) \|", DOCUMENT, re.MULTILINE))
    assert documented == {(error.code, str(error.status)) for error in catalogue()}


def test_every_variable_is_documented_and_nothing_else_is() -> None:
    groups = (FunctionsSettings, MailSettings, Limits)
    read = {name for group in groups for names in group.variables().values() for name in names}
    section = DOCUMENT.split("## Settings")[1].split("## Write")[0]
    rows = "".join(re.findall(r"^\| (.*?) \|", section, re.MULTILINE))
    assert set(re.findall(r"`([A-Z][A-Z_]+)`", rows)) == read


def test_every_type_is_documented() -> None:
    rows = "".join(re.findall(r"^\| (.*?) \|", DOCUMENT, re.MULTILINE))
    for name in get_args(Notification.model_fields["type"].annotation):
        assert f"`{name}`" in rows
