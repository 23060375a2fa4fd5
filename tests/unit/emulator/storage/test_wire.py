"""Paths, ranges, forms, cursors, TUS headers, tokens and the geometry of images."""

import pytest

from emulator.jwt import sign
from emulator.storage.errors import StorageError
from emulator.storage.images.geometry import Box, crop_box, scaled_size
from emulator.storage.router import Route, Router
from emulator.storage.tokens import TokenError, Tokens, bearer
from emulator.storage.tus.protocol import UploadId, format_metadata, origin_of, parse_metadata, parse_upload_id
from emulator.storage.wire.caching import disposition, is_unchanged, parse_copy_range, parse_range
from emulator.storage.wire.cursor import Cursor, decode_cursor
from emulator.storage.wire.forms import FilePart, Form, FormError
from emulator.storage.wire.request import BadUrl
from emulator.storage.wire.response import Response

SECRET = "a secret of more than thirty-two characters"


async def handler(_context: object) -> Response:
    return Response()


ROUTER = Router(
    [
        Route("GET", "/object/{bucket}/{key...}", handler, "general"),
        Route("GET", "/object/public/{bucket}/{key...}", handler, "public"),
        Route("POST", "/object/{bucket}/{key...}", handler, "upload"),
    ]
)


@pytest.mark.parametrize(
    ("method", "path", "want"),
    [
        ("GET", "/object/public/b/a%20b/c", ("public", {"bucket": "b", "key": "a b/c"})),
        ("GET", "/object/public/b", ("general", {"bucket": "public", "key": "b"})),
        ("POST", "/object/public/b/c", ("upload", {"bucket": "public", "key": "b/c"})),
        ("HEAD", "/object/b/", ("general", {"bucket": "b", "key": ""})),
        ("GET", "/object/b//c", ("general", {"bucket": "b", "key": "/c"})),
        ("GET", "//object/b/c", None),
        ("GET", "/object/b", None),
        ("PATCH", "/object/b/c", None),
    ],
)
def test_routes(method: str, path: str, want: "tuple[str, dict[str, str]] | None") -> None:
    found = ROUTER.find(method, path)
    assert (None if found is None else (found.route.operation, dict(found.params))) == want


@pytest.mark.parametrize("path", ["/object/b/%zz", "/object/%ff/x", "/object/b/%"])
def test_paths_that_are_none(path: str) -> None:
    with pytest.raises(BadUrl):
        ROUTER.find("GET", path)


def test_ranges_of_copies_lie_within_the_source() -> None:
    assert parse_copy_range("bytes=2-4", 5).length == 3
    for rubbish in ("bytes=2-5", "bytes=-2", "x"):
        with pytest.raises(StorageError):
            parse_copy_range(rubbish, 5)
    with pytest.raises(StorageError):
        parse_range("bytes=0-", 0)


def test_conditions_and_dispositions() -> None:
    assert is_unchanged({"if-none-match": '"a"'}, '"a"', 0)
    assert not is_unchanged({"if-modified-since": "rubbish"}, '"a"', 0)
    assert is_unchanged({"if-modified-since": "Thu, 01 Jan 1970 00:00:10 GMT"}, '"a"', 10.0)
    assert disposition("ü.txt")[0][1] == "attachment; filename=%C3%BC.txt; filename*=UTF-8''%C3%BC.txt"


def test_a_form_is_read_up_to_its_file() -> None:
    form = Form("multipart/form-data; boundary=b")
    head = b'--b\r\nContent-Disposition: form-data; name="k"\r\n\r\nv\r\n--b\r\n'
    rest = b'Content-Disposition: form-data; name=""; filename="f"\r\nContent-Type: a/b\r\n\r\nbytes\r\n--b--\r\n'
    for byte in head + rest:
        form.feed(bytes([byte]))
    part, *data, end = form.events
    assert part == FilePart("a/b", {"k": "v"})
    assert (b"".join(piece for piece in data if isinstance(piece, bytes)), end) == (b"bytes", None)


