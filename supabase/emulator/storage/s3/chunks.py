r"""Bodies that are sent in signed or unsigned chunks (aws-chunked), decoded piece by piece. Pure.

    <size in hex>[;chunk-signature=<hex>]\r\n<bytes>\r\n ... 0[;chunk-signature=<hex>]\r\n[trailers]\r\n

Checksums in trailers are not compared, as storage-api does not.
"""

import hashlib
from typing import Protocol

from emulator.storage.errors import invalid_request, invalid_signature

MAX_CHUNK_BYTES = 8 << 20
_MAX_HEAD_BYTES = 256
_MAX_TRAILER_BYTES = 4096


class ChunkCheck(Protocol):
    """Verifies the signature of one chunk. Raises StorageError."""

    def check(self, signature: str, digest: str) -> None:
        """`digest`: the SHA-256 of the chunk's bytes, in hex."""


class ChunkDecoder:
    """Feed it bytes, get the body's. `verifier` None: the chunks carry no signatures."""

    def __init__(self, verifier: ChunkCheck | None) -> None:
        self._verifier = verifier
        self._buffer = bytearray()
        self._left = 0
        self._signature = ""
        self._digest = hashlib.sha256()
        self._state = "head"
        self.is_complete = False

    def feed(self, data: bytes) -> list[bytes]:
        """The body's bytes in some of the request's. Raises StorageError."""
        self._buffer += data
        out: list[bytes] = []
        while self._step(out):
            pass
        return out

    def close(self) -> None:
        """Say that the request's body is over. Raises StorageError for one that is cut short."""
        if not self.is_complete:
            raise invalid_request("The request body terminated unexpectedly")

    def _step(self, out: list[bytes]) -> bool:
        if self._state == "head":
            return self._read_head()
        if self._state == "data":
            return self._read_data(out)
        if self._state == "end":
            return self._read_end()
        return self._read_trailer()

    def _read_head(self) -> bool:
        line = self._line(_MAX_HEAD_BYTES)
        if line is None:
            return False
        size, _, extension = line.partition(";")
        try:
            self._left = int(size.strip(), 16)
        except ValueError as error:
            raise invalid_request("Invalid chunk header") from error
        if not 0 <= self._left <= MAX_CHUNK_BYTES:
            raise invalid_request("Chunk too large")
        name, _, value = extension.partition("=")
        if self._verifier is not None and name.strip() != "chunk-signature":
            raise invalid_signature("Missing chunk signature")
        self._signature = value.strip()
        self._digest = hashlib.sha256()
        if self._left:
            self._state = "data"
        else:
            self._verify()
            self._state = "trailer"
        return True

    def _read_data(self, out: list[bytes]) -> bool:
        if not self._buffer:
            return False
        piece = bytes(self._buffer[: self._left])
        del self._buffer[: len(piece)]
        self._left -= len(piece)
        if self._verifier is not None:
            self._digest.update(piece)
        out.append(piece)
        if self._left == 0:
            self._verify()
            self._state = "end"
        return True

    def _read_end(self) -> bool:
        if len(self._buffer) < 2:
            return False
        if self._buffer[:2] != b"\r\n":
            raise invalid_request("Invalid chunk ending")
        del self._buffer[:2]
        self._state = "head"
        return True

    def _read_trailer(self) -> bool:
        line = self._line(_MAX_TRAILER_BYTES)
        if line is None:
            return False
        if not line:
            self.is_complete = True
            self._buffer.clear()
            return False
        return True

    def _verify(self) -> None:
        if self._verifier is not None:
            self._verifier.check(self._signature, self._digest.hexdigest())

    def _line(self, most: int) -> str | None:
        end = self._buffer.find(b"\r\n", 0, most + 2)
        if end < 0:
            if len(self._buffer) > most:
                raise invalid_request("Invalid chunk header")
            return None
        line = self._buffer[:end].decode("latin-1")
        del self._buffer[: end + 2]
        return line
