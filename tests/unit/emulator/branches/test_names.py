"""Names of branches: in paths, in hosts, as databases."""

import pytest

from emulator.branches.names import database_of, is_name, name_in_host, name_of, split_path


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("pr-42", True, id="usual"),
        pytest.param("a", True, id="shortest"),
        pytest.param("a" * 40, True, id="longest"),
        pytest.param("a" * 41, False, id="too long"),
        pytest.param("", False, id="empty"),
        pytest.param("main", False, id="the stack's own"),
        pytest.param("-a", False, id="begins with a hyphen"),
        pytest.param("a-", False, id="ends with a hyphen"),
        pytest.param("A", False, id="capital"),
        pytest.param("a_b", False, id="underscore"),
        pytest.param("a.b", False, id="dot"),
        pytest.param("a/b", False, id="slash"),
        pytest.param("a\n", False, id="line break"),
        pytest.param("é", False, id="not ASCII"),
    ],
)
def test_what_a_branch_may_be_called(text: str, want: bool) -> None:
    assert is_name(text) is want


@pytest.mark.parametrize(
    ("path", "want"),
    [
        pytest.param("/branches/a/rest/v1/t", ("a", "/rest/v1/t"), id="service"),
        pytest.param("/branches/a/", ("a", "/"), id="root"),
        pytest.param("/branches/a", ("a", "/"), id="without a slash"),
        pytest.param("/branches/", None, id="no name"),
        pytest.param("/branches/../rest", None, id="dots"),
        pytest.param("/branches//rest", None, id="empty name"),
        pytest.param("/rest/v1/branches/a", None, id="elsewhere"),
    ],
)
def test_a_path_names_a_branch(path: str, want: tuple[str, str] | None) -> None:
    assert split_path(path) == want


@pytest.mark.parametrize(
    ("host", "want"),
    [
        pytest.param(b"pr-42.localhost:54321", "pr-42", id="with a port"),
        pytest.param(b"PR-42.LocalHost", "pr-42", id="any case"),
        pytest.param(b"localhost:54321", None, id="the stack"),
        pytest.param(b"a.b.localhost", None, id="two labels"),
        pytest.param(b"a.localhost.example.org", None, id="another domain"),
        pytest.param(b"main.localhost", None, id="no branch's name"),
        pytest.param(b"", None, id="none"),
        pytest.param(b"a.localhost:80:80", None, id="two ports"),
    ],
)
def test_a_host_names_a_branch(host: bytes, want: str | None) -> None:
    assert name_in_host(host) == want


def test_a_database_says_what_it_is() -> None:
    assert name_of("branch", database_of("branch", "a")) == "a"
    assert name_of("snapshot", database_of("snapshot", "a")) == "a"
    assert name_of("snapshot", database_of("branch", "a")) is None
    assert name_of("branch", "postgres") is None
    assert name_of("branch", "muster_branch_Not a name") is None
    assert len(database_of("snapshot", "a" * 40)) < 64
