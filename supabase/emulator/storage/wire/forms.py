"""multipart/form-data, piece by piece: fields, then a file whose bytes pass through. Pure.

python-multipart parses; what a form may hold is bounded here.
"""

import re
from collections import deque
from dataclasses import dataclass, field

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

MAX_FIELDS = 10
MAX_FIELD_BYTES = 1 << 20
MAX_PART_HEAD_BYTES = 16 << 10


class FormError(Exception):
    """A form that can't be read; the text is for the client."""


@dataclass(frozen=True)
class FilePart:
    """The file begins: its media type, and the fields that came before it."""

    mime_type: str
    fields: dict[str, str]


@dataclass
class _Part:
    head_size: int = 0
    header: bytes = b""
    headers: dict[bytes, bytes] = field(default_factory=dict)
    name: str = ""
    is_file: bool = False
    value: bytearray = field(default_factory=bytearray)


class Form:
    """Feed it, and take `events`: a FilePart, its bytes, then None at the end of the file. The rest is ignored."""

    def __init__(self, content_type: str, max_fields: int = MAX_FIELDS) -> None:
        boundary = parse_options_header(content_type)[1].get(b"boundary")
        if not boundary or len(boundary) > 256:
            raise FormError("Multipart: Boundary not found")
        self.events: deque[FilePart | bytes | None] = deque()
        self.is_over = False
        self._fields: dict[str, str] = {}
        self._count = 0
        self._max_fields = max_fields
        self._part = _Part()
        self._has_file = False
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": self._header_name,
                "on_header_value": self._header_value,
                "on_header_end": self._header_end,
                "on_headers_finished": self._head_end,
                "on_part_data": self._data,
                "on_part_end": self._end,
                "on_end": self._over,
            },
        )
        self._value = b""

    def feed(self, data: bytes) -> None:
        """Parse more of the body. Raises FormError."""
        try:
            self._parser.write(data)
        except FormParserError as error:
            raise FormError("Request stream closed before upload could begin") from error

    def _begin(self) -> None:
        self._part = _Part()
        self._value = b""

    def _header_name(self, data: bytes, start: int, end: int) -> None:
        self._grow(end - start)
        self._part.header += data[start:end]

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._grow(end - start)
        self._value += data[start:end]

    def _grow(self, size: int) -> None:
        self._part.head_size += size
        if self._part.head_size > MAX_PART_HEAD_BYTES:
            raise FormError("Request stream closed before upload could begin")

    def _header_end(self) -> None:
        self._part.headers[self._part.header.lower()] = self._value
        self._part.header = self._value = b""

    def _head_end(self) -> None:
        options = parse_options_header(self._part.headers.get(b"content-disposition", b""))[1]
        self._part.name = options.get(b"name", b"").decode("utf-8", "replace")
        media_type = self._part.headers.get(b"content-type")
        is_octets = media_type is not None and media_type.lower().startswith(b"application/octet-stream")
        self._part.is_file = b"filename" in options or b"filename*" in options or is_octets
        if not self._part.is_file:
            self._count += 1
            if self._count > self._max_fields:
                raise FormError("Request stream closed before upload could begin")
        elif not self._has_file:
            given = (media_type or b"text/plain").decode("latin-1")
            self.events.append(FilePart(re.sub(r"\s*;.*", "", given) if media_type is None else given, self._fields))

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._part.is_file and self._has_file:
            return
        if self._part.is_file:
            self.events.append(data[start:end])
        elif len(self._part.value) + end - start <= MAX_FIELD_BYTES + 1:
            self._part.value += data[start:end]

    def _end(self) -> None:
        if self._part.is_file and not self._has_file:
            self._has_file = True
            self.events.append(None)
        elif not self._part.is_file:
            self._fields[self._part.name] = self._part.value.decode("utf-8", "replace")

    def _over(self) -> None:
        self.is_over = True
