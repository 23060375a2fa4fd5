"""Reads, writes and calls over HTTP, on a schema of the tests' own."""

import http.client
import json
from typing import Any

import pytest

from tests.contract.rest.conftest import Rest

READS: list[Any] = [
    pytest.param("/people?id=eq.1&select=id,name", [{"id": 1, "name": "Ada"}], id="filter and select"),
    pytest.param("/people?id=in.(1,2)&select=id&order=id.desc", [{"id": 2}, {"id": 1}], id="in and order"),
    pytest.param("/people?select=id&order=id&limit=2&offset=1", [{"id": 2}, {"id": 3}], id="page"),
    pytest.param("/people?tags=cs.{chief}&select=id&order=id", [{"id": 1}, {"id": 4}], id="array contains"),
    pytest.param("/people?born=is.null&select=id", [{"id": 3}], id="is null"),
    pytest.param("/people?born=is.not_null&select=id&order=id&limit=1", [{"id": 1}], id="is not_null"),
    pytest.param("/people?name=like.*a&select=id&order=id", [{"id": 1}, {"id": 4}], id="like"),
    pytest.param("/people?name=like(any).{A*,B*}&select=id&order=id", [{"id": 1}, {"id": 2}], id="like any"),
    pytest.param(
        "/people?or=(id.eq.1,and(id.gt.2,id.not.eq.4))&select=id&order=id", [{"id": 1}, {"id": 3}], id="logic"
    ),
    pytest.param("/people?mentor_id=isdistinct.1&select=id&order=id", [{"id": 1}, {"id": 4}], id="isdistinct"),
    pytest.param("/courses?span=cs.[3,4)&select=id&order=id", [{"id": 1}, {"id": 2}], id="range contains"),
    pytest.param("/stations?select=zip:town->zip,n:town->names->>1&id=eq.1", [{"zip": 10, "n": "No"}], id="json path"),
    pytest.param(
        "/people?select=name,station:stations(name)&id=eq.1",
        [{"name": "Ada", "station": {"name": "North"}}],
        id="to one",
    ),
    pytest.param(
        "/stations?select=name,people(name)&people.order=name.desc&people.limit=1&id=eq.1",
        [{"name": "North", "people": [{"name": "Ben"}]}],
        id="to many, ordered and limited",
    ),
    pytest.param(
        "/stations?select=name,people!inner(name)&people.name=eq.Cleo",
        [{"name": "South", "people": [{"name": "Cleo"}]}],
        id="inner",
    ),
    pytest.param("/stations?select=name,people()&people=is.null", [{"name": "Empty"}], id="anti join"),
    pytest.param(
        "/people?select=name,courses(title)&id=eq.2",
        [{"name": "Ben", "courses": [{"title": "Ropes"}]}],
        id="many to many",
    ),
    pytest.param(
        "/people?select=name,profiles(motto)&id=eq.1",
        [{"name": "Ada", "profiles": {"motto": "Water wins"}}],
        id="one to one",
    ),
    pytest.param(
        "/people?select=name,mentor:mentor_id(name)&id=eq.2",
        [{"name": "Ben", "mentor": {"name": "Ada"}}],
        id="self, by column",
    ),
    pytest.param(
        "/people?select=name,pupils(name)&id=eq.2",
        [{"name": "Ben", "pupils": [{"name": "Dora"}]}],
        id="computed relationship",
    ),
    pytest.param("/people?select=initial&id=eq.1", [{"initial": "A"}], id="computed field"),
    pytest.param(
        "/people?select=name,...stations(town_name:name)&id=eq.4",
        [{"name": "Dora", "town_name": None}],
        id="spread, absent",
    ),
    pytest.param(
        "/stations?select=name,...people(names:name)&people.order=name&id=eq.1",
        [{"name": "North", "names": ["Ada", "Ben"]}],
        id="spread of many",
    ),
    pytest.param(
        "/people_view?select=name,stations(name)&id=eq.1",
        [{"name": "Ada", "stations": {"name": "North"}}],
        id="view inherits its key",
    ),
    pytest.param(
        "/people?select=station_id,count()&station_id=not.is.null&order=station_id",
        [{"station_id": 1, "count": 2}, {"station_id": 2, "count": 1}],
        id="aggregate",
    ),
    pytest.param(
        "/stations?select=name,people(count)&id=eq.1", [{"name": "North", "people": [{"count": 2}]}], id="legacy count"
    ),
    pytest.param(
        "/people?select=name,stations()&order=stations(name).desc.nullslast,id&limit=2",
        [{"name": "Cleo"}, {"name": "Ada"}],
        id="related order",
    ),
    pytest.param("/people?select=id::text&id=eq.1", [{"id": "1"}], id="cast"),
    pytest.param(
        "/rpc/everyone?select=name,stations(name)&id=eq.1",
        [{"name": "Ada", "stations": {"name": "North"}}],
        id="call, filtered and embedded",
    ),
    pytest.param("/rpc/add?a=1&b=2", 3, id="call with arguments"),
    pytest.param("/rpc/add?a=1", 2, id="call with a default"),
    pytest.param("/rpc/add?a:x=1&y.b=2", 3, id="an argument is the name before a colon, behind a dot"),
    pytest.param(
        "/rpc/everyone?select=name,initial&initial=eq.A",
        [{"name": "Ada", "initial": "A"}],
        id="call, computed field of a name that two tables use",
    ),
    pytest.param("/paints?select=hue&order=id", [{"hue": "red"}, {"hue": "blue"}], id="representation"),
    pytest.param("/paints?select=hue::text&id=eq.1", [{"hue": '"red"'}], id="representation, then the cast"),
    pytest.param("/paints?select=&order=id", [{"id": 1, "hue": 1}, {"id": 2, "hue": 3}], id="no select, raw values"),
    pytest.param("/paints?select=id&hue=eq.blue", [{"id": 2}], id="a filter on a representation"),
    pytest.param("/people?limit=2&offset=-1&select=id&order=id", [{"id": 1}], id="an offset before the first row"),
    pytest.param(
        "/people?id=eq.1&select=name,...stations(*,*)",
        [{"name": "North", "id": 1, "town": {"zip": 10, "names": ["N", "No"]}}],
        id="the same spread twice",
    ),
]


