"""What a file is, by its bytes: names and declared types are a stranger's words. Pure."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["picture", "pdf"]

MEGABYTE = 1024 * 1024
MAX_PICTURE_BYTES = 10 * MEGABYTE
MAX_FILE_BYTES = 20 * MEGABYTE

_PICTURES = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
_AVIF_BRANDS = (b"avif", b"avis", b"mif1")


@dataclass(frozen=True)
class Cleaned:
    """A picture as it is kept. `preview` is a data URL."""

    data: bytes
    mime_type: str
    width: int
    height: int
    preview: str


def kind_of(data: bytes) -> Kind | None:
    """What the bytes say; None for everything that is not known.

    A picture is decoded afterwards. A PDF has to begin and end as one: what is appended to make it something else as
    well, such as an archive, comes after its end.
    """
    if data.startswith(_PICTURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP"):
        return "picture"
    if data[4:8] == b"ftyp" and data[8:12] in _AVIF_BRANDS:
        return "picture"
    if data.startswith((b"%PDF-1.", b"%PDF-2.")) and data[-1024:].rstrip(b"\r\n \t\0").endswith(b"%%EOF"):
        return "pdf"
    return None
