"""Where the next page of a listing begins, as clients carry it: base64 of lines such as `l:<last name>`."""

import base64
import binascii
import re
from dataclasses import dataclass

from emulator.storage.errors import invalid_parameter

_LINE = re.compile(r"(\S):(.*)")
_FIELDS = {"l": "after", "o": "order", "c": "column", "a": "after_value"}


@dataclass(frozen=True)
class Cursor:
    """The last name, how the listing is sorted, and the last value of the sort column."""

    after: str = ""
    order: str = ""
    column: str = ""
    after_value: str = ""

    def encode(self) -> str:
        """The text for clients."""
        lines = [f"{letter}:{value}" for letter, name in _FIELDS.items() if (value := getattr(self, name))]
        return base64.b64encode("\n".join(lines).encode()).decode()


def decode_cursor(token: str) -> Cursor:
    """Read what `encode` wrote. Raises InvalidParameter."""
    try:
        plain = token.replace("-", "+").replace("_", "/").rstrip("=")
        text = base64.b64decode(plain + "=" * (-len(plain) % 4)).decode("utf-8", "replace")
    except (binascii.Error, ValueError) as error:
        raise invalid_parameter("continuation token") from error
    found = {"order": "asc"}
    for line in text.split("\n"):
        match = _LINE.fullmatch(line)
        if match is None or match[1] not in _FIELDS:
            raise invalid_parameter("continuation token")
        found[_FIELDS[match[1]]] = match[2]
    return Cursor(**found)
