"""Completion of commands in the shell, as the script that `./muster --install-completion` writes asks for it."""

import os

import pytest

from tests.support.commands import run


@pytest.mark.parametrize(
    ("typed", "want"),
    [("st", ["start", "status", "stop"]), ("users gr", ["grant-admin"]), ("db ps", ["psql"])],
)
def test_the_shell_is_told_what_fits(typed: str, want: list[str]) -> None:
    words = f"./muster {typed}"
    asked = {"_MUSTER_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = run(env={**os.environ, **asked})
    assert sorted(ran.stdout.split()) == sorted(want)
