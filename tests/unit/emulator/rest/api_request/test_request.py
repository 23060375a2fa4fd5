"""Path, method, schema and page of a request."""

import pytest

from emulator.errors import ApiError
from emulator.rest.api_request.http_request import read_headers
from emulator.rest.api_request.request import _choose_page, choose_action, choose_schema, parse_path
from emulator.rest.api_request.types import Range

PAGES = [
    pytest.param("GET", Range(0, 10), Range(5, 16), Range(5, 5), id="intersection"),
    pytest.param("HEAD", Range(), Range(5, 16), Range(), id="range is for GET"),
    pytest.param("GET", Range(-3), None, Range(), id="negative offset"),
    pytest.param("GET", Range(0, 0), Range(5, 9), Range(0, 0), id="limit zero wins"),
    pytest.param("GET", Range(0, 0), Range(5, -2), Range(0, 0), id="limit zero wins over a reversed range"),
    pytest.param("GET", Range(-1, 3), None, Range(0, 2), id="a negative offset takes from the limit"),
    pytest.param("GET", Range(-3, 3), None, Range(0, 0), id="until nothing is left, which is limit zero"),
]


@pytest.mark.parametrize(("method", "wanted", "header", "want"), PAGES)
def test_pages_intersect(method: str, wanted: Range, header: Range | None, want: Range) -> None:
    assert _choose_page(method, wanted, header) == want


@pytest.mark.parametrize(
    ("method", "wanted", "header", "code"),
    [
        pytest.param("GET", Range(0, -1), None, "PGRST103", id="negative limit"),
        pytest.param("GET", Range(3, 0), None, "PGRST103", id="limit zero with an offset"),
        pytest.param("GET", Range(-1, 0), None, "PGRST103", id="limit zero with a negative offset"),
        pytest.param("PUT", Range(0, 0), None, "PGRST114", id="put with limit zero"),
        pytest.param("GET", Range(), Range(5, -2), "PGRST103", id="reversed range"),
        pytest.param("GET", Range(0, 3), Range(5, 2), "PGRST103", id="nothing in common"),
        pytest.param("PUT", Range(0, 1), None, "PGRST114", id="put"),
    ],
)
def test_impossible_pages_are_refused(method: str, wanted: Range, header: Range | None, code: str) -> None:
    with pytest.raises(ApiError) as refused:
        _choose_page(method, wanted, header)
    assert refused.value.code == code


@pytest.mark.parametrize("path", [b"/a/", b"/a/b", b"/rpc/a/b"])
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
