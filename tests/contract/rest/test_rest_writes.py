"""Inserts, upserts, updates, deletes over the wire: what is stored, what is told of it, what is undone."""

import json
from typing import Any

import pytest

from tests.contract.rest.conftest import Rest


def _send(rest: Rest, method: str, path: str, body: object, prefer: str = "", **headers: str) -> Any:
    content = body if isinstance(body, str) else json.dumps(body)
    rolled_back = ",".join(part for part in (prefer, "tx=rollback") if part)
    return rest.http.request(method, path, content=content, headers={**rest.token(), "Prefer": rolled_back, **headers})


def test_an_insert_shows_its_rows_when_asked(rest: Rest) -> None:
    answer = _send(
        rest, "POST", "/people?select=name,stations(name)", {"name": "Eve", "station_id": 2}, "return=representation"
    )
    assert (answer.status_code, answer.json()) == (201, [{"name": "Eve", "stations": {"name": "South"}}])
    assert answer.headers["preference-applied"] == "return=representation, tx=rollback"


def test_a_plain_insert_has_no_body_and_headers_only_has_a_location(rest: Rest) -> None:
    plain = _send(rest, "POST", "/stations", {"id": 70, "name": "x"})
    assert (plain.status_code, plain.content, plain.headers["content-length"]) == (201, b"", "0")
    located = _send(rest, "POST", "/stations", {"id": 70, "name": "x"}, "return=headers-only")
    assert located.headers["location"] == "/stations?id=eq.70"


def test_missing_keys_become_null_or_their_default(rest: Rest) -> None:
    rows = [{"name": "a", "bio": "mine"}, {"name": "b"}]
    path = "/people?columns=name,bio&select=name,bio"
    nulls = _send(rest, "POST", path, rows, "return=representation")
    assert nulls.json() == [{"name": "a", "bio": "mine"}, {"name": "b", "bio": None}]
    defaults = _send(rest, "POST", path, rows, "return=representation,missing=default")
    assert defaults.json() == [{"name": "a", "bio": "mine"}, {"name": "b", "bio": "none yet"}]


def test_upserts_merge_or_ignore(rest: Rest) -> None:
    rows = [{"id": 1, "name": "North 2"}, {"id": 71, "name": "New"}]
    merged = _send(rest, "POST", "/stations?select=id,name", rows, "return=representation,resolution=merge-duplicates")
    assert (merged.status_code, merged.json()) == (201, rows)
    nothing_new = _send(rest, "POST", "/stations", rows[:1], "resolution=merge-duplicates")
    assert nothing_new.status_code == 200
    ignored = _send(rest, "POST", "/stations?select=id", rows, "return=representation,resolution=ignore-duplicates")
    assert (ignored.status_code, ignored.json()) == (201, [{"id": 71}])


def test_csv_goes_in_and_out(rest: Rest) -> None:
    answer = _send(
        rest,
        "POST",
        "/stations?select=id,name",
        'id,name\n80,"a ""b"""\n81,NULL\n',
        "return=representation",
        **{"Content-Type": "text/csv", "Accept": "text/csv"},
    )
    assert answer.status_code == 400  # name must not be null
    answer = _send(
        rest,
        "POST",
        "/stations?select=id,name",
        'id,name\n80,"a ""b"""\n81,\n',
        "return=representation",
        **{"Content-Type": "text/csv", "Accept": "text/csv"},
    )
    assert answer.text == 'id,name\n80,"a ""b"""\n81,""'


def test_update_delete_and_put(rest: Rest) -> None:
    changed = _send(rest, "PATCH", "/people?id=eq.1&select=id,name", {"name": "Ada L."}, "return=representation")
    assert (changed.status_code, changed.json()) == (200, [{"id": 1, "name": "Ada L."}])
    assert _send(rest, "PATCH", "/people?id=eq.1", {"name": "Ada L."}).status_code == 204
    gone = _send(rest, "DELETE", "/letters?id=gt.0&select=id", "", "return=representation,count=exact")
    assert (gone.status_code, len(gone.json()), gone.headers["content-range"]) == (200, 2, "*/2")
    put = _send(rest, "PUT", "/stations?id=eq.90", {"id": 90, "name": "Ninety"}, "return=representation")
    assert (put.status_code, put.json()[0]["name"]) == (201, "Ninety")
    assert _send(rest, "PUT", "/stations?id=eq.91", {"id": 92, "name": "x"}).json()["code"] == "PGRST115"
    assert _send(rest, "PUT", "/stations?name=eq.91", {"id": 92, "name": "x"}).json()["code"] == "PGRST105"


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_a_write_that_must_be_single_is_undone_when_it_is_not(rest: Rest, method: str) -> None:
    headers = {**rest.token(), "Accept": "application/vnd.pgrst.object+json"}
    answer = rest.http.request(method, "/attendance?grade=gt.0", json={"grade": 9}, headers=headers)
    assert (answer.status_code, answer.json()["details"]) == (406, "The result contains 3 rows")
    strict = {**rest.token(), "Prefer": "handling=strict, max-affected=1"}
    answer = rest.http.request(method, "/attendance?grade=gt.0", json={"grade": 9}, headers=strict)
    assert (answer.status_code, answer.json()["code"]) == (400, "PGRST124")
    assert rest.sql("select sum(grade), count(*) from api.attendance") == [(12, 3)]


def test_a_deferred_constraint_is_told_at_commit(rest: Rest) -> None:
    answer = rest.http.post(
        "/unique_codes", json=[{"code": 1, "twin": 5}, {"code": 2, "twin": 5}], headers=rest.token()
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "23505")
    assert rest.sql("select count(*) from api.unique_codes") == [(0,)]
