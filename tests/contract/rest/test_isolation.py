"""Requests are isolated from each other: bodies, roles, claims, settings, also after errors."""

import http.client
import json
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Callable

import pytest

from tests.contract.rest.conftest import Rest, running, wait_for


@pytest.fixture(scope="module")
def single(make_rest: Callable[..., Rest]) -> Rest:
    """A service with one connection, so that every request runs where the one before did."""
    return make_rest({"PGRST_DB_POOL": "1"})


def test_a_slow_body_is_stored_under_its_sender(single: Rest) -> None:
    """A's body arrives in pieces; B reads in between; the row is A's."""
    body = json.dumps({"owner": "ada", "body": "slow"}).encode()
    head = (
        f"POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: {single.token(sub='ada')['Authorization']}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with socket.create_connection(("127.0.0.1", single.port)) as slow:
        slow.sendall(head + body[:5])
        for _ in range(5):
            seen = single.http.get("/notes", headers=single.token(sub="ben"))
            assert seen.json() == []
            slow.sendall(b"")
        slow.sendall(body[5:])
        assert slow.recv(65536).startswith(b"HTTP/1.1 201")
    assert single.http.get("/notes?select=owner,body", headers=single.token(sub="ada")).json() == [
        {"owner": "ada", "body": "slow"}
    ]
    assert single.http.get("/notes", headers=single.token(sub="ben")).json() == []


def test_concurrent_requests_see_their_own_claims(rest: Rest) -> None:
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
def test_nothing_is_left_on_the_connection(single: Rest, method: str, path: str, body: object, prefer: str) -> None:
    """Role, claims and settings of one request are gone in the next one on the same connection."""
    accept = "application/vnd.pgrst.object+json"
    headers = {**single.token(sub="ada"), "Accept": accept, "Prefer": f"{prefer},resolution=merge-duplicates"}
    single.http.request(method, path, json=body, headers=headers)
    after = single.http.get("/rpc/whoami").json()
    assert (after["role"], after["claims"]) == ("rest_anon", {"role": "rest_anon"})
    left = single.http.get("/rpc/settings_left").json()
    assert not left["role"]
    assert not left["inserted"]


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


def test_row_security_applies(rest: Rest) -> None:
    forged = rest.http.post("/notes", json={"owner": "ben", "body": "x"}, headers=rest.token(sub="ada"))
    assert (forged.status_code, forged.json()["code"]) == (403, "42501")


def test_a_canceled_request_leaves_nothing(single: Rest) -> None:
    """A client disconnects during its statement; the next request on the connection sees none of its settings."""
    usual = single.http.get("/rpc/settings_left").json()
    token = single.token(sub="ada")["Authorization"]
    head = (
        f"GET /rpc/nap?seconds=600 HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\nPrefer: timezone=Asia/Tokyo\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", single.port)) as client:
        client.sendall(head.encode())
        wait_for(lambda: running(single, "nap") == 1)
    wait_for(lambda: running(single, "nap") == 0)
    after = single.http.get("/rpc/whoami").json()
    assert (after["role"], after["claims"], after["header"]) == ("rest_anon", {"role": "rest_anon"}, None)
    assert single.http.get("/rpc/settings_left").json() == usual


def test_another_session_sees_nothing_of_a_running_request(rest: Rest) -> None:
    """Neither in its own settings nor in pg_stat_activity; and a concurrent request sees its own claims."""
    with socket.create_connection(("127.0.0.1", rest.port)) as client:
        head = f"GET /rpc/nap?seconds=600 HTTP/1.1\r\nHost: x\r\nX-Test: hush\r\n{_authorization(rest, 'ada')}\r\n\r\n"
        client.sendall(head.encode())
        wait_for(lambda: running(rest, "nap") == 1)
        assert rest.sql("select current_setting('request.jwt.claims', true), current_setting('role')") == [
            (None, "none")
        ]
        activity = str(rest.sql("select usename, application_name, query from pg_stat_activity"))
        assert "rest_authenticator" in activity
        assert not any(word in activity for word in ("ada", "hush", "rest_member"))
        seen = rest.http.get("/rpc/whoami", headers=rest.token(sub="ben")).json()
        assert (seen["claims"]["sub"], seen["header"]) == ("ben", None)
    wait_for(lambda: running(rest, "nap") == 0)


def _authorization(rest: Rest, sub: str) -> str:
    return f"Authorization: {rest.token(sub=sub)['Authorization']}"


# What a request could leave behind: settings of roles and databases, grants, objects.
PERSISTENT = """
select (select array_agg(s::text order by s::text) from pg_db_role_setting as s),
       (select array_agg(r::text order by r::text) from pg_roles as r),
       (select array_agg(c.oid::text || c.relacl::text order by c.oid) from pg_class as c),
       (select array_agg(p.oid order by p.oid) from pg_proc as p),
       (select array_agg(n.oid order by n.oid) from pg_namespace as n),
       (select array_agg(t.oid order by t.oid) from pg_type as t)
"""


