"""Reads JSON: an object out of text that should be one, and files with comments. Pure."""

import json
import re
from typing import Any

# A string, which stays; or a comment, or a comma before the end of an object or array.
_COMMENTS = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])', re.DOTALL)


def read_json_object(text: str | bytes) -> dict[str, Any] | None:
    """Return the object, or None for anything else."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def read_commented_json(text: str) -> Any:
    """What JSON with comments and trailing commas (deno.json, config.jsonc) says. Raises ValueError, RecursionError."""
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(_COMMENTS.sub(lambda match: match[1] or "", text))
