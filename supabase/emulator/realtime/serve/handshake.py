"""The handshake of a WebSocket: what the client asks for, or with which answer it is refused."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from emulator.realtime.wire.frames import Version, dump, parse_version

PATHS = ("/socket/websocket", "/realtime/v1/websocket", "/websocket")
REASONS = {401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 429: "Too Many Requests", 503: "Unavailable"}

RawHeaders = list[tuple[bytes, bytes]]
# Path, query and headers as they came, to those that this service shall see; or the status that refuses the upgrade.
Rewrite = Callable[[str, bytes, RawHeaders], tuple[str, bytes, RawHeaders] | int]

# The address of the peer and the headers as they came, to the address that limits count by; empty: it is not known.
ClientOf = Callable[[str, RawHeaders], str]


@dataclass(frozen=True, slots=True)
class Handshake:
    """`headers` are those that policies may read (x-...)."""

    version: Version
    token: str
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer instead of an upgrade; without a text it has no body."""

    status: int
    text: str

    def response(self) -> Response:
        body = dump({"error": self.text}).encode() if self.text else b""
        headers = Headers(
            [
                ("Content-Type", "application/json; charset=utf-8"),
                ("Content-Length", str(len(body))),
                ("Connection", "close"),
            ]
        )
        return Response(self.status, REASONS.get(self.status, "Error"), headers, body)


def no_rewrite(path: str, query: bytes, headers: RawHeaders) -> tuple[str, bytes, RawHeaders] | int:
    """Without a gateway in front the service sees what came."""
    return path, query, headers


def no_client(peer: str, headers: RawHeaders) -> str:  # noqa: ARG001
    """Behind a gateway that is not known every client would have the gateway's address."""
    return ""


def raw_headers(request: Request) -> RawHeaders:
    """Names in lower case."""
    return [(name.lower().encode(), value.encode()) for name, value in request.headers.raw_items()]


def read_handshake(request: Request, rewrite: Rewrite) -> Handshake | Refusal:
    """Read path, version and token; the token is not verified yet."""
    url = urlsplit(request.path)
    raw = raw_headers(request)
    target = rewrite(url.path, url.query.encode(), raw)
    if isinstance(target, int):
        return Refusal(target, "API key is missing" if target == 401 else REASONS.get(target, "Refused"))
    path, query_string, raw = target
    if path.rstrip("/") not in PATHS:
        return Refusal(404, REASONS[404])
    query = dict(parse_qsl(query_string.decode(), keep_blank_values=True))
    headers = {name.decode(): value.decode() for name, value in raw}
    version = parse_version(query.get("vsn"))
    if version is None:
        return Refusal(403, "")
    token = headers.get("x-api-key", query.get("apikey"))
    if token is None:
        return Refusal(401, "API key is missing")
    return Handshake(version, token, {name: value for name, value in headers.items() if name.startswith("x-")})
