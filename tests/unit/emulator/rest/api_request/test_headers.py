"""Prefer, Accept, Range and friends, as values."""

import pytest

from emulator.errors import ApiError
from emulator.rest.api_request.http_request import read_headers
from emulator.rest.api_request.media_types import MediaType, parse_accept
from emulator.rest.api_request.preferences import Preferences, applied, parse_preferences
from emulator.rest.api_request.request import _choose_page, choose_action, choose_schema, parse_path
from emulator.rest.api_request.types import Range


@pytest.mark.parametrize(
    ("lines", "want"),
    [
        pytest.param(["return=minimal, count=exact"], Preferences(representation="minimal", count="exact"), id="list"),
        pytest.param(["count=exact", "count=planned"], Preferences(count="exact"), id="the first wins"),
        pytest.param(["Return=minimal"], Preferences(invalid=("Return=minimal",)), id="case counts"),
        pytest.param(["max-affected=oops"], Preferences(), id="no number is no wish, and no offence"),
        pytest.param(["handling=strict, x"], Preferences(handling="strict", invalid=("x",)), id="strict"),
        pytest.param(["timezone=Europe/Berlin"], Preferences(timezone="Europe/Berlin"), id="timezone"),
    ],
)
def test_preferences_are_understood(lines: list[str], want: Preferences) -> None:
    assert parse_preferences(lines) == want


def test_applied_preferences_keep_their_order() -> None:
    wanted = parse_preferences(
        ["max-affected=3, handling=strict, tx=rollback, return=minimal, resolution=merge-duplicates"]
    )
    told = applied(wanted, resolution=True, missing=True, representation=True, tx=True, max_affected=True)
    assert told == "resolution=merge-duplicates, return=minimal, tx=rollback, handling=strict, max-affected=3"
    quiet = applied(wanted, resolution=False, missing=False, representation=False, tx=False, max_affected=False)
    assert quiet == "handling=strict"


@pytest.mark.parametrize(
    ("header", "want"),
    [
        pytest.param("", ["*/*"], id="absent"),
        pytest.param("text/csv;q=0.5, application/json", ["application/json", "text/csv"], id="quality"),
        pytest.param("*/*, text/csv", ["text/csv", "*/*"], id="specific first"),
        pytest.param("application/vnd.pgrst.object", ["application/vnd.pgrst.object+json"], id="short form"),
        pytest.param(
            'application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|wal;',
            ['application/vnd.pgrst.plan+json; for="text/csv"; options=analyze|wal'],
            id="plan",
        ),
        pytest.param(
            "application/vnd.pgrst.array+json;nulls=stripped",
            ["application/vnd.pgrst.array+json;nulls=stripped"],
            id="stripped",
        ),
        pytest.param("Text/HTML; v=1;q=0.4, Text/CSV", ["text/csv", "Text/HTML;v=1"], id="unknown types as written"),
    ],
)
def test_accept_is_ranked(header: str, want: list[str]) -> None:
    assert [str(media_type) for media_type in parse_accept(header)] == want


def test_charsets_go_with_text_only() -> None:
    assert MediaType("text/csv").content_type == "text/csv; charset=utf-8"
    assert MediaType("image/png").content_type == "image/png"


PAGES = [
    pytest.param("GET", Range(0, 10), Range(5, 16), Range(5, 5), id="intersection"),
    pytest.param("HEAD", Range(), Range(5, 16), Range(), id="range is for GET"),
    pytest.param("GET", Range(-3), None, Range(), id="negative offset"),
    pytest.param("GET", Range(0, 0), Range(5, 9), Range(0, 0), id="limit zero wins"),
]


@pytest.mark.parametrize(("method", "wanted", "header", "want"), PAGES)
def test_pages_intersect(method: str, wanted: Range, header: Range | None, want: Range) -> None:
    assert _choose_page(method, wanted, header) == want


@pytest.mark.parametrize(
    ("method", "wanted", "header", "code"),
    [
        pytest.param("GET", Range(0, -1), None, "PGRST103", id="negative limit"),
        pytest.param("GET", Range(3, 0), None, "PGRST103", id="limit zero with an offset"),
        pytest.param("GET", Range(), Range(5, -2), "PGRST103", id="reversed range"),
        pytest.param("GET", Range(0, 3), Range(5, 2), "PGRST103", id="nothing in common"),
        pytest.param("PUT", Range(0, 1), None, "PGRST114", id="put"),
    ],
)
def test_impossible_pages_are_refused(method: str, wanted: Range, header: Range | None, code: str) -> None:
    with pytest.raises(ApiError) as refused:
        _choose_page(method, wanted, header)
    assert refused.value.code == code


def test_headers_are_read_once_for_all() -> None:
    headers = read_headers(
        (
            (b"prefer", b"count=exact"),
            (b"x-a", b"1"),
            (b"x-a", b"2"),
            (b"cookie", b"s=1; t=2"),
            (b"range", b"0-9"),
            (b"content-type", b"Text/CSV; charset=x"),
        )
    )
    assert headers.by_name["x-a"] == "2"
    assert "cookie" not in headers.by_name
    assert headers.cookies_json == b'{"s": "1", "t": "2"}'
    assert (headers.range, headers.content_type) == (Range(0, 10), "text/csv")


@pytest.mark.parametrize("path", [b"/a/", b"/a/b", b"/rpc/a/b", b"/rpc/"])
def test_other_paths_are_unknown(path: bytes) -> None:
    with pytest.raises(ApiError, match="Invalid path"):
        parse_path(path)


def test_resources_actions_and_schemas() -> None:
    assert (parse_path(b"/").kind, parse_path(b"/rpc").kind, parse_path(b"/rpc/f").name) == ("root", "relation", "f")
    assert parse_path(b"/a%20b+c").name == "a b+c"
    assert choose_action("PUT", parse_path(b"/a")).verb == "upsert"
    headers = read_headers(((b"accept-profile", b"b"), (b"content-profile", b"a")))
    assert choose_schema("GET", headers, ("a", "b")) == ("b", True)
    assert choose_schema("POST", headers, ("a", "b")) == ("a", True)
