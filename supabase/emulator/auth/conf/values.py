"""The types of the variables, read as GoTrue reads them: Go's booleans, whole numbers and durations, and rates."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from emulator.auth.utilities.go_duration import parse_duration_s
from emulator.rate_limit import Rate
from emulator.settings import Settings

_TRUE, _FALSE = {"1", "t", "true"}, {"0", "f", "false"}


class GoTrueSettings(Settings):
    """A group of variables."""

    prefix = "GOTRUE_"


def is_true(value: str) -> bool:
    """Whether a boolean's text means true."""
    return value.lower() in _TRUE


def _boolean(value: object) -> object:
    if not isinstance(value, str):
        return value
    if value.lower() not in _TRUE | _FALSE:
        raise ValueError(f"must be true or false, not {value.lower()!r}")
    return is_true(value)


def _whole_number(value: object) -> object:
    try:
        return int(value) if isinstance(value, str) else value
    except ValueError:
        raise ValueError(f"must be a whole number, not {value!r}") from None


def _seconds(value: object) -> object:
    try:
        if isinstance(value, str):
            return parse_duration_s(value)
    except ValueError:
        raise ValueError(f"must be a duration like 60s or 1h, not {value!r}") from None
    return value


GoBool = Annotated[bool, BeforeValidator(_boolean)]
GoInt = Annotated[int, BeforeValidator(_whole_number)]
GoSeconds = Annotated[float, BeforeValidator(_seconds)]  # a Go duration: a bare number has no unit, unless it is 0


def or_default(default: float) -> AfterValidator:
    """0 means the default, where GoTrue reads it so."""
    return AfterValidator(lambda value: value or default)


def positive(value: float) -> float:
    """A duration that GoTrue refuses when it is not positive."""
    if value <= 0:
        raise ValueError("must be a positive duration")
    return value


def rate(default: float, per_s: float, burst: int | None = None, *, with_duration: bool = False) -> BeforeValidator:
    """A rate: "5" is 5 per `per_s` seconds with that burst (None: also 5).

    `with_duration` also takes "5/1h", 5 per hour with a burst of 5: GoTrue does so for mails and text messages.
    """

    def parse(value: object) -> object:
        if not isinstance(value, str):
            return value
        number, slash, duration = value.partition("/")
        try:
            events = float(number) if number else default
            if slash and not with_duration:
                raise ValueError
            if slash:
                return Rate(events, parse_duration_s(duration), int(events))
        except ValueError:
            forms = "a number or number/duration" if with_duration else "a number"
            raise ValueError(f"must be {forms}, not {value!r}") from None
        return Rate(events, per_s, int(events) if burst is None else burst)

    return BeforeValidator(parse)


def variables_below(env: Mapping[str, str], prefix: str) -> dict[str, str]:
    """All variables that are not empty and whose name starts with `prefix`, by the rest of the name."""
    return {name.removeprefix(prefix): value for name, value in env.items() if name.startswith(prefix) and value}
