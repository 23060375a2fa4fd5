"""Whatever a client sends, it gets a PostgREST response: never an internal error, never a hung connection."""

import http.client
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from psycopg import sql

from tests.contract.rest.conftest import Rest

FUZZ = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

words = st.sampled_from(
    [
        "id",
        "name",
        "tags",
        "stations",
        "people",
        "pupils",
        "select",
        "order",
        "and",
        "or",
        "not",
        "limit",
        "offset",
        "eq",
        "in",
        "is",
        "fts",
        "like(any)",
        "null",
        "count()",
        "sum()",
        "inner",
        "left",
        "*",
        "...",
        "asc",
        "nullsfirst",
        "on_conflict",
        "columns",
        "->",
        "->>",
        "::",
        "text",
        "int",
        "1",
        "-1",
        "99999999999999999999",
        "1.5",
        "true",
        "english",
        '"',
        "\\",
        "'",
        "%",
        "{",
        "}",
        "(",
        ")",
        ",",
        ".",
        ":",
        "!",
        "é",
        "\x00",
        "\ud7ff",
        "😀",
        "--",
        "/*",
        "$1",
        "a.b",
        '"a\\"b"',
    ]
    + [" ", "\t"]
)
pieces = st.lists(st.one_of(words, st.text(max_size=5)), max_size=10).map("".join)
paths = st.sampled_from(
    ["/people", "/stations", "/people_view", "/rpc/everyone", "/rpc/add", "/rpc/echo", "/", "/none"]
)
parameters = st.lists(st.tuples(st.one_of(words, pieces), pieces), max_size=5)
methods = st.sampled_from(["GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"])
header_names = st.sampled_from(
    [
        "Prefer",
        "Accept",
        "Range",
        "Content-Type",
        "Accept-Profile",
        "Content-Profile",
        "Authorization",
        "Cookie",
        "Origin",
    ]
)
header_values = st.one_of(
    st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20),
    st.sampled_from(
        [
            "return=representation",
            "count=exact",
            "count=planned,handling=strict",
            "0-1",
            "text/csv",
            "api",
            "resolution=merge-duplicates",
            "missing=default",
            "timezone=UTC",
            "max-affected=1",
            "Bearer a.b.c",
            "application/vnd.pgrst.plan+json",
            "application/vnd.pgrst.object+json",
            "application/json",
        ]
    ),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "name", "a", "b", "x"]) | st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=8,
)
bodies = st.one_of(st.just(b""), st.binary(max_size=40), json_values.map(lambda value: json.dumps(value).encode()))


def _exchange(rest: Rest, method: str, target: str, headers: list[tuple[str, str]], body: bytes) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", rest.port, timeout=20)
    try:
        connection.putrequest(method, target, skip_accept_encoding=True)
        for name, value in headers:
            connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def _judge(status: int, body: bytes, method: str) -> None:
    """A refusal is the dialect's; a 5xx may only be PostgreSQL's own judgment of what it was asked."""
    if status < 400 or method == "HEAD":
        return
    error = json.loads(body)
    assert set(error) == {"code", "details", "hint", "message"}
    assert error["code"] not in ("PGRSTX00", "42601"), error
    assert status < 500 or error["code"][:2] in ("54", "22", "21", "0A"), error


@FUZZ
@given(methods, paths, parameters, st.lists(st.tuples(header_names, header_values), max_size=3), bodies)
def test_any_input_gets_a_postgrest_response(
    rest: Rest, method: str, path: str, query: list[tuple[str, str]], headers: list[tuple[str, str]], body: bytes
) -> None:
    encoded = "&".join(
        f"{quote(key.encode('utf-8', 'replace'))}={quote(value.encode('utf-8', 'replace'))}" for key, value in query
    )
    sent = [*headers, ("Prefer", "tx=rollback"), *rest.token().items()]
    status, answer = _exchange(rest, method, f"{path}?{encoded}", sent, body)
    _judge(status, answer, method)


