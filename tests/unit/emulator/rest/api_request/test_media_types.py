"""The Accept header."""

import pytest

from emulator.rest.api_request.media_types import MediaType, parse_accept


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
        pytest.param("a/b," * 200 + "text/csv", ["a/b"] * 200, id="so many and no more"),
        pytest.param("Text/HTML; v=1;q=0.4, Text/CSV", ["text/csv", "Text/HTML;v=1"], id="unknown types as written"),
    ],
)
def test_accept_is_ranked(header: str, want: list[str]) -> None:
    assert [str(media_type) for media_type in parse_accept(header)] == want


def test_charsets_go_with_text_only() -> None:
    assert MediaType("text/csv").content_type == "text/csv; charset=utf-8"
    assert MediaType("image/png").content_type == "image/png"
