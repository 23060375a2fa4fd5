"""Which format an Accept header asks for."""

import pytest

from emulator.realtime.serve.answers import Format, error_page, negotiate


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        ("", "html"),
        ("text/csv, */*;q=0.1", "html"),
        ("application/json", "json"),
        ("text/html;q=0.5, application/json;q=0.9", "json"),
        ("application/json;q=0.5,text/html", "html"),
        ("text/*", "html"),
        ("application/*", "json"),
        ("application/json;q=x", "json"),
        ("image/png", None),
        (";;,,q=,/", None),
    ],
)
def test_negotiation(accept: str, chosen: Format | None) -> None:
    assert negotiate(accept, ("html", "json")) == chosen


def test_errors_of_the_framework_are_pages_or_json() -> None:
    page, document = error_page(404, "Not Found", "image/png"), error_page(404, "Not Found", "application/json")
    assert (page.status_code, page.body, page.headers["content-type"]) == (
        404,
        b"Not Found",
        "text/html; charset=utf-8",
    )
    assert (document.body, document.headers["content-type"]) == (b'"Not Found"', "application/json; charset=utf-8")