@pytest.mark.parametrize(
    ("method", "target", "body", "status", "code"),
    [
        pytest.param("GET", "/people?name=eq." + "x" * 60_000, b"", 200, None, id="a long value"),
        pytest.param("GET", "/people?name=eq.%00", b"", 400, "22021", id="NUL in a value"),
        pytest.param("GET", "/people?select=%22a%00b%22", b"", 400, "22021", id="NUL in a name"),
        pytest.param("GET", "/people?name=eq.%ff%fe", b"", 200, None, id="no UTF-8"),
        pytest.param("GET", "/people?select=" + "pupils(" * 200 + ")" * 200, b"", 400, "PGRST100", id="deep embeds"),
        pytest.param(
            "GET", "/people?and=" + "(and" * 500 + "(id.eq.1)" + ")" * 500, b"", 400, "PGRST100", id="deep logic"
        ),
        pytest.param("POST", "/people", b"[" * 100_000, 400, "PGRST102", id="deep JSON"),
        pytest.param("POST", "/people", b'{"name":"' + b"x" * 1_000_000 + b'"}', 201, None, id="a megabyte"),
        pytest.param("POST", "/people", b'{"name":"a\\u0000b"}', 400, "22P05", id="NUL in JSON"),
        pytest.param("POST", "/people", b'{"name":"\\ud800"}', 400, "22P02", id="half a surrogate"),
        pytest.param("POST", "/people", b'{"name":NaN}', 400, "PGRST102", id="NaN is no JSON"),
        pytest.param("POST", "/people", b'{"name":"a","rank":1' + b"0" * 5000 + b"}", 400, "22003", id="a huge number"),
        pytest.param("POST", "/people", b"\xff\xfe", 400, "PGRST102", id="binary"),
        pytest.param("GET", "/people?limit=99999999999999999999999", b"", 400, "22003", id="a huge limit"),
        pytest.param("GET", "/%ff%00?x", b"", 404, "PGRST205", id="a strange path"),
    ],
)
def test_hostile_input_gets_a_postgrest_response(
    rest: Rest, method: str, target: str, body: bytes, status: int, code: str | None
) -> None:
    headers = [("Prefer", "tx=rollback"), *rest.token().items()]
    got, answer = _exchange(rest, method, target, headers, body)
    assert got == status, answer[:300]
    if code is not None:
        assert json.loads(answer)["code"] == code


@pytest.fixture(scope="module")
def connection(rest: Rest) -> Iterator[psycopg.Connection]:
    """One to the service's database, for all examples."""
    with psycopg.connect(rest.dsn, autocommit=True) as opened:
        yield opened


columns = st.sampled_from(["id", "name", "station_id", "rank"])
comparisons = st.sampled_from([("eq", "="), ("neq", "<>"), ("gt", ">"), ("gte", ">="), ("lt", "<"), ("lte", "<=")])
values = st.integers(-3, 5).map(str)


@FUZZ
@given(
    st.lists(st.tuples(st.sampled_from(["id", "station_id", "rank"]), comparisons, values, st.booleans()), max_size=3),
    st.lists(columns, min_size=1, max_size=3, unique=True),
    columns,
    st.booleans(),
    st.integers(0, 4),
    st.integers(0, 3),
)
def test_a_generated_read_equals_handwritten_sql(
    rest: Rest,
    connection: psycopg.Connection,
    filters: list[Any],
    select: list[str],
    order: str,
    descending: bool,
    limit: int,
    offset: int,
) -> None:
    """The same question put to the service and to PostgreSQL directly."""
    query = [
        (column, f"{'not.' if negated else ''}{operator[0]}.{value}") for column, operator, value, negated in filters
    ]
    direction = "desc" if descending else "asc"
    query += [("select", ",".join(select)), ("order", f"{order}.{direction},id.asc"), ("limit", str(limit))]
    offset = offset if limit else 0
    query.append(("offset", str(offset)))
    got = rest.http.get("/people", params=httpx.QueryParams(tuple(query)), headers=rest.token())
    assert got.status_code == 200, got.text
    conditions = [
        sql.SQL("{} {} {} {}").format(
            sql.SQL("not" if negated else ""), sql.Identifier(column), sql.SQL(operator[1]), sql.Literal(value)
        )
        for column, operator, value, negated in filters
    ]
    statement = sql.SQL(
        "select coalesce(json_agg(t), '[]') from (select {} from api.people{} order by {} {}, id limit {} offset {}) t"
    ).format(
        sql.SQL(", ").join(map(sql.Identifier, select)),
        sql.SQL(" where ") + sql.SQL(" and ").join(conditions) if conditions else sql.SQL(""),
        sql.Identifier(order),
        sql.SQL(direction),
        sql.Literal(limit),
        sql.Literal(offset),
    )
    row = connection.execute(statement).fetchone()
    assert row is not None
    assert got.json() == row[0]
