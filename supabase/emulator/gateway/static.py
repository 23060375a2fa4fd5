"""The built web application: compressed, cached by name; index.html is the landing page, app.html every other page.

A file `x.br` beside `x` is x with Brotli, made by the build; gzip is made here.
"""

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from emulator.asgi.types import Headers
from emulator.gateway.config import cache_control, page_headers
from emulator.gateway.pages import page_address

COMPRESSIBLE = ("text/", "application/javascript", "application/json", "application/manifest", "image/svg")
IMMUTABLE, REVALIDATE, NO_STORE = (cache_control()[kind].encode() for kind in ("assets", "pages", "config"))
PAGE_SECURITY: Headers = [(name.lower().encode(), value.encode()) for name, value in page_headers().items()]


@dataclass(frozen=True)
class StaticFile:
    """One file of the site, read once. `encoded`: its body by content coding, the smallest first."""

    body: bytes
    encoded: Mapping[bytes, bytes]
    media_type: bytes
    etag: bytes
    cache_control: bytes


class Site:
    """The files of a built site by URL path. Read at first use, and all anew once index.html is another one.

    `pages` are the paths of the application's pages, a star for one part; without any, every path without an extension
    is one.
    """

    def __init__(self, root: Path | None, pages: Sequence[str] = ()) -> None:
        self._root = root
        self._pages = pages
        self._files: dict[str, StaticFile | None] = {}
        self._build: tuple[int, int] | None = None

    def find(self, path: str) -> StaticFile | None:
        """The file for a path; app.html for a page of the application; None for what is neither."""
        build = self._stamp()
        if build is not None and build != self._build:  # built again while we ran; while there is none, the old one
            self._files.clear()
            self._build = build
        if path not in self._files:
            if len(self._files) > 5_000:  # a scanner asking for ever new names must not fill the memory
                self._files.clear()
            self._files[path] = self._read(path)
        return self._files[path]

    def other_address(self, path: str) -> str | None:
        """The address of a page that is spelled in another case, or with a slash at its end; None for other paths."""
        address = page_address(self._pages, path)
        return None if address is None or address == path else quote(address)

    def _stamp(self) -> tuple[int, int] | None:
        """What tells one build from the next: when index.html was written (ns), and its size; None without one."""
        if self._root is None:
            return None
        try:
            found = (self._root / "index.html").stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size

    def _read(self, path: str) -> StaticFile | None:
        if self._root is None or "\0" in path or _is_hidden(path):
            return None
        try:
            return self._read_below(self._root, path)
        except OSError:  # a name that is too long, a folder that may not be entered
            return None

    def _read_below(self, site: Path, path: str) -> StaticFile | None:
        root = site.resolve()
        wanted = (root / path.lstrip("/")).resolve()
        if not wanted.is_relative_to(root):
            return None
        if path != "/" and wanted.is_file():
            return _load(wanted, path)
        if path.startswith("/assets/") or "." in path.rsplit("/", 1)[-1]:
            return None
        if path != "/" and self._pages and page_address(self._pages, path) != path:
            return None
        page = root / ("index.html" if path == "/" else "app.html")
        return _load(page, f"/{page.name}") if page.is_file() else None


def _is_hidden(path: str) -> bool:
    """Whether a part of a path begins with a dot: what tools leave in a build. RFC 8615 has one to be served."""
    return any(part.startswith(".") and part != ".well-known" for part in path.split("/"))


def headers_of(file: StaticFile, coding: bytes | None = None) -> Headers:
    """The response headers of a file, its length left out."""
    headers = [
        (b"content-type", file.media_type),
        (b"cache-control", file.cache_control),
        (b"etag", file.etag),
        *PAGE_SECURITY,
    ]
    if file.encoded:
        headers.append((b"vary", b"Accept-Encoding"))
    if coding is not None:
        headers.append((b"content-encoding", coding))
    return headers


def _load(file: Path, path: str) -> StaticFile:
    body = file.read_bytes()
    guessed = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    media_type = {"text/javascript": "application/javascript"}.get(guessed, guessed)
    compress = media_type.startswith(COMPRESSIBLE) and len(body) > 500
    text = media_type.startswith("text/") or media_type in ("application/javascript", "image/svg+xml")
    return StaticFile(
        body,
        _encode(file, body) if compress else {},
        (f"{media_type}; charset=utf-8" if text else media_type).encode(),
        b'W/"' + hashlib.sha256(body).hexdigest()[:20].encode() + b'"',
        IMMUTABLE if path.startswith("/assets/") else REVALIDATE,
    )


def _encode(file: Path, body: bytes) -> dict[bytes, bytes]:
    brotli = file.with_name(f"{file.name}.br")
    made = {b"br": brotli.read_bytes()} if brotli.is_file() else {}
    return {**made, b"gzip": gzip.compress(body, 9, mtime=0)}
