"""Types of configuration values, as TOML, `env()` and SUPABASE_* variables give them. Pure."""

import re
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

_DURATION = re.compile(r"[+-]?(0|((\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+)")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4}
_TRUE = ("1", "t", "T", "TRUE", "true", "True")
_FALSE = ("0", "f", "F", "FALSE", "false", "False", "")


class Section(BaseModel):
    """A table of the configuration. Keys that it does not know are kept aside, and named at the start."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True, defer_build=True)


def _flag(value: object) -> object:
    if isinstance(value, str) and value in _TRUE + _FALSE:
        return value in _TRUE
    if not isinstance(value, bool):
        raise ValueError("a boolean")
    return value


def _whole(value: object) -> object:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("a non-negative integer")
    return value


def _text(value: object) -> object:
    if not isinstance(value, str):
        raise ValueError("a string")
    return value


def _texts(value: object) -> object:
    if isinstance(value, str):  # of env() or of a SUPABASE_* variable
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
        raise ValueError("a list of strings")
    return tuple(value)


def _duration(value: object) -> object:
    if not isinstance(value, str) or not _DURATION.fullmatch(value):
        raise ValueError('a duration such as "1s", "1h30m"')
    return value


def _size(value: object) -> object:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    match = _SIZE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise ValueError('a size such as "50MiB"')
    # MB and MiB are the same to the official CLI.
    return int(float(match[1]) * 1024 ** _POWERS[match[2].lower()])


Flag = Annotated[bool, BeforeValidator(_flag)]
Whole = Annotated[int, BeforeValidator(_whole)]
Port = Annotated[int, BeforeValidator(_whole), Field(le=65535)]
Text = Annotated[str, BeforeValidator(_text)]
Secret = Annotated[str, BeforeValidator(_text)]  # what no log may show
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Duration = Annotated[str, BeforeValidator(_duration)]  # as Go writes one; auth reads it as it stands
Size = Annotated[int, BeforeValidator(_size)]  # bytes