@pytest.mark.parametrize(
    "body",
    [
        b"no form",
        b"--b\r\n" + b"Content-Disposition: form-data; name=x\r\n\r\n\r\n".join([b""] + [b"--b\r\n"] * 12),
        b"--b\r\nX: " + b"a" * 20_000,
    ],
)
def test_forms_that_are_none(body: bytes) -> None:
    with pytest.raises(FormError):
        Form("multipart/form-data; boundary=b").feed(body)
    with pytest.raises(FormError):
        Form("multipart/form-data")


def test_cursors() -> None:
    cursor = Cursor("a/b", "desc", "created_at", "2026-01-01T00:00:00.000Z")
    assert decode_cursor(cursor.encode()) == cursor
    for rubbish in ("garbage", "eDp5", "ü"):
        with pytest.raises(StorageError):
            decode_cursor(rubbish)


def test_resumable_headers() -> None:
    assert parse_metadata("a Yg==,c") == {"a": "b", "c": None}
    assert format_metadata({"a": "b", "c": None}) == "a Yg==,c"
    for rubbish in ("", "a b", "a Yg== x", "a Yg==,a Yg==", "ä Yg=="):
        assert parse_metadata(rubbish) is None
    upload = UploadId("b", "k/l", "v")
    assert parse_upload_id(upload.encode()) == upload
    for rubbish in ("x", "%", UploadId("b", "..", "v").encode(), UploadId("", "k", "v").encode()):
        with pytest.raises(StorageError):
            parse_upload_id(rubbish)
    assert origin_of({"host": "a:1"}, "http", "") == "http://a:1"
    assert origin_of({"x-forwarded-host": "b", "x-forwarded-port": "8080"}, "http", "") == "http://b:8080"
    assert origin_of({"host": "a"}, "http", "https://c") == "https://c"


def test_tokens_are_refused_in_the_originals_words() -> None:
    tokens = Tokens(SECRET, clock=lambda: 1000.0)
    assert tokens.principal(sign({"sub": "x"}, SECRET)).role == "anon"
    minted = tokens.mint({"url": "b/k"}, 60)
    assert tokens.claims(minted.token) == {"url": "b/k", "iat": 1000, "exp": 1060}
    for token, message in {
        "": "Invalid Compact JWS",
        "a.b.c": "JWS Protected Header is invalid",
        sign({}, "another secret of thirty-two characters!"): "signature verification failed",
        sign({"exp": 999}, SECRET): '"exp" claim timestamp check failed',
        sign({"nbf": 1001}, SECRET): '"nbf" claim timestamp check failed',
        sign({"exp": "x"}, SECRET): '"exp" claim must be a number',
    }.items():
        with pytest.raises(TokenError) as refused:
            tokens.claims(token)
        assert str(refused.value) == message
    assert (bearer("bearer x"), bearer("x"), bearer("")) == ("x", "x", "")


@pytest.mark.parametrize(
    ("wanted", "mode", "want"),
    [
        (Box(100, 100), "fill", Box(200, 100)),
        (Box(100, 100), "fit", Box(100, 50)),
        (Box(100, 100), "force", Box(100, 100)),
        (Box(800, 100), "force", Box(400, 50)),
        (Box(800, 0), "fill", Box(400, 200)),
        (Box(1, 0), "fit", Box(1, 1)),
        (Box(0, 0), "fill", Box(400, 200)),
    ],
)
def test_sizes(wanted: Box, mode: str, want: Box) -> None:
    assert scaled_size(Box(400, 200), wanted, mode) == want


def test_what_is_kept() -> None:
    assert crop_box(Box(200, 100), Box(100, 100), "ce", None, None) == (50, 0, 150, 100)
    assert crop_box(Box(200, 100), Box(100, 100), "ea", None, None) == (100, 0, 200, 100)
    assert crop_box(Box(200, 100), Box(100, 100), "fp", 0.0, 0.5) == (0, 0, 100, 100)
    assert crop_box(Box(200, 100), Box(900, 900), "ce", 50, -50) == (0, 0, 200, 100)
