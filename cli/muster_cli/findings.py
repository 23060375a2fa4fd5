"""One answer of `muster doctor`."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Finding:
    """What was looked at and how it is. Only a problem keeps the stack from working."""

    what: str
    level: Literal["ok", "warning", "problem"]
    said: str
    remedy: str = ""
