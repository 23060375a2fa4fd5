"""Images in other sizes and formats: what comes out, and what is refused."""

import io

import httpx
import pytest
from PIL import Image

from tests.contract.storage.conftest import AS_ADA, SERVICE, Storage


def picture(size: tuple[int, int], **options: object) -> bytes:
    """An image, red on its left half and blue on its right."""
    made = Image.new("RGB", size, "blue")
    made.paste("red", (0, 0, size[0] // 2, size[1]))
    return encoded(made, "JPEG", **options)


def encoded(image: Image.Image, name: str, **options: object) -> bytes:
    stream = io.BytesIO()
    image.save(stream, name, **options)
    return stream.getvalue()


@pytest.fixture(scope="module")
def images(storage: Storage) -> Storage:
    """A bucket with a picture, one that lies on its side, and things that are none."""
    storage.bucket("images", public=True)
    exif = Image.Exif()
    exif[0x0112] = 6
    for key, content in {
        "a.jpg": picture((400, 200)),
        "turned.jpg": picture((400, 200), exif=exif),
        "text.png": b"no image at all",
        "bomb.png": encoded(Image.new("1", (12_000, 12_000)), "PNG"),
        "drawn.svg": b"<svg/>",
    }.items():
        types = {"g": "image/jpeg", "l": "image/png"}
        mime_type = "image/svg+xml" if key.endswith(".svg") else types.get(key[-1], "image/png")
        assert storage.upload(f"images/{key}", content, **{"content-type": mime_type}).status_code == 200
    return storage


def get(images: Storage, key: str, query: str, **headers: str) -> httpx.Response:
    return images.http.get(f"/render/image/public/images/{key}?{query}", headers=headers)


@pytest.mark.parametrize(
    ("query", "size"),
    [
        ("width=100", (100, 50)),
        ("height=100", (200, 100)),
        ("width=100&height=100", (100, 100)),
        ("width=100&height=100&resize=contain", (100, 50)),
        ("width=100&height=100&resize=fill", (100, 100)),
        ("width=9000&height=100", (400, 100)),
        ("", (400, 200)),
    ],
)
def test_sizes(images: Storage, query: str, size: tuple[int, int]) -> None:
    answer = get(images, "a.jpg", query)
    assert answer.status_code == 200, answer.text
    assert Image.open(io.BytesIO(answer.content)).size == size


def test_a_policy_hides_even_a_public_image_from_the_route_of_members(images: Storage) -> None:
    path = "/render/image/authenticated/images/a.jpg?width=9"
    assert images.http.get(path, headers=AS_ADA).json()["code"] == "NoSuchKey"
    assert images.http.get(path, headers=SERVICE).status_code == 200


def test_formats(images: Storage) -> None:
    assert get(images, "a.jpg", "width=9", accept="image/webp,*/*").headers["content-type"] == "image/webp"
    assert get(images, "a.jpg", "width=9&format=avif").headers["content-type"] == "image/avif"
    kept = get(images, "a.jpg", "width=9&format=origin", accept="image/webp")
    assert (kept.headers["content-type"], "vary" in kept.headers) == ("image/jpeg", False)
    drawn = get(images, "drawn.svg", "width=9")
    assert (drawn.content, "sandbox" in drawn.headers["content-security-policy"]) == (b"<svg/>", True)


def test_orientation_is_applied_and_metadata_dropped(images: Storage) -> None:
    made = Image.open(io.BytesIO(get(images, "turned.jpg", "width=50").content))
    assert (made.size, dict(made.getexif())) == ((50, 100), {})
    red, _, blue = made.getpixel((25, 5))  # type: ignore[misc]
    assert red > blue, "the left half is on top now"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("text.png", "The source image is invalid or unsupported for rendering"),
        ("bomb.png", "The source image resolution is too large to process"),
    ],
)
def test_what_is_no_image_or_too_large_is_refused(images: Storage, key: str, message: str) -> None:
    answer = get(images, key, "width=9")
    assert (answer.status_code, answer.json()["message"]) == (400, message)


def test_a_gravity_chooses_what_is_kept(images: Storage) -> None:
    def color(gravity: str) -> object:
        answer = get(images, "a.jpg", f"width=50&height=200&gravity={gravity}")
        return Image.open(io.BytesIO(answer.content)).getpixel((25, 100))

    west, east = color("we"), color("ea")
    assert isinstance(west, tuple)
    assert isinstance(east, tuple)
    assert west[0] > west[2]
    assert east[2] > east[0]


def test_what_was_made_goes_with_its_version(images: Storage) -> None:
    images.upload("images/gone.jpg", picture((20, 20)), **{"content-type": "image/jpeg"})
    assert get(images, "gone.jpg", "width=5").status_code == 200
    (version,) = [row[0] for row in images.sql("select version from storage.objects where name = 'gone.jpg'")]
    assert (images.root / "images" / version).is_dir()
    images.upload("images/gone.jpg", picture((20, 20)), **{"content-type": "image/jpeg", "x-upsert": "true"})
    assert not (images.root / "images" / version).exists()
