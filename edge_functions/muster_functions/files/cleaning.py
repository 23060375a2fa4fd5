"""A picture made anew from its pixels: upright, sRGB, at most 2560 px a side, without anything else that its file had.

Place, camera, thumbnails, comments, color profiles and whatever was appended are not removed one by one: they are never
copied.
"""

import base64
import io

from PIL import Image, ImageOps, UnidentifiedImageError

from emulator.storage.images.compute import to_srgb
from muster_functions.files.content import Cleaned

MAX_MEGAPIXELS = 50
MAX_SIDE_PX = 2560
PREVIEW_PX = 24
_FORMATS = ("JPEG", "PNG", "WEBP", "AVIF")


class NotAPicture(Exception):
    """It can't be decoded."""


class TooManyPixels(Exception):
    """More than MAX_MEGAPIXELS."""


def clean(data: bytes) -> Cleaned:
    """Decode and encode; of an animation the first frame. Raises NotAPicture, TooManyPixels."""
    Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            if image.width * image.height > MAX_MEGAPIXELS * 1_000_000:
                raise TooManyPixels
            image.draft("RGB", (MAX_SIDE_PX, MAX_SIDE_PX))  # JPEG can be decoded at a fraction of its size
            upright = to_srgb(ImageOps.exif_transpose(image))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise NotAPicture from error
    has_alpha = "A" in upright.getbands() or "transparency" in upright.info
    made = upright.convert("RGBA" if has_alpha else "RGB")
    made.thumbnail((MAX_SIDE_PX, MAX_SIDE_PX), Image.Resampling.LANCZOS, reducing_gap=3.0)
    made.info.clear()  # encoders take EXIF, XMP and profiles from here
    return Cleaned(
        _encode(made, "WEBP", quality=90) if has_alpha else _encode(made, "JPEG", quality=88, progressive=True),
        "image/webp" if has_alpha else "image/jpeg",
        made.width,
        made.height,
        _preview(made),
    )


def _preview(image: Image.Image) -> str:
    small = image.copy()
    small.thumbnail((PREVIEW_PX, PREVIEW_PX))
    return "data:image/webp;base64," + base64.b64encode(_encode(small, "WEBP", quality=40)).decode()


def _encode(image: Image.Image, name: str, **options: int | bool) -> bytes:
    made = io.BytesIO()
    image.save(made, name, **options)
    return made.getvalue()
