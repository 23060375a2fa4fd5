"""A minimal HTTP/1.1 client for one keep-alive connection, so that the client costs less than what it measures."""

import asyncio
import json
from typing import Any


class Connection:
    """One connection; used as an async context."""

    def __init__(self, port: int) -> None:
        self._port = port

    async def __aenter__(self) -> "Connection":
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        return self

    async def __aexit__(self, *_exception: object) -> None:
        self._writer.close()
        await self._writer.wait_closed()

    async def post(self, path: str, body: Any) -> dict[str, Any]:
        """Send a JSON body; the JSON object of the response. Raises RuntimeError for any status but 200."""
        raw = json.dumps(body).encode()
        return await self._exchange(
            f"POST {path} HTTP/1.1\r\nhost: bench\r\ncontent-length: {len(raw)}\r\n\r\n".encode() + raw
        )

    async def get(self, path: str, bearer: str) -> dict[str, Any]:
        """GET with a bearer token; the JSON object of the response."""
        return await self._exchange(
            f"GET {path} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer {bearer}\r\n\r\n".encode()
        )

    async def _exchange(self, request: bytes) -> dict[str, Any]:
        self._writer.write(request)
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
        body = await self._reader.readexactly(length)
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"{head.split(b' ')[1].decode()}: {body.decode()}")
        answer: dict[str, Any] = json.loads(body)
        return answer
