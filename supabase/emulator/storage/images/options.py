"""What a transformation may ask for: the schema, the list that headers and tokens carry, and its reading. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from emulator.storage.errors import invalid_input, invalid_value
from emulator.storage.wire.request import as_text
from emulator.storage.wire.validation import Schema, integer, number, one_of

GRAVITIES = ("no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp")
Bounds = tuple[int, int]  # how small and how large a side may be asked for, in pixels
_MODES = {"cover": "fill", "contain": "fit", "fill": "force"}
_CHECKS = {
    "height": integer(0),
    "width": integer(0),
    "resize": one_of("cover", "contain", "fill"),
    "format": one_of("origin", "avif", "webp"),
    "quality": integer(20, 100),
    "gravity": one_of(*GRAVITIES),
    "x_offset": number(),
    "y_offset": number(),
}


class TransformSchema(Schema):
    """The options by name. A focal point needs both of its coordinates, between 0 and 1."""

    def read(self, value: Any, place: str) -> dict[str, Any]:
        """As Schema does."""
        found = super().read(value, place)
        if found.get("gravity") == "fp":
            for name in ("x_offset", "y_offset"):
                if name not in found:
                    raise invalid_input(
                        f"{place} must have required property '{name}', {place} must match \"then\" schema"
                    )
            for name in ("x_offset", "y_offset"):
                if not 0 <= found[name] <= 1:
                    bound = ">= 0" if found[name] < 0 else "<= 1"
                    raise invalid_input(f'{place}/{name} must be {bound}, {place} must match "then" schema')
        return found


TRANSFORM = TransformSchema(_CHECKS)


def transformations(options: Mapping[str, Any], bounds: Bounds, *, for_token: bool = False) -> list[str]:
    """The options as the header X-Transformations lists them, or as a signed URL's token does. Raises StorageError."""
    listed = []
    height, width = options.get("height"), options.get("width")
    for name, value in (("height", height), ("width", width)):
        if value:
            listed.append(f"{name}:{_clamped(value, bounds)}")
    if width or height:
        mode = options.get("resize")
        listed.append(
            f"resize:{mode or 'undefined'}" if for_token else f"resizing_type:{_MODES.get(mode or '', 'fill')}"
        )
    if options.get("quality"):
        listed.append(f"quality:{options['quality']}")
    if options.get("format") and options["format"] != "origin":
        listed.append(f"format:{options['format']}")
    return [*listed, *_listed_gravity(options)]


def _clamped(value: int, bounds: Bounds) -> int:
    return max(bounds[0], min(value, bounds[1]))


def _listed_gravity(options: Mapping[str, Any]) -> list[str]:
    gravity, x, y = options.get("gravity"), options.get("x_offset"), options.get("y_offset")
    if not gravity:
        return []
    if gravity == "sm":
        return ["gravity:sm"]
    if gravity == "fp":
        if x is None or y is None or not (0 <= x <= 1 and 0 <= y <= 1):
            raise invalid_value("Focal point requires x and y coordinates within 0-1 range")
        return [f"gravity:fp:{as_text(x)}:{as_text(y)}"]
    if x is None and y is None:
        return [f"gravity:{gravity}"]
    return [f"gravity:{gravity}:{as_text(x or 0)}:{as_text(y or 0)}"]


def parse_transformations(listed: str) -> dict[str, Any]:
    """The options of a token; what is unknown or unreadable is skipped."""
    found: dict[str, Any] = {}
    for item in listed.split(","):
        name, *values = item.split(":")
        if not values or not values[0]:
            continue
        if name in ("height", "width", "quality"):
            match = re.match(r"\s*(\d+)", values[0])
            if match:
                found[name] = int(match[1])
        elif (name == "resize" and values[0] in _MODES) or name == "format":
            found[name] = values[0]
        elif name == "gravity" and values[0] in GRAVITIES:
            found["gravity"] = values[0]
            for key, text in zip(("x_offset", "y_offset"), values[1:], strict=False):
                if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", text):
                    found[key] = float(text)
    return found


Mode = Literal["fill", "fit", "force"]


@dataclass(frozen=True)
class Transform:
    """What is computed. 0 for a size that is left to the other one; `format` None: as the source."""

    width: int = 0
    height: int = 0
    mode: str = "fill"
    quality: int = 0
    format: str | None = None
    gravity: str = "ce"
    x: float | None = None
    y: float | None = None

    @property
    def key(self) -> str:
        """A name for the result."""
        return f"{self.width}x{self.height}-{self.mode}-{self.quality}-{self.format}-{self.gravity}-{self.x}-{self.y}"


def plan_transform(options: Mapping[str, Any], accept: str, bounds: Bounds) -> Transform:
    """What to compute for these options, for a client that accepts these types."""
    wanted = options.get("format")
    if wanted == "origin":
        output = None
    elif wanted in ("avif", "webp"):
        output = wanted
    else:
        output = "webp" if "image/webp" in accept else None
    width, height = options.get("width") or 0, options.get("height") or 0
    return Transform(
        _clamped(width, bounds) if width else 0,
        _clamped(height, bounds) if height else 0,
        _MODES.get(options.get("resize") or "", "fill"),
        options.get("quality") or 0,
        output,
        options.get("gravity") or "ce",
        options.get("x_offset"),
        options.get("y_offset"),
    )
