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

    `types`: the headers that say what a body is. `preference_applied`: the value of that header, "" for none.
    `has_content_location`: a read says where it is found. `has_checks`: the number of rows can make a request fail.
    """

    types: tuple[tuple[str, str], ...]
    relation: str = ""
    has_content_location: bool = False
    preference_applied: str = ""
    has_checks: bool = False
