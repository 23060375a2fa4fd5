"""An HTTP response, and what all of them share. Pure."""

from dataclasses import dataclass

HeaderPairs = list[tuple[str, str]]
VERSION = "17 (pre-release)"


@dataclass(slots=True)
class Response:
    """An HTTP response. `reason` replaces the standard phrase of the status where the transport can carry one.

    `sets_vary`: SQL chose a Vary header itself.
    """

    status: int
    headers: HeaderPairs
    body: bytes = b""
    reason: str | None = None
    sets_vary: bool = False


@dataclass(frozen=True, slots=True)
class ResponseContext:
    """What responses to requests of one shape share, beside their plan.

    `preference_applied`: the value of that header, "" for none. `has_content_location`: a read says where it is found.
    """

    names_schema: bool
    relation: str = ""
    has_content_location: bool = False
    preference_applied: str = ""
