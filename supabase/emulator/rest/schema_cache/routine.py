"""Functions that clients can call, and functions and aggregates that produce media types. Pure."""

from dataclasses import dataclass
from typing import Literal

from emulator.rest.schema_cache.identifiers import QualifiedIdentifier


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function. `body_type` is the type that a member of a JSON body is read as."""

    name: str
    type: str
    body_type: str
    is_required: bool
    is_variadic: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A callable function. `row_name`: of the relation or composite type whose rows it returns, or `record`.

    `settings` are those of its SET clauses that are hoisted to the transaction.
    """

    id: QualifiedIdentifier
    parameters: tuple[Parameter, ...]
    returns_set: bool
    returns_composite: bool
    returns_void: bool = False
    row_name: str | None = None
    volatility: Literal["v", "s", "i"] = "v"
    description: str | None = None
    settings: tuple[tuple[str, str], ...] = ()
    isolation: str | None = None
    oid: int = 0

    @property
    def is_unnamed(self) -> bool:
        """Whether its only parameter has no name, so that a whole body can be passed."""
        return len(self.parameters) == 1 and not self.parameters[0].name

    @property
    def returns_scalar(self) -> bool:
        """Whether the result is a bare value, not a row."""
        return not self.returns_composite


@dataclass(frozen=True, slots=True)
class MediaHandler:
    """A function or aggregate that produces a media type. `target` None: for any element type."""

    function: QualifiedIdentifier
    target: QualifiedIdentifier | None
    media_type: str
    is_aggregate: bool
