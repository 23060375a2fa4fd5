"""Heads that the parser has read before. Pure.

A client sends the same headers with nearly every request of a connection. What the parser made of a block of headers is
kept by its bytes: the same bytes mean the same. Only requests about which nothing is special are known by sight:
HTTP/1.1, complete in one piece, no upgrade, with Content-Length or without a body. All others go through the parser.
"""

from emulator.asgi.types import Headers

Request = tuple[str, bytes, Headers, bytes]  # method, target, headers, body

_MOST = 512
_LONGEST = 4096  # bytes of a block: longer ones are rare, and would let a client fill the memory
_VERSION = b"HTTP/1.1\r\n"
_METHODS = {name.encode(): name for name in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")}
_TARGET = bytes(byte for byte in range(0x21, 0x7F) if byte != ord("#"))  # what the parser takes as it is
_SPECIAL = frozenset({b"connection", b"expect", b"transfer-encoding", b"upgrade"})


class KnownHeads:
    """Blocks of headers, from the protocol's version to the blank line."""

    def __init__(self) -> None:
        self._known: dict[bytes, tuple[tuple[tuple[bytes, bytes], ...], int]] = {}

    def read(self, data: bytes) -> Request | None:
        """The request that `data` is, from its first to its last byte; None unless its headers are known."""
        parts = data.split(b" ", 2)
        if len(parts) != 3:
            return None
        name, target, rest = parts
        ends = rest.find(b"\r\n\r\n") + 4
        known = self._known.get(rest[:ends])
        if known is None or len(rest) - ends != known[1]:
            return None
        method = _METHODS.get(name)
        if method is None or target[:1] != b"/" or target.translate(None, _TARGET):
            return None
        return method, target, list(known[0]), rest[ends:]

    def keep(self, data: bytes, headers: Headers) -> None:
        """Remember what the parser has read from `data`, if that was one whole request and is nothing special."""
        parts = data.split(b" ", 2)
        rest = parts[-1]
        ends = rest.find(b"\r\n\r\n") + 4
        block = rest[:ends]
        names = {name for name, _ in headers}
        lengths = [value for name, value in headers if name == b"content-length"]
        size = int(lengths[0]) if lengths else 0
        if (
            parts[0] in _METHODS
            and block.startswith(_VERSION)
            and len(block) <= _LONGEST
            and len(rest) - ends == size
            and _SPECIAL.isdisjoint(names)
            # One line for each header and two more: the parser saw the same ends.
            and block.count(b"\r\n") == block.count(b"\n") == block.count(b"\r") == len(headers) + 2
        ):
            if len(self._known) >= _MOST:
                self._known.clear()
            self._known[block] = tuple(headers), size
