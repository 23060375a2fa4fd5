"""response.headers as SQL sets it."""

import pytest

from emulator.errors import ApiError
from emulator.rest.response.guc_headers import parse_response_headers


@pytest.mark.parametrize(
    "text", [b"{}", b"[1]", b'[{"a":1}]', b'[{"a":"b","c":"d"}]', b'[{"a":"x\\r\\nB: y"}]', b"nope"]
)
def test_malformed_response_headers_are_refused(text: bytes) -> None:
    with pytest.raises(ApiError, match="response.headers"):
        parse_response_headers(text)
