"""Callers do not meet: bodies, roles, claims, settings, whatever went wrong before."""

import http.client
import json
import socket
import threading
from collections.abc import Callable

import pytest

from tests.contract.rest.conftest import Rest


@pytest.fixture(scope="module")
def narrow(make_rest: Callable[..., Rest]) -> Rest:
    """A service with one connection, so that every request meets the leavings of the one before."""
    return make_rest({"PGRST_DB_POOL": "1"})


def test_a_slow_body_is_stored_under_its_sender(narrow: Rest) -> None:
    """A's body arrives in pieces; B reads in between; the row is A's."""
    body = json.dumps({"owner": "ada", "body": "slow"}).encode()
    head = (
        f"POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: {narrow.token(sub='ada')['Authorization']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", narrow.port)) as slow:
        slow.sendall(head + body[:5])
        for _ in range(5):
            seen = narrow.http.get("/notes", headers=narrow.token(sub="ben"))
            assert seen.json() == []
            slow.sendall(b"")
        slow.sendall(body[5:])
        assert slow.recv(65536).startswith(b"HTTP/1.1 201")
    assert narrow.http.get("/notes?select=owner,body", headers=narrow.token(sub="ada")).json() == [
        {"owner": "ada", "body": "slow"}
    ]
    assert narrow.http.get("/notes", headers=narrow.token(sub="ben")).json() == []


def test_many_callers_at_once_each_see_themselves(rest: Rest) -> None:
    wrong: list[str] = []

    def ask(name: str) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", rest.port, timeout=20)
        for _ in range(40):
            connection.request("GET", "/rpc/whoami", headers=rest.token(sub=name))
            seen = json.loads(connection.getresponse().read())["claims"]["sub"]
            if seen != name:
                wrong.append(f"{name} saw {seen}")
        connection.close()

    threads = [threading.Thread(target=ask, args=(f"member {number}",)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


BEFORE = [
    pytest.param("POST", "/rpc/leak", {"value": "secret"}, id="a success"),
    pytest.param("GET", "/people?nope=eq.1", None, id="a database error"),
    pytest.param("POST", "/stations", {"id": 1, "name": "taken"}, id="a conflict"),
    pytest.param("POST", "/unique_codes", [{"code": 1, "twin": 5}, {"code": 2, "twin": 5}], id="an error at commit"),
    pytest.param("GET", "/people?select=id&limit=2", None, id="a refusal after the query"),
    pytest.param("POST", "/stations?on_conflict=id", [{"id": 1, "name": "North"}], id="an upsert"),
]


@pytest.mark.parametrize(("method", "path", "body"), BEFORE)
@pytest.mark.parametrize("prefer", ["tx=commit", "tx=rollback"])
def test_nothing_is_left_on_the_connection(narrow: Rest, method: str, path: str, body: object, prefer: str) -> None:
    """Role, claims and settings of one request are gone in the next one on the same connection."""
    accept = "application/vnd.pgrst.object+json"
    headers = {**narrow.token(sub="ada"), "Accept": accept, "Prefer": f"{prefer},resolution=merge-duplicates"}
    narrow.http.request(method, path, json=body, headers=headers)
    after = narrow.http.get("/rpc/whoami").json()
    assert (after["role"], after["claims"]) == ("rest_anon", {"role": "rest_anon"})
    left = narrow.http.get("/rpc/settings_left").json()
    assert not left["role"] and not left["inserted"]


def test_a_token_without_sub_works(rest: Rest) -> None:
    answer = rest.http.get("/notes", headers=rest.token())
    assert (answer.status_code, answer.json()) == (200, [])


def test_reads_are_read_only_and_failures_leave_nothing(rest: Rest) -> None:
    before = rest.sql("select count(*) from api.stations")
    read = rest.http.get("/rpc/leak?value=x")
    assert read.status_code == 200  # a volatile function may be called, but not write
    failed = rest.http.post("/stations", json=[{"id": 500, "name": "a"}, {"id": 1, "name": "b"}], headers=rest.token())
    assert failed.status_code == 409
    assert rest.sql("select count(*) from api.stations") == before


def test_rows_are_their_owners_alone(rest: Rest) -> None:
    forged = rest.http.post("/notes", json={"owner": "ben", "body": "x"}, headers=rest.token(sub="ada"))
    assert (forged.status_code, forged.json()["code"]) == (403, "42501")


def test_nothing_of_a_request_is_left_in_the_database(rest: Rest) -> None:
    """A second session sees neither settings nor objects of the service."""
    rest.http.post("/rpc/leak", json={"value": "secret"}, headers=rest.token())
    assert rest.sql("select coalesce(current_setting('app.leak', true), '')") == [("",)]
    made = "select count(*) from pg_class where relname like 'pgrst%' or relname like '%postgrest%'"
    assert rest.sql(made) == [(0,)]
