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
    """What a response needs to know of its request beside plan and result."""

    tx_override_allowed: bool
    names_schema: bool
    location_path: str = ""
    content_location: str = ""
