"""Makes the requests of the extension http, for PostgreSQL's backends that ask over a socket.

The socket is in the server's own socket folder, which only its user and root enter, under the name that libpq builds
from port 1. One connection is one request; when its backend is canceled, the connection closes and ends the request.
"""

import asyncio
import contextlib
import json
import logging
import struct
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from emulator.platform.fetch import Fetcher, FetchError, Request, Response
from emulator.platform.http import messages

log = logging.getLogger(__name__)

SOCKET_NAME = ".s.PGSQL.1"
MAX_CONNECTIONS = 100  # PostgreSQL has as many
MAX_QUERY_BYTES = 64 * 1024 * 1024
DEFAULT_TIMEOUT_MS = 5000


class RequestServer:
    """Listens on the socket while its block runs."""

    def __init__(self, folder: Path, fetcher: Fetcher) -> None:
        self._path = folder / SOCKET_NAME
        self._fetcher = fetcher
        self._slots = asyncio.Semaphore(MAX_CONNECTIONS)

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Serve during a block. One process of a stack does; a socket that a killed one left is replaced."""
        self._path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._serve, self._path)
        self._path.chmod(0o666)  # the folder's mode guards it; as root, the server's user is another
        mine = self._path.stat().st_ino
        try:
            yield
        finally:
            server.close()
            with contextlib.suppress(FileNotFoundError):
                if self._path.stat().st_ino == mine:  # not another stack's of the same server
                    self._path.unlink()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with self._slots:
                if await self._greet(reader, writer):
                    await self._answer(reader, writer)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            log.debug("a backend's connection ended: %s", error)
        finally:
            writer.close()

    async def _greet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        while True:
            length, code = struct.unpack("!ii", await reader.readexactly(8))
            await reader.readexactly(_bounded(length - 8))
            if code in (messages.SSL_REQUEST, messages.GSS_REQUEST):
                writer.write(b"N")
                continue
            if code != messages.PROTOCOL_3:
                return False
            writer.write(messages.welcome())
            return True

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            kind, length = struct.unpack("!ci", await reader.readexactly(5))
            payload = await reader.readexactly(_bounded(length - 4))
            if kind != b"Q":
                return
            text = payload.rstrip(b"\0").decode("utf8")
            if not text.startswith("{"):
                writer.write(messages.no_value())
                continue
            answer = await self._while_connected(json.loads(text), reader)
            if answer is None:
                return
            writer.write(messages.one_value(json.dumps(answer)))
            await writer.drain()

    async def _while_connected(
        self, request: Mapping[str, Any], reader: asyncio.StreamReader
    ) -> Mapping[str, Any] | None:
        """The answer; None when the backend goes away before."""
        fetching = asyncio.create_task(self._fetch(request))
        leaving = asyncio.create_task(reader.read(1))
        try:
            await asyncio.wait([fetching, leaving], return_when=asyncio.FIRST_COMPLETED)
            return fetching.result() if fetching.done() else None
        finally:
            fetching.cancel()
            leaving.cancel()
            await asyncio.gather(fetching, leaving, return_exceptions=True)

    async def _fetch(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        timeout_ms = DEFAULT_TIMEOUT_MS
        try:
            timeout_ms = _timeout_ms(asked)
            return _answer_of(await self._fetcher.fetch(_request_of(asked, timeout_ms)), str(asked["method"]))
        except FetchError as error:
            return {"error": _message_of(error, timeout_ms)}
        except ValueError as error:
            return {"error": str(error)}


def _bounded(length: int) -> int:
    if not 0 <= length <= MAX_QUERY_BYTES:
        raise ValueError(f"a message of {length} bytes")
    return length


def _timeout_ms(asked: Mapping[str, Any]) -> int:
    options = asked["options"]
    for value, factor in (
        (options.get("CURLOPT_TIMEOUT_MS"), 1), (options.get("CURLOPT_TIMEOUT"), 1000), (asked["timeout_ms"], 1),
    ):  # fmt: skip
        if value and int(value) > 0:
            return int(value) * factor
    return DEFAULT_TIMEOUT_MS


def _request_of(asked: Mapping[str, Any], timeout_ms: int) -> Request:
    options = asked["options"]
    headers = [("Charsets", "utf-8"), *((name, value) for name, value in asked["headers"])]
    names = {name.lower() for name, _ in headers}
    headers = [(name, value) for name, value in headers if name.lower() != "content-type"]
    if asked["content"] is not None:
        headers.append(("Content-Type", asked["content_type"]))
    if "user-agent" not in names and "CURLOPT_USERAGENT" in options:
        headers.append(("User-Agent", options["CURLOPT_USERAGENT"]))
    body = None if asked["content"] is None else str(asked["content"]).encode()
    is_verified = str(options.get("CURLOPT_SSL_VERIFYPEER", "1")) != "0"
    return Request(asked["method"], asked["uri"], headers, body, timeout_ms / 1000, is_verified)


def _answer_of(response: Response, method: str) -> Mapping[str, Any]:
    return {
        "status": response.status,
        "content_type": response.header("content-type"),
        "headers": [[name, value] for name, value in response.headers],
        "content": None if method == "HEAD" else response.text,
    }


def _message_of(error: FetchError, timeout_ms: int) -> str:
    """What libcurl writes into its error buffer."""
    match error.reason:
        case "resolve":
            return f"Could not resolve host: {error.host}"
        case "connect":
            return f"Failed to connect to {error.host}: Could not connect to server"
        case "timeout":
            return f"Operation timed out after {timeout_ms} milliseconds with 0 bytes received"
        case "scheme":
            return "Unsupported protocol"
        case "url":
            return "URL rejected: Malformed input to a URL function"
        case "tls":
            return f"SSL certificate problem: {error}"
        case "redirects":
            return "Maximum (5) redirects followed"
        case "size":
            return "Maximum file size exceeded"
        case "receive":
            return f"Recv failure: {error}"
