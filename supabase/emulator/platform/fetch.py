"""One HTTP request for a worker, with a limit of time and size. The client is made at the first request."""

import asyncio
import contextlib
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from emulator.platform.hosts import reachable_url

if TYPE_CHECKING:
    import httpx

MAX_RESPONSE_BYTES = 10 * 1024 * 1024
Reason = Literal["resolve", "connect", "timeout", "scheme", "url", "tls", "redirects", "receive", "size"]


@dataclass(frozen=True)
class Request:
    """What to send; `timeout_s` is for all of it."""

    method: str
    url: str
    headers: Sequence[tuple[str, str]]
    body: bytes | None
    timeout_s: float
    is_verified: bool = True


@dataclass(frozen=True)
class Response:
    """What came; header names as the server wrote them."""

    status: int
    headers: Sequence[tuple[str, str]]
    content: bytes

    def header(self, name: str) -> str | None:
        """The first header of a name."""
        return next((value for key, value in self.headers if key.lower() == name), None)

    @property
    def text(self) -> str:
        """The content as PostgreSQL can keep it: UTF-8, without zero characters."""
        return self.content.decode("utf8", "replace").replace("\0", "")


class FetchError(Exception):
    """No response. `reason` is what each extension words in its own way."""

    def __init__(self, reason: Reason, host: str, detail: str = "") -> None:
        super().__init__(detail or reason)
        self.reason: Reason = reason
        self.host = host


class Fetcher:
    """Sends requests; follows redirects, keeps no cookies, and asks no proxy, like the original in its container."""

    def __init__(self, own_origin: str, max_redirects: int) -> None:
        self._own_origin = own_origin
        self._max_redirects = max_redirects
        self._clients: dict[bool, httpx.AsyncClient] = {}

    async def fetch(self, request: Request, on_send: Callable[[], None] = lambda: None) -> Response:
        """The response to one request; `on_send` is called before its first byte goes out. Raises FetchError."""
        import httpx  # 60 ms and 8 MiB, for stacks that send something

        host = ""
        try:
            url = httpx.URL(reachable_url(request.url, self._own_origin))
            host = url.host
            if url.scheme not in ("http", "https"):
                raise FetchError("scheme", host)
            async with asyncio.timeout(request.timeout_s):
                return await self._exchange(request, url, on_send)
        except TimeoutError as error:
            raise FetchError("timeout", host) from error
        except (httpx.InvalidURL, ValueError) as error:
            raise FetchError("url", host, str(error)) from error
        except httpx.TooManyRedirects as error:
            raise FetchError("redirects", host) from error
        except httpx.UnsupportedProtocol as error:
            raise FetchError("scheme", host) from error
        except httpx.ConnectError as error:
            raise FetchError(_of_connection(error), host, str(error)) from error
        except httpx.HTTPError as error:
            raise FetchError("receive", host, str(error)) from error

    async def close(self) -> None:
        """Close the kept connections."""
        clients, self._clients = self._clients, {}
        for client in clients.values():
            with contextlib.suppress(OSError):
                await client.aclose()

    async def _exchange(self, request: Request, url: "httpx.URL", on_send: Callable[[], None]) -> Response:
        async def trace(event: str, _: object) -> None:
            if event.endswith(".send_request_headers.started"):
                on_send()

        headers = [(name.encode("latin-1", "replace"), value.encode("utf8")) for name, value in request.headers]
        client = self._client(request.is_verified)
        extensions = {"trace": trace}
        async with client.stream(
            request.method, url, headers=headers, content=request.body, extensions=extensions
        ) as answer:
            content = bytearray()
            async for chunk in answer.aiter_bytes():
                content += chunk
                if len(content) > MAX_RESPONSE_BYTES:
                    raise FetchError("size", url.host)
            raw = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in answer.headers.raw]
            return Response(answer.status_code, raw, bytes(content))

    def _client(self, is_verified: bool) -> "httpx.AsyncClient":
        import httpx

        client = self._clients.get(is_verified)
        if client is None:
            client = httpx.AsyncClient(
                follow_redirects=True, max_redirects=self._max_redirects, timeout=None, trust_env=False,
                verify=is_verified, limits=httpx.Limits(max_connections=None, max_keepalive_connections=8),
            )  # fmt: skip
            client.headers.clear()
            self._clients[is_verified] = client
        client.cookies.clear()
        return client


def _of_connection(error: BaseException) -> Reason:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, socket.gaierror):
            return "resolve"
        if "certificate" in str(cause).lower() or "ssl" in type(cause).__name__.lower():
            return "tls"
        cause = cause.__cause__ or cause.__context__
    return "connect"
