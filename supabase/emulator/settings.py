"""Settings from environment variables: read once, typed, refused in one line that names the variable.

Each service declares its own class. What is read is the mapping that `from_env` is given, never the process's
environment by itself: `muster up` and the tests build theirs. That is why this rests on pydantic alone; what
pydantic-settings adds are sources (os.environ, .env, secrets, the command line) that would all have to be switched off,
for 11 ms of start and 1.2 MiB.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Annotated, Any, ClassVar, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails


class SettingsError(ValueError):
    """A variable is missing or unusable. The text is one line for a person, and names it."""


class Variable:
    """The names of the variable a field is read from, the preferred one first; without `prefix` they are whole.

    `port: Annotated[Port, Variable("API_PORT")] = 8081`. A field without one is read from its own name in capitals, one
    with `Variable()` from none: whoever makes the settings fills it.
    """

    def __init__(self, *names: str, prefix: bool = True) -> None:
        self.names = names
        self.prefix = prefix


class Settings(BaseModel):
    """A frozen group of settings. A field whose type is another group is read from the same variables.

    An empty variable counts as absent. Validators raise ValueError with what comes after the name of the variable:
    "must be a duration such as 60s or 1h".
    """

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)
    prefix: ClassVar[str] = ""

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Read the variables of every field; raises SettingsError."""
        values: dict[str, Any] = {}
        for field, group in cls._groups():
            values[field] = group.from_env(env)
        for field, names in cls.variables().items():
            found = next((env[name] for name in names if env.get(name)), None)
            if found is not None:
                values[field] = found
        try:
            return cls.model_validate(values)
        except ValidationError as error:
            raise SettingsError(cls._explain(error.errors(include_url=False))) from None

    @classmethod
    def variables(cls) -> dict[str, tuple[str, ...]]:
        """The variables of each field, of the groups within not."""
        return _variables(cls)

    @classmethod
    def _groups(cls) -> Iterator[tuple[str, "type[Settings]"]]:
        for field, info in cls.model_fields.items():
            if isinstance(info.annotation, type) and issubclass(info.annotation, Settings):
                yield field, info.annotation

    @classmethod
    def _names(cls, field: str) -> Iterator[str]:
        declared = [one for one in cls.model_fields[field].metadata if isinstance(one, Variable)]
        for variable in declared or [Variable(field.upper())]:
            yield from (f"{cls.prefix}{name}" if variable.prefix else name for name in variable.names)

    @classmethod
    def _explain(cls, problems: list[ErrorDetails]) -> str:
        names = cls.variables()
        missing = [names[str(one["loc"][0])][0] for one in problems if one["type"] == "missing"]
        if missing:
            return f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not set"
        first = problems[0]
        if not first["loc"]:  # a rule between several variables, which names them itself
            return _reason(first)
        return f"{names[str(first['loc'][0])][0]} {_reason(first)}"


@cache
def _variables(settings: type[Settings]) -> dict[str, tuple[str, ...]]:
    """Found once: a process that serves branches reads the same classes for each of them."""
    groups = dict(settings._groups())
    return {field: tuple(settings._names(field)) for field in settings.model_fields if field not in groups}


def _reason(problem: ErrorDetails) -> str:
    context = problem.get("ctx", {})
    if problem["type"] in ("value_error", "assertion_error"):
        return str(context["error"])
    if problem["type"].startswith("int_"):
        return f"must be a whole number, not {problem['input']!r}"
    if problem["type"] == "literal_error":
        known = str(context["expected"]).replace("'", "").replace(" or ", ", ")
        return f"is one of {known}, not {problem['input']!r}"
    return problem["msg"].replace("Input should be", "must be")


def _split(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


CommaList = Annotated[tuple[str, ...], BeforeValidator(_split)]
Port = Annotated[int, Field(ge=0, le=65535)]