@pytest.mark.parametrize(("path", "want"), READS)
def test_read(rest: Rest, path: str, want: object) -> None:
    answer = rest.http.get(path)
    assert answer.status_code == 200, answer.text
    assert answer.json() == want


REFUSALS: list[Any] = [
    pytest.param("GET", "/nowhere", 404, "PGRST205", id="unknown table"),
    pytest.param("GET", "/people/", 404, "PGRST125", id="trailing slash"),
    pytest.param("GET", "/people?id=oops.1", 400, "PGRST100", id="unknown operator"),
    pytest.param("GET", "/people?id=eq.x", 400, "22P02", id="wrong type"),
    pytest.param("GET", "/people?nope=eq.1", 400, "42703", id="unknown column"),
    pytest.param("GET", "/people?select=things(*)", 400, "PGRST200", id="no relationship"),
    pytest.param("GET", "/people?select=letters(*)", 300, "PGRST201", id="two relationships"),
    pytest.param("GET", "/people?stations.name=eq.x", 400, "PGRST108", id="not embedded"),
    pytest.param("GET", "/people?select=pupils()&order=pupils(name)", 400, "PGRST118", id="related order on many"),
    pytest.param("GET", "/people?limit=-1", 416, "PGRST103", id="negative limit"),
    pytest.param("GET", "/rpc/add?c=1", 404, "PGRST202", id="unknown arguments"),
    pytest.param("GET", "/rpc/", 404, "PGRST202", id="no function named"),
    pytest.param("GET", "/paints?select=hue->a", 404, "42883", id="a path into a representation"),
    pytest.param("GET", "/paints?hue=like(any).{r*}", 404, "42883", id="a pattern is no hue"),
    pytest.param("GET", "/paints?hue=match.r", 404, "42883", id="nor is a regular expression"),
    pytest.param("GET", "/people?select=pupils(id),...pupils(name)", 400, "42712", id="an embed and a spread alike"),
    pytest.param("GET", "/people?limit=0&offset=-1", 416, "PGRST103", id="no rows before the first"),
    pytest.param("GET", "/nowhere?limit=x&offset=1", 416, "PGRST103", id="page before table"),
    pytest.param("GET", "/people?select=name,...pupils(stations())", 400, "42703", id="an empty embed in a spread"),
    pytest.param("GET", "/rpc/hidden", 401, "42501", id="no right, anonymous"),
    pytest.param("DELETE", "/rpc/add", 405, "PGRST101", id="method on rpc"),
    pytest.param("GET", "/rpc/refuse", 402, "PT402", id="PT error"),
    pytest.param("GET", "/rpc/custom", 418, "X1", id="PGRST error"),
    pytest.param("GET", "/notes", 401, "42501", id="no privilege"),
    pytest.param("POST", "/people", 400, "PGRST102", id="no body"),
    pytest.param("PUT", "/people?name=eq.Ada", 400, "PGRST102", id="put without a body"),
    pytest.param("TRACE", "/people", 405, "PGRST117", id="unknown method"),
]


