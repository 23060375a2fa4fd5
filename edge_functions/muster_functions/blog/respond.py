"""Responses with a document of the application, and other public texts: with an ETag, compressed."""

import gzip
import hashlib
from collections.abc import Mapping
from functools import lru_cache

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from emulator.asgi.headers import chosen_coding
from muster_functions.blog.shell import Shell

SMALLEST_COMPRESSED = 500


def no_document() -> Response:
    """Where no application is served."""
    return PlainTextResponse("Not found\n", 404, {"x-content-type-options": "nosniff"})


def respond_page(request: Request, shell: Shell, body: bytes, status: int = 200) -> Response:
    """A page with the headers of the application's document."""
    return respond_text(request, body, "text/html", shell.headers, status)


def respond_text(
    request: Request, body: bytes, media_type: str, headers: Mapping[str, str], status: int = 200
) -> Response:
    """A text that everybody may read; nothing in it is secret, so that its compressed length tells nothing."""
    etag = f'W/"{hashlib.sha256(body).hexdigest()[:20]}"'
    sent = {**headers, "etag": etag, "vary": "Accept-Encoding"}
    if status == 200 and request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=sent)
    accepted = request.headers.get("accept-encoding", "").encode("latin-1")
    if len(body) > SMALLEST_COMPRESSED and chosen_coding((b"gzip",), accepted):
        body, sent = _gzip(body), {**sent, "content-encoding": "gzip"}
    return Response(body, status, sent, media_type=media_type)


@lru_cache(maxsize=32)
def _gzip(body: bytes) -> bytes:
    """Kept for the texts that many ask for: it takes half a millisecond, which is half of such a response."""
    return gzip.compress(body, 6, mtime=0)
