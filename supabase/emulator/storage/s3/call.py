"""One S3 request on its way through: the context, its caller, and how answers are made."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any

from emulator.storage.errors import StorageError, invalid_request
from emulator.storage.s3.caller import Caller
from emulator.storage.s3.chunks import ChunkDecoder
from emulator.storage.s3.xml import XML_TYPE, Tree, render
from emulator.storage.service import Context
from emulator.storage.wire.bodies import body_pieces
from emulator.storage.wire.request import StorageRequest
from emulator.storage.wire.response import Response
from emulator.storage.wire.validation import Check

_META = "x-amz-meta-"


@dataclass(frozen=True)
class Call:
    """What an operation works with. `bucket` and `key` are decoded, "" where the path has none."""

    context: Context
    caller: Caller
    bucket: str
    key: str

    @property
    def request(self) -> StorageRequest:
        return self.context.request

    def answer(self, name: str, tree: Tree | str, status: int = 200) -> Response:
        """A document."""
        media_type, body = render(name, tree, self.request.header("accept"))
        return Response(status, [("content-type", media_type)], body)

    def query(self, checks: Mapping[str, Check]) -> dict[str, Any]:
        """The parameters of the query that the operation knows, converted. Raises StorageError."""
        given = self.request.query
        return {name: check(given[name], f"Querystring, {name}") for name, check in checks.items() if name in given}

    def require_authorization(self) -> None:
        """Raises StorageError for a request that is signed in its query."""
        if self.request.header("authorization") is None:
            raise invalid_request("Headers must have required property 'authorization'")

    def user_metadata(self) -> dict[str, str]:
        """The x-amz-meta-* headers."""
        found = {name: value for name, value in self.request.headers.items() if name.startswith(_META)}
        return {name.removeprefix(_META): value for name, value in found.items()}

    @property
    def is_from_sdk(self) -> bool:
        """Whether an SDK of AWS made the request: all of them number their calls.

        The original answers some of theirs with errors; it is these that are understood beyond the original.
        """
        return "amz-sdk-invocation-id" in self.request.headers

    @property
    def is_streamed(self) -> bool:
        """Whether the body comes in chunks."""
        return (self.request.header("x-amz-content-sha256") or "").startswith("STREAMING-")

    @property
    def body_length(self) -> int | None:
        """How large the body is without its chunks' headers, as the client declares it."""
        decoded = self.request.header("x-amz-decoded-content-length") or ""
        if self.is_streamed and decoded.isdecimal():
            return int(decoded)
        return self.request.content_length

    def pieces(self) -> AsyncIterator[bytes]:
        """The body, out of its chunks. Raises StorageError for chunks that are not signed as they should."""
        return self._decoded() if self.is_streamed else body_pieces(self.request)

    async def _decoded(self) -> AsyncIterator[bytes]:
        decoder = ChunkDecoder(self.caller.chunks)
        async for piece in body_pieces(self.request):
            for part in decoder.feed(piece):
                yield part
        decoder.close()


def metadata_headers(records: Any) -> list[tuple[str, str]]:
    """User metadata as headers. What is no ASCII text is left out and counted."""
    headers, missing = [], 0
    for name, value in (records or {}).items() if isinstance(records, dict) else ():
        if name and name.isascii() and isinstance(value, str) and value.isascii() and value.isprintable():
            headers.append((f"{_META}{name.lower()}", value))
        else:
            missing += 1
    return [*headers, ("x-amz-missing-meta", str(missing))] if missing else headers


def error_response(request: StorageRequest, error: StorageError) -> Response:
    """An error with its real status."""
    resource = "/".join(part for part in request.path.removeprefix("/s3").split("/") if part)
    tree = {"Resource": resource, "Code": error.code, "Message": error.message.strip()}
    media_type, body = render("Error", tree, request.header("accept"))
    return Response(error.status, [("content-type", XML_TYPE if request.method == "HEAD" else media_type)], body)