def test_nothing_of_a_request_is_left_in_the_database(rest: Rest) -> None:
    """Another session sees no setting of a request, and a dump made afterwards equals the one made before."""
    before = rest.sql(PERSISTENT), dump(rest)
    for prefer in ("tx=commit", "tx=rollback"):
        headers = {**rest.token("rest_slow", sub="ada"), "Prefer": f"{prefer}, timezone=Asia/Tokyo"}
        rest.http.post("/rpc/leak", json={"value": "secret"}, headers=headers)
        rest.http.post("/stations?on_conflict=id", json=[{"id": 1, "name": 1}], headers=rest.token(sub="ada"))
        rest.http.get("/people?nope=eq.1", headers=headers)
    assert rest.sql("select coalesce(current_setting('app.leak', true), '')") == [("",)]
    assert (rest.sql(PERSISTENT), dump(rest)) == before


def dump(rest: Rest) -> str:
    """The database as pg_dump writes it; nothing where no pg_dump is installed that is as new as the server."""
    program = shutil.which("pg_dump")
    major = int(str(rest.sql("show server_version_num")[0][0])) // 10000
    if program is None:
        return ""
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if int(re.findall(r"(\d+)", version)[0]) < major:
        return ""
    done = subprocess.run([program, rest.dsn], capture_output=True, text=True, check=True)
    return re.sub(r"(?m)^\\\\?(un)?restrict .*$", "", done.stdout)


def test_a_request_that_recurs_is_its_sender_s_each_time(make_rest: Callable[..., Rest]) -> None:
    """Members, visitors and methods in turns on two connections, with values of their own and errors in between."""
    rest = make_rest({"PGRST_DB_POOL": "2"})
    members = [f"recurring {number}" for number in range(3)]
    for name in members:
        rows = [{"owner": name, "body": f"{name}: {number}"} for number in range(3)]
        assert rest.http.post("/notes", json=rows, headers=rest.token(sub=name)).status_code == 201
    for turn in range(12):
        for name in members:
            sender = rest.token(sub=name)
            for number in {turn % 3, 0}:
                asked = {"select": "owner,body", "body": f"eq.{name}: {number}"}
                found = rest.http.get("/notes", params=asked, headers=sender)
                assert found.json() == [{"owner": name, "body": f"{name}: {number}"}]
                assert found.headers["content-range"] == "0-0/*"
            other = {"select": "owner,body", "body": f"eq.{members[turn % 3 - 1]}: 1"}
            assert rest.http.get("/notes", params=other, headers=sender).json() == (
                [{"owner": name, "body": f"{name}: 1"}] if members[turn % 3 - 1] == name else []
            )
            head = rest.http.head(
                "/notes", params={"select": "owner", "order": f"id.{('asc', 'desc')[turn % 2]}"}, headers=sender
            )
            assert (head.content, head.headers["content-range"]) == (b"", "0-2/*")
            assert rest.http.get("/rpc/whoami", headers=sender).json()["claims"]["sub"] == name
        assert rest.http.get("/notes", params={"select": "owner,body", "body": "eq.x"}).status_code == 401
        assert rest.http.get("/people", params={"id": "eq.none"}, headers=rest.token()).status_code == 400


def test_a_token_that_expires_is_refused_for_a_request_that_recurs(make_rest: Callable[..., Rest]) -> None:
    rest = make_rest()
    now = rest.app.service.now()
    rest.app.service.now = lambda: now
    sender = rest.token(sub="ada", exp=int(now) + 60)
    for _ in range(6):
        assert rest.http.get("/people?id=eq.1&select=id", headers=sender).json() == [{"id": 1}]
    rest.app.service.now = lambda: now + 100
    refused = rest.http.get("/people?id=eq.1&select=id", headers=sender)
    assert (refused.status_code, refused.json()["message"]) == (401, "JWT expired")
    assert rest.http.get("/people?id=eq.1&select=id", headers=rest.token(sub="ada")).status_code == 200


def test_a_request_that_recurs_follows_the_schema(make_rest: Callable[..., Rest]) -> None:
    rest = make_rest()
    rest.sql("create table api.changing (id int primary key, name text); grant select on api.changing to rest_member")
    rest.sql("insert into api.changing values (1, 'before'), (2, 'other')")
    rest.sql("notify pgrst, 'reload schema'")
    sender = rest.token()
    wait_for(lambda: rest.http.get("/changing?id=eq.1", headers=sender).status_code == 200)
    for number, name in [(1, "before"), (2, "other")] * 4:
        assert rest.http.get(f"/changing?id=eq.{number}", headers=sender).json() == [{"id": number, "name": name}]
    rest.sql("alter table api.changing drop column name, add column title text default 'after'")
    rest.sql("notify pgrst, 'reload schema'")
    wait_for(lambda: rest.http.get("/changing?id=eq.1", headers=sender).json() == [{"id": 1, "title": "after"}])
    rest.sql("revoke select on api.changing from rest_member")
    for _ in range(3):
        assert rest.http.get("/changing?id=eq.1", headers=sender).status_code == 403
    rest.sql("drop table api.changing")