@pytest.mark.parametrize(("method", "path", "status", "code"), REFUSALS)
def test_an_error_has_postgrests_status_and_code(rest: Rest, method: str, path: str, status: int, code: str) -> None:
    answer = rest.http.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
    assert list(answer.json()) == ["code", "details", "hint", "message"]
    assert answer.headers["proxy-status"] == f"PostgREST; error={code}"


@pytest.mark.parametrize(
    ("path", "prefer", "status", "content_range"),
    [
        pytest.param("/people", "", 200, "0-3/*", id="no count"),
        pytest.param("/people?limit=2", "count=exact", 206, "0-1/4", id="partial"),
        pytest.param("/people?limit=9", "count=exact", 200, "0-3/4", id="whole"),
        pytest.param("/people?offset=4", "count=exact", 206, "*/4", id="at the end"),
        pytest.param("/people?offset=9", "count=exact", 416, "*/4", id="beyond the end"),
        pytest.param("/people?offset=9", "", 200, "*/*", id="beyond the end, uncounted"),
        pytest.param("/people?id=eq.99", "count=exact", 200, "*/0", id="nothing"),
        pytest.param(
            "/people?select=stations!inner(name)&stations.name=eq.North",
            "count=exact",
            200,
            "0-1/2",
            id="inner join counts parents",
        ),
        pytest.param("/people?limit=1", "count=planned", 206, None, id="planned"),
        pytest.param("/people", "count=estimated", None, None, id="estimated"),
    ],
)
def test_content_range(rest: Rest, path: str, prefer: str, status: int | None, content_range: str | None) -> None:
    answer = rest.http.get(path, headers={"Prefer": prefer} if prefer else {})
    assert answer.status_code == status or status is None, answer.text
    if content_range is not None:
        assert answer.headers["content-range"] == content_range
    else:
        assert answer.headers["content-range"].rpartition("/")[2].isdigit()


def _send(rest: Rest, method: str, path: str, body: object, prefer: str = "", **headers: str) -> Any:
    content = body if isinstance(body, str) else json.dumps(body)
    rolled_back = ",".join(part for part in (prefer, "tx=rollback") if part)
    return rest.http.request(method, path, content=content, headers={**rest.token(), "Prefer": rolled_back, **headers})


@pytest.mark.parametrize("relation", ["notes", "notes_view"])
@pytest.mark.parametrize("counts", ["planned", "estimated"])
def test_an_estimate_tells_nothing_of_hidden_rows(rest: Rest, relation: str, counts: str) -> None:
    """The planner's number of rows is that of the whole table, and would tell who has how many."""
    rest.sql("insert into api.notes (owner, body) select 'eve', 'secret' from generate_series(1, 500)")
    try:
        rest.sql("analyze api.notes")
        headers = {**rest.token(sub="ada"), "Prefer": f"count={counts}"}
        hidden = rest.http.head(f"/{relation}?owner=eq.eve", headers=headers)
        own = rest.http.head(f"/{relation}?limit=1", headers={**headers, **rest.token(sub="eve")})
    finally:
        rest.sql("delete from api.notes where owner = 'eve'")
    assert (hidden.headers["content-range"], hidden.headers["preference-applied"]) == ("*/0", f"count={counts}")
    assert own.headers["content-range"] == "0-0/500"


def test_an_insert_returns_its_rows_on_request(rest: Rest) -> None:
    answer = _send(
        rest, "POST", "/people?select=name,stations(name)", {"name": "Eve", "station_id": 2}, "return=representation"
    )
    assert (answer.status_code, answer.json()) == (201, [{"name": "Eve", "stations": {"name": "South"}}])
    assert answer.headers["preference-applied"] == "return=representation, tx=rollback"


