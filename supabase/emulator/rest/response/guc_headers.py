"""response.headers and response.status: what SQL sets for the HTTP response. Pure.

Source: PostgREST reference, "Response Headers" and "Response Status Code" (they call such a setting a GUC).
"""

import json
import re

from emulator.rest import errors
from emulator.rest.query.result import ResultSet
from emulator.rest.response.types import HeaderPairs, Response

# Characters that would end the header or the response early.
UNSAFE_IN_HEADER = re.compile(r"[\r\n\0]")


def apply_response_settings(response: Response, result: ResultSet) -> None:
    """Replace headers and status by those that SQL set. Raises PGRST111, PGRST112."""
    if result.response_headers is not None:
        headers = parse_response_headers(result.response_headers)
        names = {name.lower() for name, _ in headers}
        response.headers = [pair for pair in response.headers if pair[0].lower() not in names] + headers
        response.sets_vary = "vary" in names
    if result.response_status is not None:
        text = result.response_status.decode("utf-8", "replace").strip()
        if not text.isdigit() or not 100 <= int(text) <= 999:
            raise errors.bad_response_status()
        response.status = int(text)


def parse_response_headers(text: bytes) -> HeaderPairs:
    """Read a JSON array of objects with one key each. Raises PGRST111."""
    try:
        entries = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise errors.bad_response_headers() from error
    pairs: HeaderPairs = []
    for entry in entries if isinstance(entries, list) else [None]:
        if not isinstance(entry, dict) or len(entry) != 1:
            raise errors.bad_response_headers()
        [(name, value)] = entry.items()
        if not isinstance(value, str) or UNSAFE_IN_HEADER.search(name + value):
            raise errors.bad_response_headers()
        pairs.append((name, value))
    return pairs
