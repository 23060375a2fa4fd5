"""Draw the picture of a shared link: the title, who wrote it, and a map of a hill. CPU only, about 200 ms."""

import io
import math
import random
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
BACKGROUND, TEXT, MUTED, EMBER, MAP, LINE = "#1f1b18", "#f6f3ef", "#bdb6ae", "#fa9144", "#2a2521", "#57504a"
_FONT = Path(__file__).with_name("archivo.woff2")
_MARGIN, _COLUMN = 64, 610
_TITLE_SIZES, _TITLE_LINES = (66, 56, 48, 40), 4
# The panel with the map: its left edge leans, x at the top and at the bottom.
_EDGE, _EDGE_WIDTH = (790, 640), 16
_SHARPNESS = 2  # the map is drawn larger and scaled down: Pillow's lines have no smooth edges
# The mark of web/public/favicon.svg, on a grid of 32.
_MARK = (
    (EMBER, ((2, 3), (10, 3), (16, 9.2), (22, 3), (30, 3), (16, 17.5))),
    (TEXT, ((2, 7), (2, 28), (8.5, 28), (8.5, 13.7))),
    (TEXT, ((30, 7), (30, 28), (23.5, 28), (23.5, 13.7))),
    (TEXT, ((11.5, 17.2), (11.5, 28), (20.5, 28), (20.5, 17.2), (16, 21.8))),
)


def draw_picture(title: str, topic: str, author: str, seed: str) -> bytes:
    """The picture as PNG. `topic` and `author` may be empty; `seed` decides the map."""
    image = Image.new("RGB", (WIDTH, HEIGHT), BACKGROUND)
    image.paste(_map(seed), (0, 0), _panel())
    draw = ImageDraw.Draw(image)
    y = 60
    if topic:
        draw.text((_MARGIN, y), topic, EMBER, _font(22, 700, 125))
        y += 52
    font, lines = _title(title)
    for line in lines:
        draw.text((_MARGIN, y), line, TEXT, font)
        y += round(font.size * 1.06)
    if author:
        draw.text((_MARGIN, HEIGHT - 92), _fit(author, _font(26, 640), 480), TEXT, _font(26, 640))
    _sign(draw)
    written = io.BytesIO()
    image.quantize(64, dither=Image.Dither.NONE).save(written, "PNG", optimize=True)
    return written.getvalue()


@cache
def _font(size: int, weight: int, width: int = 100) -> ImageFont.FreeTypeFont:
    # Without Raqm: it refuses some mixtures of directions.
    font = ImageFont.truetype(_FONT, size, layout_engine=ImageFont.Layout.BASIC)
    font.set_variation_by_axes([weight, width])
    return font


def _title(title: str) -> tuple[ImageFont.FreeTypeFont, list[str]]:
    """The largest size in which the title fits its lines; a longer one is cut."""
    for size in _TITLE_SIZES:
        font = _font(size, 760)
        lines = _wrap(title, font)
        if len(lines) <= (3 if size > _TITLE_SIZES[-1] else _TITLE_LINES):
            return font, lines
    return font, [*lines[: _TITLE_LINES - 1], _fit(lines[_TITLE_LINES - 1] + "…", font, _COLUMN)]


def _wrap(text: str, font: ImageFont.FreeTypeFont) -> list[str]:
    lines: list[str] = []
    for word in (_fit(part, font, _COLUMN) for part in text.split()[:60]):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and font.getlength(longer) <= _COLUMN:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _fit(text: str, font: ImageFont.FreeTypeFont, width: int) -> str:
    """The text, or as much of it as fits with an ellipsis."""
    text = text[:200]
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(f"{text}…") > width:
        text = text[:-1]
    return f"{text}…"


@cache
def _panel() -> Image.Image:
    """Where the map and its edge are seen."""
    mask = Image.new("L", (WIDTH * _SHARPNESS, HEIGHT * _SHARPNESS), 0)
    ImageDraw.Draw(mask).polygon([*_edge(-_EDGE_WIDTH), *_edge(WIDTH)[::-1]], 255)
    return mask.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _edge(offset: int) -> list[tuple[float, float]]:
    """The upper and the lower end of the panel's edge, moved to the right, on the larger drawing."""
    top, bottom = _EDGE
    return [((top + offset) * _SHARPNESS, 0), ((bottom + offset) * _SHARPNESS, HEIGHT * _SHARPNESS)]


def _map(seed: str) -> Image.Image:
    """Contour lines around a summit, as on the covers of the application's articles."""
    chance = random.Random(seed)  # art, not a secret
    scale = _SHARPNESS
    image = Image.new("RGB", (WIDTH * scale, HEIGHT * scale), MAP)
    draw = ImageDraw.Draw(image)
    x, y = chance.uniform(860, 1080), chance.uniform(200, 420)
    waves = [(k, chance.uniform(0.1, 0.34) / k * 1.1, chance.uniform(0, 2 * math.pi)) for k in (2, 3, 5)]
    for ring in range(22):
        radius = (ring + 1) * 27
        points = []
        for step in range(121):
            angle = step / 120 * 2 * math.pi
            swell = 1 + sum(height * math.sin(k * angle + phase + ring * 0.12) for k, height, phase in waves)
            points.append(
                ((x + math.cos(angle) * radius * swell * 1.2) * scale, (y + math.sin(angle) * radius * swell) * scale)
            )
        is_index = ring % 5 == 4
        draw.line(points, EMBER if ring == 0 else LINE, (3 if is_index or ring == 0 else 2) * scale, joint="curve")
    draw.polygon([*_edge(-2 * _EDGE_WIDTH), *_edge(0)[::-1]], EMBER)
    draw.regular_polygon((x * scale, y * scale, 9 * scale), 3, fill=EMBER)
    return image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _sign(draw: ImageDraw.ImageDraw) -> None:
    """The mark and the name, at the lower right corner."""
    font = _font(28, 760, 125)
    width = font.getlength("Muster")
    left, top = WIDTH - 40 - width - 84, HEIGHT - 36 - 60
    draw.rounded_rectangle([left, top, WIDTH - 40, top + 60], 8, BACKGROUND)
    for color, points in _MARK:
        draw.polygon([(left + 18 + px * 1.06, top + 13 + py * 1.06) for px, py in points], color)
    draw.text((left + 66, top + 30), "Muster", TEXT, font, anchor="lm")