def test_an_insert_has_no_body_by_default_and_a_location_with_headers_only(rest: Rest) -> None:
    plain = _send(rest, "POST", "/stations", {"id": 70, "name": "x"})
    assert (plain.status_code, plain.content, plain.headers["content-length"]) == (201, b"", "0")
    located = _send(rest, "POST", "/stations", {"id": 70, "name": "x"}, "return=headers-only")
    assert located.headers["location"] == "/stations?id=eq.70"


def test_missing_keys_are_null_or_the_default(rest: Rest) -> None:
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


def test_csv_as_body_and_as_response(rest: Rest) -> None:
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


def test_a_csv_response_names_the_columns_that_it_has(rest: Rest) -> None:
    called = rest.http.get("/rpc/everyone?select=name&id=eq.1", headers={"Accept": "text/csv"})
    assert called.text == "name\nAda"
    written = rest.http.post(
        "/stations?select=name", json={"id": 90, "name": "a"},
        headers={**rest.token(), "Prefer": "return=representation,tx=rollback", "Accept": "text/csv"},
    )  # fmt: skip
    assert written.text == "name\na"


def test_rows_are_a_collection_of_what_postgis_makes_of_each(rest: Rest) -> None:
    """As `.geojson()` asks. The embedded PostgreSQL has no PostGIS: a function of that name and kind stands for its."""
    rest.sql(
        "create function public.st_asgeojson(feature anyelement) returns text language sql as"
        " $$ select json_build_object('type', 'Feature', 'properties', to_json(feature))::text $$"
    )
    try:
        answer = rest.http.get("/stations?select=id,name&id=lt.3&order=id", headers={"Accept": "application/geo+json"})
        none = rest.http.get("/stations?id=eq.9", headers={"Accept": "application/geo+json"})
    finally:
        rest.sql("drop function public.st_asgeojson")
    features = [
        {"type": "Feature", "properties": {"id": id, "name": name}} for id, name in ((1, "North"), (2, "South"))
    ]
    assert (answer.status_code, answer.json()) == (200, {"type": "FeatureCollection", "features": features})
    assert answer.headers["content-type"] == "application/geo+json; charset=utf-8"
    assert none.json() == {"type": "FeatureCollection", "features": []}


def test_a_long_body_is_read_apart(rest: Rest) -> None:
    rows = [{"owner": "long", "body": "x" * 1000} for _ in range(100)]
    member = rest.token(sub="long")
    asked = {**member, "Prefer": "return=representation,tx=rollback"}
    assert len(rest.http.post("/notes?select=id", json=rows, headers=asked).json()) == 100
    text = "owner,body\n" + "long,y\n" * 3000
    answer = rest.http.post("/notes?select=id", content=text, headers={**asked, "Content-Type": "text/csv"})
    assert len(answer.json()) == 3000
    nested = b'[{"body":[' + b"[]," * 2_700_000 + b"[]]}]"
    answer = rest.http.post("/notes", content=nested, headers=member)
    assert (answer.status_code, answer.json()["code"]) == (413, "PGRST102")


@pytest.mark.parametrize(
    ("path", "headers", "status", "code"),
    [
        pytest.param("/nowhere", {}, 404, "PGRST205", id="no such table"),
        pytest.param("/rpc/nothing_like_it", {}, 404, "PGRST202", id="no such function"),
        pytest.param("/people?select=nope(id)", {}, 400, "PGRST200", id="no such relationship"),
        pytest.param("/people?order=a.x", {}, 400, "PGRST100", id="no order"),
        pytest.param("/people", {"Content-Type": "image/png"}, 400, "PGRST102", id="no type of body"),
        pytest.param("/people", {"Authorization": "Bearer a.b.c"}, 401, "PGRST301", id="no token"),
    ],
)
def test_a_long_body_is_not_read_in_vain(
    rest: Rest, path: str, headers: dict[str, str], status: int, code: str
) -> None:
    """The body never ends, and the response comes all the same."""
    connection = http.client.HTTPConnection("127.0.0.1", rest.port, timeout=30)
    connection.putrequest("POST", path)
    for name, value in {**headers, "Content-Length": "9000000"}.items():
        connection.putheader(name, value)
    connection.endheaders(b"[" + b" " * 70_000)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["code"]) == (status, code)
    connection.close()


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
def test_a_write_that_affects_too_many_rows_is_rolled_back(rest: Rest, method: str) -> None:
    headers = {**rest.token(), "Accept": "application/vnd.pgrst.object+json"}
    answer = rest.http.request(method, "/attendance?grade=gt.0", json={"grade": 9}, headers=headers)
    assert (answer.status_code, answer.json()["details"]) == (406, "The result contains 3 rows")
    strict = {**rest.token(), "Prefer": "handling=strict, max-affected=1"}
    answer = rest.http.request(method, "/attendance?grade=gt.0", json={"grade": 9}, headers=strict)
    assert (answer.status_code, answer.json()["code"]) == (400, "PGRST124")
    assert rest.sql("select sum(grade), count(*) from api.attendance") == [(12, 3)]


