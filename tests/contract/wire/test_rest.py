"""REST's part of the contract, asked of the product's own tables on every backend."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.support.wire import Backend, Member


class Feed:
    """Five posts of a member, told apart by a tag of their own."""

    def __init__(self, backend: Backend) -> None:
        self.member: Member = backend.member("Ada Brand")
        self.tag = f"contract-{uuid4().hex[:8]}"
        posts = [
            {"user_id": self.member.id, "content": f"Drill {number}", "tags": [self.tag], "kind": kind}
            for number, kind in enumerate(("lesson", "lesson", "question", "general", "general"))
        ]
        backend.rows("POST", "posts", json=posts)

    @property
    def mine(self) -> str:
        """The filter that names them."""
        return f"tags=cs.{{{self.tag}}}"


@pytest.fixture(scope="module")
def feed(backend: Backend) -> Iterator[Feed]:
    made = Feed(backend)
    yield made
    backend.rows("DELETE", f"posts?{made.mine}")


@pytest.mark.parametrize(
    ("query", "want"),
    [
        pytest.param("kind=eq.lesson&order=content", ["Drill 0", "Drill 1"], id="eq"),
        pytest.param("kind=in.(question,lesson)&order=content.desc&limit=2", ["Drill 2", "Drill 1"], id="in-limit"),
        pytest.param("content=ilike.*DRILL 3", ["Drill 3"], id="ilike"),
        pytest.param("or=(kind.eq.question,content.eq.Drill 4)&order=content", ["Drill 2", "Drill 4"], id="or"),
        pytest.param("kind=not.in.(lesson,general)", ["Drill 2"], id="not"),
        pytest.param("order=content&offset=3", ["Drill 3", "Drill 4"], id="offset"),
        pytest.param("title=is.null&order=content&limit=1", ["Drill 0"], id="is-null"),
        pytest.param("kind=eq.no such kind", [], id="none"),
    ],
)
def test_filters(backend: Backend, feed: Feed, query: str, want: list[str]) -> None:
    rows = backend.rows("GET", f"posts?select=content&{feed.mine}&{query}")
    assert [row["content"] for row in rows] == want


def test_pages_are_counted(backend: Backend, feed: Feed) -> None:
    headers = {"Range": "1-2", "Prefer": "count=exact"}
    answer = backend.get(f"/rest/v1/posts?select=content&{feed.mine}&order=content", "SECRET_KEY", headers=headers)
    assert (answer.status_code, answer.headers["content-range"]) == (206, "1-2/5")
    beyond = backend.get(f"/rest/v1/posts?{feed.mine}&offset=9", "SECRET_KEY", headers={"Prefer": "count=exact"})
    assert (beyond.status_code, beyond.json()["code"]) == (416, "PGRST103")
    headed = backend.ask("HEAD", f"/rest/v1/posts?{feed.mine}", "SECRET_KEY", headers={"Prefer": "count=exact"})
    assert (headed.headers["content-range"], headed.content) == ("0-4/5", b"")


def test_embeds_go_both_ways(backend: Backend, feed: Feed) -> None:
    (post,) = backend.rows("GET", f"posts?select=content,author:profiles(full_name)&{feed.mine}&kind=eq.question")
    assert post == {"content": "Drill 2", "author": {"full_name": "Ada Brand"}}
    path = (
        f"profiles?select=full_name,posts(content)&id=eq.{feed.member.id}&posts.kind=eq.lesson&posts.order=content.desc"
    )
    (profile,) = backend.rows("GET", path)
    assert profile == {"full_name": "Ada Brand", "posts": [{"content": "Drill 1"}, {"content": "Drill 0"}]}


@pytest.mark.parametrize(
    ("method", "path", "options", "status", "code"),
    [
        pytest.param("GET", "no_such_table", {}, 404, "PGRST205", id="table"),
        pytest.param("GET", "posts?no_such_column=eq.1", {}, 400, "42703", id="column"),
        pytest.param("GET", "posts?select=messages(id)", {}, 400, "PGRST200", id="relationship"),
        pytest.param("GET", "posts?kind=like", {}, 400, "PGRST100", id="filter"),
        pytest.param("GET", "posts?id=eq.x", {}, 400, "22P02", id="value"),
        pytest.param("POST", "posts", {"content": b"{"}, 400, "PGRST102", id="body"),
        pytest.param("POST", "posts", {"json": {"nothing": 1}}, 400, "PGRST204", id="unknown-column"),
        pytest.param("POST", "posts", {"json": {"kind": "lesson"}}, 400, "23502", id="missing-value"),
        pytest.param("POST", "rpc/no_such_function", {"json": {}}, 404, "PGRST202", id="function"),
        pytest.param("DELETE", "posts", {"token": "not.a.token"}, 401, "PGRST301", id="token"),
        pytest.param("GET", "posts", {"headers": {"Accept": "image/png"}}, 406, "PGRST107", id="media-type"),
        pytest.param("GET", "posts", {"headers": {"Accept-Profile": "auth"}}, 406, "PGRST106", id="schema"),
        pytest.param(
            "GET", "posts?id=is.null", {"headers": {"Accept": "application/vnd.pgrst.object+json"}},
            406, "PGRST116", id="no-single-row",
        ),
    ],
)  # fmt: skip
def test_refusals_name_their_code(
    backend: Backend, method: str, path: str, options: dict[str, Any], status: int, code: str
) -> None:
    answer = backend.ask(method, f"/rest/v1/{path}", "SECRET_KEY", **options)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text


def test_rows_are_written_once_changed_and_deleted(backend: Backend) -> None:
    email = f"w-{uuid4().hex[:8]}@example.org"
    back = {"Prefer": "return=representation"}
    (made,) = backend.rows("POST", "waitlist?select=email,status", json={"email": email}, headers=back)
    assert made == {"email": email, "status": "waitlist"}
    twice = backend.ask("POST", "/rest/v1/waitlist", "SECRET_KEY", json={"email": email})
    assert (twice.status_code, twice.json()["code"]) == (409, "23505")
    merge = {"Prefer": "resolution=merge-duplicates,return=representation"}
    row = {"email": email, "status": "pending"}
    (merged,) = backend.rows("POST", "waitlist?on_conflict=email&select=status", json=row, headers=merge)
    assert merged == {"status": "pending"}
    path = f"waitlist?email=eq.{email}"
    changed = backend.ask("PATCH", f"/rest/v1/{path}", "SECRET_KEY", json={"status": "invited"})
    assert (changed.status_code, changed.content) == (204, b"")
    (gone,) = backend.rows("DELETE", f"{path}&select=status", headers=back)
    assert gone == {"status": "invited"}
    assert backend.rows("GET", path) == []


def test_rows_come_as_csv_too(backend: Backend, feed: Feed) -> None:
    path = f"/rest/v1/posts?select=kind,content&{feed.mine}&order=content&limit=1"
    answer = backend.get(path, "SECRET_KEY", headers={"Accept": "text/csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.text.splitlines() == ["kind,content", 'lesson,"Drill 0"']


def test_the_database_decides_who_sees_and_writes_what(backend: Backend, feed: Feed) -> None:
    """Visitors, members and the service ask the same; only the database tells them apart."""
    other = backend.member("Ben")
    path = f"/rest/v1/posts?select=content&{feed.mine}"
    assert backend.get(path, "PUBLISHABLE_KEY").json() == []
    assert len(backend.get(path, "PUBLISHABLE_KEY", token=other.token).json()) == 5
    foreign = {"user_id": feed.member.id, "content": "Not mine"}
    refused = backend.ask("POST", "/rest/v1/posts", "PUBLISHABLE_KEY", token=other.token, json=foreign)
    assert (refused.status_code, refused.json()["code"]) == (403, "42501")
    silent = backend.ask(
        "PATCH", path, "PUBLISHABLE_KEY", token=other.token, json={"content": "Taken over"},
        headers={"Prefer": "return=representation"},
    )  # fmt: skip
    assert (silent.status_code, silent.json()) == (200, [])
    visitor = backend.ask("POST", "/rest/v1/posts", "PUBLISHABLE_KEY", json={"content": "x"})
    assert (visitor.status_code, visitor.json()["code"]) == (401, "42501")


def test_functions_are_called_by_name(backend: Backend, feed: Feed) -> None:
    for method, options in (("POST", {"json": {"uid": feed.member.id}}), ("GET", {})):
        query = f"?uid={feed.member.id}" if method == "GET" else ""
        answer = backend.ask(
            method, f"/rest/v1/rpc/is_admin{query}", "PUBLISHABLE_KEY", token=feed.member.token, **options
        )
        assert (answer.status_code, answer.json()) == (200, False)
