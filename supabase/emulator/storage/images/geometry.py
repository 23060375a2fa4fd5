"""How large a transformed image is, and which part of it is kept. imgproxy's rules, with enlarging off. Pure."""

from typing import NamedTuple

_LEFT = ("we", "nowe", "sowe")
_RIGHT = ("ea", "noea", "soea")
_TOP = ("no", "noea", "nowe")
_BOTTOM = ("so", "soea", "sowe")


class Box(NamedTuple):
    """Sides in pixels; in what is asked for, 0 leaves a side to the other one."""

    width: int
    height: int


def scaled_size(source: Box, wanted: Box, mode: str) -> Box:
    """The size before anything is cut off. No side grows."""
    across = wanted.width / source.width if wanted.width else None
    down = wanted.height / source.height if wanted.height else None
    if across is None and down is None:
        return source
    if mode == "force":
        across, down = across or 1.0, down or 1.0
        largest = max(across, down, 1.0)
        return _rounded(source, across / largest, down / largest)
    known = [factor for factor in (across, down) if factor is not None]
    factor = min(max(known) if mode == "fill" else min(known), 1.0)
    return _rounded(source, factor, factor)


def _rounded(source: Box, across: float, down: float) -> Box:
    return Box(max(round(source.width * across), 1), max(round(source.height * down), 1))


def crop_box(scaled: Box, wanted: Box, gravity: str, x: float | None, y: float | None) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is kept. `x` and `y`: the focal point, or how far to go from the gravity."""
    width = min(wanted.width or scaled.width, scaled.width)
    height = min(wanted.height or scaled.height, scaled.height)
    left = _start(scaled.width, width, gravity in _LEFT, gravity in _RIGHT, gravity, x)
    top = _start(scaled.height, height, gravity in _TOP, gravity in _BOTTOM, gravity, y)
    return left, top, left + width, top + height


def _start(length: int, kept: int, at_start: bool, at_end: bool, gravity: str, offset: float | None) -> int:
    room = length - kept
    if gravity == "fp":
        place = round((offset or 0.0) * length - kept / 2)
    else:
        shift = 0 if offset is None or gravity == "sm" else round(offset if abs(offset) >= 1 else offset * length)
        place = shift if at_start else room - shift if at_end else room // 2 + shift
    return max(0, min(place, room))