def test_a_deferred_constraint_fails_at_commit(rest: Rest) -> None:
    answer = rest.http.post(
        "/unique_codes", json=[{"code": 1, "twin": 5}, {"code": 2, "twin": 5}], headers=rest.token()
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "23505")
    assert rest.sql("select count(*) from api.unique_codes") == [(0,)]


@pytest.mark.parametrize(
    ("accept", "want_type", "want_body"),
    [
        ("application/json", "application/json; charset=utf-8", '[{"id":1,"born":null}]'),
        (
            "application/vnd.pgrst.object+json",
            "application/vnd.pgrst.object+json; charset=utf-8",
            '{"id":1,"born":null}',
        ),
        (
            "application/vnd.pgrst.object+json;nulls=stripped",
            "application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8",
            '{"id":1}',
        ),
        (
            "application/vnd.pgrst.array+json;nulls=stripped",
            "application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8",
            '[{"id":1}]',
        ),
        ("text/csv", "text/csv; charset=utf-8", "id,born\n1,"),
        ("image/webp, text/csv;q=0.1", "text/csv; charset=utf-8", "id,born\n1,"),
    ],
)
def test_the_representation_follows_accept(rest: Rest, accept: str, want_type: str, want_body: str) -> None:
    path = "/people?id=eq.1&select=id,born:bio->nothing"
    answer = rest.http.get(path, headers={"Accept": accept})
    assert (answer.headers["content-type"], answer.text) == (want_type, want_body)


def test_plans_handlers_and_the_root_document(rest: Rest) -> None:
    plan = rest.http.get("/people", headers={"Accept": "application/vnd.pgrst.plan+json; options=analyze;"})
    assert "Execution Time" in plan.json()[0]
    plain = rest.http.get("/rpc/plain", headers={"Accept": "text/plain"})
    assert (plain.text, plain.headers["content-type"]) == ("just text", "text/plain; charset=utf-8")
    root = rest.http.get("/").json()
    assert root["info"]["title"] == "The API"
    assert "/people" in root["paths"]
    assert "/notes" not in root["paths"]
    assert rest.http.get("/people", headers={"Accept": "image/webp"}).status_code == 406


def test_calls_in_every_form(rest: Rest) -> None:
    assert rest.http.post("/rpc/add", json={"a": 2, "b": 3}).json() == 5
    assert rest.http.post("/rpc/add", data={"a": "2", "b": "3"}).json() == 5
    assert rest.http.post("/rpc/echo", json={"any": ["thing", 1.0]}).text == '{"any":["thing",1.0]}'
    void = rest.http.post("/rpc/nothing", json={})
    assert (void.status_code, void.content, "content-length" in void.headers) == (204, b"", False)
    assert rest.http.get("/rpc/overloaded?a=1").json() == "int"
    assert rest.http.get("/rpc/overloaded?a=1&b=2").json() == "texts"
    cookies = rest.http.post("/rpc/cookies", json={})
    assert (cookies.status_code, cookies.headers.get_list("set-cookie")) == (202, ["a=1", "b=2"])
    assert cookies.headers.get_list("vary") == ["Origin"]


def test_any_bytes_reach_a_function_that_takes_them(rest: Rest) -> None:
    body = b"\xff\x00\\x41"
    answer = rest.http.post("/rpc/size_of", content=body, headers={"Content-Type": "application/octet-stream"})
    assert (answer.status_code, answer.text) == (200, str(len(body)))


