"""What a request of pg_net came to, as a row of net._http_response; errors in libcurl's words."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from emulator.platform.fetch import Reason, Response

# curl_easy_strerror
_MESSAGES: Mapping[Reason, str] = {
    "resolve": "Couldn't resolve host name",
    "connect": "Couldn't connect to server",
    "scheme": "Unsupported protocol",
    "url": "URL using bad/illegal format or missing URL",
    "tls": "SSL peer certificate or SSH remote key was not OK",
    "redirects": "Number of redirects hit maximum amount",
    "receive": "Failure when receiving data from the peer",
    "size": "Maximum file size exceeded",
}


@dataclass(frozen=True)
class Outcome:
    """The columns, without id and time."""

    status_code: int | None = None
    content_type: str | None = None
    headers: Mapping[str, str] | None = None
    content: str | None = None
    timed_out: bool = False
    error_msg: str | None = None

    def as_row(self) -> dict[str, Any]:
        """The columns by name."""
        return asdict(self)


def of_response(response: Response) -> Outcome:
    """A response, whatever its status; of several headers with one name the last is kept."""
    headers = {name: _storable(value) for name, value in response.headers}
    kind = response.header("content-type")
    return Outcome(response.status, kind and _storable(kind), headers, response.text or None)


def of_error(reason: Reason, timeout_ms: int, took_ms: float) -> Outcome:
    """No response, or none in time."""
    if reason == "timeout":
        message = f"Timeout of {timeout_ms} ms reached. Total time: {took_ms:.6f} ms"
        return Outcome(timed_out=True, error_msg=message)
    return Outcome(error_msg=_MESSAGES[reason])


def _storable(text: str) -> str:
    return text.replace("\0", "")
