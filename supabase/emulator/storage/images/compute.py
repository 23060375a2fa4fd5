"""One image in another size and format, as imgproxy would make it: never larger, oriented, sRGB, without metadata."""

import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from PIL import Image, ImageCms, ImageOps, ImageSequence, UnidentifiedImageError

from emulator.storage.images.geometry import Box, crop_box, scaled_size

_UNSUPPORTED = "The source image is invalid or unsupported for rendering"
_TOO_LARGE = "The source image resolution is too large to process"
_FORMATS = ("JPEG", "PNG", "GIF", "WEBP", "AVIF", "TIFF", "BMP")
_ANIMATED = ("GIF", "WEBP")
_OPAQUE = ("JPEG", "BMP")
_QUALITY = {"JPEG": 80, "WEBP": 80, "AVIF": 62}
_AVIF_SPEED = 8  # of 10: slower ones take seconds for a picture of a phone


class ImageRefused(Exception):
    """A source that can't be rendered; the text is for the client."""


def compute(source: Path, target: Path, transform: Mapping[str, Any], limits: Mapping[str, Any]) -> str:
    """Write the transformed image; its media type. Raises ImageRefused.

    `limits`: megapixels of the source (all of its frames count), and how many frames are kept.
    """
    Image.MAX_IMAGE_PIXELS = None  # checked here, before anything is decoded
    try:
        with Image.open(source, formats=_FORMATS) as image:
            if image.width * image.height > limits["megapixels"] * 1_000_000:
                raise ImageRefused(_TOO_LARGE)
            name = (transform["format"] or image.format or "PNG").upper()
            frames = list(_transformed(image, name, transform, limits["frames"]))
    except ImageRefused:
        raise
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, Image.DecompressionBombError) as error:
        raise ImageRefused(_UNSUPPORTED) from error
    _save(frames, target, name, transform["quality"])
    return f"image/{name.lower()}"


def _transformed(image: Image.Image, name: str, transform: Mapping[str, Any], most: int) -> Iterator[Image.Image]:
    is_animated = name in _ANIMATED and getattr(image, "n_frames", 1) > 1
    if not is_animated:
        _shrink_on_load(image, transform)
        yield _transform(image, name, transform)
        return
    for index, frame in enumerate(ImageSequence.Iterator(image)):
        if index >= most:
            return
        made = _transform(frame.copy(), name, transform)
        made.info["duration"] = frame.info.get("duration", 100)
        yield made


def _shrink_on_load(image: Image.Image, transform: Mapping[str, Any]) -> None:
    """JPEG can be decoded at a fraction of its size, which is most of the work saved."""
    if image.format == "JPEG" and transform["mode"] != "force":
        largest = 2 * max(transform["width"], transform["height"])
        if largest:
            image.draft("RGB", (largest, largest))


def _transform(image: Image.Image, name: str, transform: Mapping[str, Any]) -> Image.Image:
    image = ImageOps.exif_transpose(image)
    image = to_srgb(image)
    has_alpha = "A" in image.getbands() or "transparency" in image.info
    image = _flattened(image) if has_alpha and name in _OPAQUE else image.convert("RGBA" if has_alpha else "RGB")
    size = Box(image.width, image.height)
    wanted = Box(transform["width"], transform["height"])
    scaled = scaled_size(size, wanted, transform["mode"])
    if scaled != size:
        image = image.resize((scaled.width, scaled.height), Image.Resampling.LANCZOS, reducing_gap=3.0)
    if transform["mode"] == "fill":
        image = image.crop(crop_box(scaled, wanted, transform["gravity"], transform["x"], transform["y"]))
    return image


def to_srgb(image: Image.Image) -> Image.Image:
    """The colors that the image's profile means, where it has one that can be read."""
    profile = image.info.get("icc_profile")
    if profile and image.mode in ("RGB", "CMYK", "L"):
        with suppress(ImageCms.PyCMSError, OSError, ValueError):
            made = ImageCms.profileToProfile(
                image, ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), outputMode="RGB"
            )
            return made if made is not None else image
    return image


def _flattened(image: Image.Image) -> Image.Image:
    """On white, for formats without transparency."""
    layered = image.convert("RGBA")
    ground = Image.new("RGBA", layered.size, "white")
    return Image.alpha_composite(ground, layered).convert("RGB")


def _save(frames: list[Image.Image], target: Path, name: str, quality: int) -> None:
    options: dict[str, Any] = {}
    if name in _QUALITY:
        options["quality"] = quality or _QUALITY[name]
    if name == "AVIF":
        options["speed"] = _AVIF_SPEED
    if name == "PNG":
        options["optimize"] = False
    if len(frames) > 1:
        options |= {"save_all": True, "append_images": frames[1:], "loop": 0}
        options["duration"] = [frame.info.get("duration", 100) for frame in frames]
    frames[0].save(target, name, **options)
