"""The picture of a shared link has the size that Open Graph's readers expect, whatever is written on it."""

import io

import pytest
from PIL import Image

from muster_functions.blog.share.picture import draw_picture


@pytest.mark.parametrize(
    "text", ["The roof told us twice", "", "A" * 5000, "word " * 500, "\u202edlrow\n🔥 ünïcode 消防"],
    ids=["title", "nothing", "one-word", "many-words", "other-scripts"],
)  # fmt: skip
def test_every_text_fits_a_png_of_1200_by_630(text: str) -> None:
    picture = draw_picture(text, text, text, "seed")
    with Image.open(io.BytesIO(picture)) as image:
        assert (image.format, image.size) == ("PNG", (1200, 630))
    assert len(picture) < 200_000