def test_a_set_of_a_media_type_is_no_media(rest: Rest) -> None:
    assert rest.http.get("/rpc/pictures", headers={"Accept": "image/png"}).json()["code"] == "PGRST107"
    assert rest.http.get("/rpc/pictures").json() == ["\\x61", "\\x62"]


def test_overloads_that_fit_alike_are_listed_in_order(rest: Rest) -> None:
    answer = rest.http.get("/rpc/ambiguous?b=1")
    assert answer.status_code == 300
    assert answer.json()["message"].endswith(
        "api.ambiguous(b => integer, a => integer), api.ambiguous(b => integer, c => text)"
    )


@pytest.mark.parametrize("token", ["YQ.YQ.YQ", "e30.e30.YQ", "?.?.?", "eyJhbGciOiJYIn0.e30.YQ"])
def test_a_token_that_is_none_is_not_explained(rest: Rest, token: str) -> None:
    answer = rest.http.get("/people", headers={"Authorization": f"Bearer {token}"})
    assert answer.json() == {
        "code": "PGRST301", "details": None, "hint": None, "message": "JWT cryptographic operation failed"
    }  # fmt: skip


def test_sql_reads_the_request_from_settings(rest: Rest) -> None:
    answer = rest.http.get("/rpc/whoami", headers={**rest.token(sub="ada"), "X-Test": "yes", "Cookie": "c=1"}).json()
    assert answer["claims"] == {"role": "rest_member", "sub": "ada"}
    assert (answer["role"], answer["method"], answer["path"]) == ("rest_member", "GET", "/rpc/whoami")
    assert (answer["header"], answer["read_only"], answer["session"]) == ("yes", "on", "rest_authenticator")
    anonymous = rest.http.post("/rpc/whoami", json={}).json()
    assert (anonymous["claims"], anonymous["read_only"]) == ({"role": "rest_anon"}, "on")


def test_a_profile_header_chooses_the_schema(rest: Rest) -> None:
    answer = rest.http.get("/things", headers={**rest.token(), "Accept-Profile": "other"})
    assert (answer.json(), answer.headers["content-profile"]) == ([{"id": 1, "name": "one"}], "other")
    refused = rest.http.get("/things", headers={"Accept-Profile": "public"})
    assert (refused.status_code, refused.json()["code"]) == (406, "PGRST106")
    path = rest.http.post("/rpc/where_am_i", json={}, headers={"Content-Profile": "other"}).json()
    assert path == '"other", "public"'


def test_head_options_and_cross_origin(rest: Rest) -> None:
    head = rest.http.head("/people", headers={"Prefer": "count=exact"})
    assert (head.status_code, head.headers["content-range"], head.content) == (200, "0-3/4", b"")
    assert "content-length" not in head.headers
    options = rest.http.options("/people")
    assert options.headers["allow"] == "OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE"
    preflight = rest.http.options(
        "/people",
        headers={
            "Origin": "http://a.b",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "Foo",
        },
    )
    assert preflight.headers["access-control-allow-headers"].startswith("Authorization, Foo, Accept")
    plain = rest.http.options("/people", headers={"Origin": "http://a.b", "Access-Control-Request-Method": "POST"})
    assert "access-control-allow-headers" not in plain.headers
    assert "access-control-expose-headers" not in rest.http.options("/people", headers={"Origin": "http://a.b"}).headers


def test_names_with_special_characters(rest: Rest) -> None:
    path = "/odd%20%22name?select=%22a,b%22,%22per%25cent%22,%22back%5C%5Cslash%22&%22a,b%22=eq.1"
    answer = rest.http.get(path, headers=rest.token())
    assert answer.json() == [{"a,b": 1, "per%cent": "x", "back\\slash": "y"}]


def test_sql_chooses_status_and_reason(rest: Rest) -> None:
    """The message of PTxyz and `status_text` become the reason phrase; codes beyond 599 are sent unchanged."""
    answers = [rest.http.get(path) for path in ("/rpc/refuse", "/rpc/custom", "/rpc/beyond", "/rpc/speaks")]
    assert [(answer.status_code, answer.reason_phrase) for answer in answers] == [
        (402, "Payment Required"), (418, "Teapot"), (799, ""), (404, "Gone fishing"),
    ]  # fmt: skip
    assert answers[2].json() == "far"
