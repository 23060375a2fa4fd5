"""Reads a JSON object out of text that should be one. Pure."""

import json
from typing import Any


def read_json_object(text: str | bytes) -> dict[str, Any] | None:
    """Return the object, or None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
