"""Settings: read from the mapping that is given, refused in one line that names the variable."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, model_validator

from emulator.settings import CommaList, Port, Settings, SettingsError, Variable


class Group(Settings):
    """Read from the same variables as what it is part of."""

    prefix = "APP_GROUP_"

    size: int = 3


class Sample(Settings):
    """One field of each kind."""

    prefix = "APP_"

    url: Annotated[str, Variable("DATABASE_URL", "DB_URL", prefix=False)]
    secret: str = Field(repr=False)
    port: Port = 80
    mode: Literal["slow", "quick"] = "slow"
    names: CommaList = ()
    folder: Path | None = None
    expiry_s: Annotated[int, Variable("EXPIRY")] = 60
    group: Group = Group()
    made: Annotated[str, Variable()] = ""

    @model_validator(mode="after")
    def _is_sound(self) -> "Sample":
        if self.mode == "quick" and self.port == 80:
            raise ValueError("APP_MODE=quick needs another APP_PORT")
        return self


REQUIRED = {"DATABASE_URL": "postgresql://x", "APP_SECRET": "s"}


def test_defaults_hold_where_nothing_or_the_empty_text_is_said() -> None:
    assert Sample.from_env({**REQUIRED, "APP_PORT": "", "APP_FOLDER": ""}) == Sample(url="postgresql://x", secret="s")


def test_variables_are_read_typed() -> None:
    got = Sample.from_env(
        {
            **REQUIRED, "APP_PORT": "81", "APP_MODE": "quick", "APP_NAMES": " a, b,,", "APP_FOLDER": "/x",
            "APP_EXPIRY": "5", "APP_GROUP_SIZE": "4", "APP_UNKNOWN": "ignored", "APP_MADE": "ignored",
        }
    )  # fmt: skip
    assert (got.port, got.mode, got.names, got.folder, got.expiry_s, got.group.size, got.made) == (
        81, "quick", ("a", "b"), Path("/x"), 5, 4, "",
    )  # fmt: skip


def test_the_preferred_name_wins_and_the_other_serves() -> None:
    assert Sample.from_env({"DB_URL": "second", "APP_SECRET": "s"}).url == "second"
    assert Sample.from_env({"DB_URL": "second", **REQUIRED}).url == "postgresql://x"


@pytest.mark.parametrize(
    ("env", "want"),
    [
        pytest.param({"APP_SECRET": "s"}, "DATABASE_URL is not set", id="missing"),
        pytest.param({}, "DATABASE_URL, APP_SECRET are not set", id="two-missing"),
        pytest.param({**REQUIRED, "APP_PORT": "x"}, "APP_PORT must be a whole number, not 'x'", id="no-number"),
        pytest.param({**REQUIRED, "APP_PORT": "65536"}, "APP_PORT must be less than or equal to 65535", id="no-port"),
        pytest.param({**REQUIRED, "APP_MODE": "fast"}, "APP_MODE is one of slow, quick, not 'fast'", id="choice"),
        pytest.param({**REQUIRED, "APP_GROUP_SIZE": "big"}, "APP_GROUP_SIZE must be a whole number", id="in-a-group"),
        pytest.param({**REQUIRED, "APP_MODE": "quick"}, "APP_MODE=quick needs another APP_PORT", id="together"),
    ],
)
def test_what_is_unusable_is_said_in_one_line(env: dict[str, str], want: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Sample.from_env(env)
    assert str(caught.value).startswith(want)
    assert "\n" not in str(caught.value)


def test_a_secret_is_not_shown() -> None:
    assert "hidden" not in repr(Sample.from_env({**REQUIRED, "APP_SECRET": "hidden"}))
