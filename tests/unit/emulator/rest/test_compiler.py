"""From a request to its SQL, or its error, on a schema cache made by hand."""

from functools import partial

import pytest

from emulator.errors import ApiError
from emulator.rest.api_request.http_request import HttpRequest, read_headers
from emulator.rest.api_request.types import Placeholder
from emulator.rest.compiler import Compiler, PreparedRequest
from emulator.rest.plan.planner import Planner
from emulator.rest.plan.read import PlanOptions
from emulator.rest.response.options import respond_to_options
from emulator.rest.schema_cache.cache import SchemaCache
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.schema_cache.relationship_detection import ForeignKey, detect_relationships
from emulator.rest.schema_cache.routine import Function, Parameter
from emulator.rest.schema_cache.table import Column, Table


def table(name: str, *columns: str, key: tuple[str, ...] = ("id",)) -> Table:
    """Make a table of integer columns."""
    return Table(
        QualifiedIdentifier("api", name),
        {column: Column(column, "integer", "integer", True) for column in columns},
        key,
    )


TABLES = {
    made.id: made
    for made in (
        table("users", "id", "team_id", "boss_id"),
        table("teams", "id", "lead_id", "data"),
        table("tags", "id"),
        table("user_tags", "user_id", "tag_id", key=("user_id", "tag_id")),
    )
}


USERS, TEAMS, TAGS, USER_TAGS = TABLES


KEYS = [
    ForeignKey("users_team_fkey", USERS, TEAMS, (("team_id", "id"),), False),
    ForeignKey("users_boss_fkey", USERS, USERS, (("boss_id", "id"),), False),
    ForeignKey("teams_lead_fkey", TEAMS, USERS, (("lead_id", "id"),), True),
    ForeignKey("ut_user", USER_TAGS, USERS, (("user_id", "id"),), False),
    ForeignKey("ut_tag", USER_TAGS, TAGS, (("tag_id", "id"),), False),
]


FUNCTION = Function(
    QualifiedIdentifier("api", "add"),
    (Parameter("a", "integer", "integer", True), Parameter("b", "integer", "integer", False)),
    returns_set=False,
    returns_composite=False,
)


TAKE = Function(
    QualifiedIdentifier("api", "take"), (Parameter("", "json", "json", True),), returns_set=False,
    returns_composite=False,
)  # fmt: skip
PLAIN = Function(QualifiedIdentifier("api", "plain"), (), returns_set=False, returns_composite=False)


CACHE = SchemaCache(
    tables=TABLES,
    relationships=detect_relationships(KEYS, {}, TABLES),
    functions={made.id: (made,) for made in (FUNCTION, TAKE, PLAIN)},
    exposed=frozenset({"api"}),
)


def prepare(method: str, target: str, body: bytes = b"", **headers: str) -> PreparedRequest:
    """Return a request with its statements."""
    path, _, query = target.partition("?")
    raw = tuple((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items())
    compiler = Compiler(Planner(CACHE, PlanOptions(aggregates_enabled=True)), ("api",))
    return compiler.prepare(HttpRequest(method, path.encode(), query.encode(), read_headers(raw), body))


def main_sql(method: str, target: str, body: bytes = b"", **headers: str) -> str:
    """Return the main statement of a request."""
    statements = prepare(method, target, body, **headers).compiled.statements
    assert statements is not None
    return statements.main.text


@pytest.mark.parametrize(
    ("target", "want"),
    [
        pytest.param("/users?id=eq.1", 'WHERE "api"."users"."id" = $1', id="filter"),
        pytest.param("/users?id=in.(1,2)", '"id" = ANY ($1)', id="in"),
        pytest.param("/users?id=not.is.null", 'NOT "api"."users"."id" IS NULL', id="is"),
        pytest.param("/teams?data->a->>0=eq.1", 'to_jsonb("api"."teams"."data")->$1->>$2::int = $3', id="json"),
        pytest.param(
            "/users?select=teams!users_team_fkey(id)", 'row_to_json("users_teams_1".*)::jsonb AS "teams"', id="to one"
        ),
        pytest.param("/users?select=tags(id)", 'FROM "api"."tags", "api"."user_tags" WHERE', id="junction"),
        pytest.param("/users?select=users(id)", '"users_1"."boss_id" = "api"."users"."id"', id="self, many"),
        pytest.param("/users?select=boss_id(id)", '"users_1"."id" = "api"."users"."boss_id"', id="self, one"),
        pytest.param("/users?select=team_id,count()", 'GROUP BY "api"."users"."team_id"', id="aggregate"),
        pytest.param("/users?limit=2&offset=1", "LIMIT $1 OFFSET $2", id="page"),
        pytest.param("/users?select=a:id::text", 'CAST("api"."users"."id" AS text) AS "a"', id="cast"),
        pytest.param(
            "/users?id=eq.1&or=(id.eq.2)",
            'WHERE ("api"."users"."id" = $1) AND "api"."users"."id" = $2',
            id="trees before filters",
        ),
        pytest.param("/users?select=boss_id()", 'SELECT "users_1".* FROM "api"."users" AS "users_1"', id="empty embed"),
        pytest.param("/users?select=...boss_id(*)", '"users_boss_id_1".* FROM', id="spread of everything"),
        pytest.param(
            "/tags?select=...users(id)&users.order=id",
            'json_agg("tags_users_1"."id" ORDER BY "tags_users_1"."tags_users_1_id_1")',
            id="ordered spread of many",
        ),
        pytest.param(
            "/users?select=...boss_id(id.sum())", 'SUM("users_boss_id_1"."sum") AS "sum"', id="aggregate of a spread"
        ),
        pytest.param("/users?select=id->a->>0", 'AS "a"', id="a JSON path is named after its last key"),
        pytest.param("/users?id=in.(%22%22)", "\"id\" = ANY ('{}')", id="nothing in"),
    ],
)
def test_a_read_becomes_sql(target: str, want: str) -> None:
    assert want in main_sql("GET", target)


def test_requests_that_differ_in_values_share_a_statement() -> None:
    compiler = Compiler(Planner(CACHE, PlanOptions()), ("api",))
    headers = read_headers(())
    parsed: list[bytes] = []
    one, other = (
        compiler.prepare(HttpRequest("GET", b"/users", query, headers), partial(parsed.append, query))
        for query in (b"id=eq.1&team_id=gt.7", b"id=eq.2&team_id=gt.8")
    )
    assert one.compiled is other.compiled
    assert len(parsed) == 2, "what follows is planning, for Server-Timing"
    statements = other.compiled.statements
    assert statements is not None
    assert statements.main.values == (Placeholder(0), Placeholder(1))
    assert other.parameters(statements.main) == [b"2", b"8"]


def test_writes_become_sql() -> None:
    insert = main_sql("POST", "/tags", b'{"id":1}', prefer="resolution=merge-duplicates,return=representation")
    assert 'INSERT INTO "api"."tags"("id") SELECT pgrst_body."id"' in insert
    assert 'ON CONFLICT ("id") DO UPDATE SET "id" = EXCLUDED."id"' in insert
    assert "json_to_record(" in insert
    assert "json_to_recordset(" in main_sql("POST", "/tags", b'[{"id":1}]')
    assert "RETURNING 1" in main_sql("POST", "/tags", b'{"id":1}')
    assert 'UPDATE "api"."users" SET "team_id" = pgrst_body."team_id"' in main_sql(
        "PATCH", "/users?id=eq.1", b'{"team_id":2}'
    )
    assert 'DELETE FROM "api"."users" WHERE "api"."users"."id" = $1' in main_sql("DELETE", "/users?id=eq.1")


def test_a_put_may_repeat_its_key() -> None:
    assert "ON CONFLICT" in main_sql("PUT", "/tags?id=eq.1&id=eq.1", b'{"id":1}')


def test_a_write_returns_what_its_select_needs() -> None:
    asked = "return=representation"
    assert 'RETURNING "api"."users"."id", "api"."users"."team_id" ' in main_sql(
        "POST", "/users?select=team_id&order=boss_id", b"{}", prefer=asked
    ).replace(")", " )")


def test_a_body_for_an_unnamed_parameter_may_be_named_so() -> None:
    assert '"api"."take"($1::json)' in main_sql("POST", "/rpc/take", b'{"":1}')
    assert '"api"."take"($1::json)' in main_sql("POST", "/rpc/take", b'{"any":1}')
    assert "to_json($1::text)" in main_sql("GET", "/rpc/take?%22%22=1")


def test_a_form_that_is_none_names_a_parameter() -> None:
    form = {"content_type": "application/x-www-form-urlencoded"}
    with pytest.raises(ApiError, match=r"Could not find the '\[1\]' column"):
        prepare("POST", "/tags", b"[1]", **form)


@pytest.mark.parametrize(
    ("target", "code"),
    [
        pytest.param("/users?select=nope(id)&order=x(id)&limit=-1", "PGRST103", id="page first"),
        pytest.param("/users?select=nope(id)&x.id=eq.1", "PGRST108", id="then paths"),
        pytest.param("/users?select=nope(id)&order=x(id)", "PGRST200", id="then relationships"),
        pytest.param("/users?select=tags(id.count())&order=tags(id)", "PGRST118", id="then related orders"),
        pytest.param("/tags?select=...users(id.count())&order=x(id)", "PGRST108", id="before spreads"),
    ],
)
def test_errors_come_in_the_order_of_the_stages(target: str, code: str) -> None:
    with pytest.raises(ApiError) as error:
        prepare("GET", target)
    assert error.value.code == code


def test_options_of_a_function_is_a_call_without_arguments() -> None:
    planner = Planner(CACHE, PlanOptions())
    with pytest.raises(ApiError) as error:
        respond_to_options(prepare("OPTIONS", "/rpc/add?a=eq.1").compiled.request, planner)
    assert error.value.code == "PGRST202"
    with pytest.raises(ApiError) as error:
        respond_to_options(prepare("OPTIONS", "/rpc/take", accept="image/png").compiled.request, planner)
    assert error.value.code == "PGRST202"
    with pytest.raises(ApiError) as error:
        respond_to_options(prepare("OPTIONS", "/rpc/plain", accept="image/png").compiled.request, planner)
    assert error.value.code == "PGRST107"
    with pytest.raises(ApiError) as error:
        prepare("OPTIONS", "/rpc/add?a=1")
    assert error.value.code == "PGRST100"


def test_calls_become_sql() -> None:
    assert '"api"."add"("a" := $1::integer)' in main_sql("GET", "/rpc/add?a=1")
    assert '"api"."add"("a" := pgrst_body."a", "b" := pgrst_body."b")' in main_sql("POST", "/rpc/add", b'{"a":1,"b":2}')


@pytest.mark.parametrize(
    ("method", "target", "body", "code"),
    [
        pytest.param("GET", "/user", b"", "PGRST205", id="table"),
        pytest.param("GET", "/users?select=teams(id)", b"", "PGRST201", id="ambiguous"),
        pytest.param("GET", "/users?select=nope(id)", b"", "PGRST200", id="no relationship"),
        pytest.param("GET", "/users?nope.id=eq.1", b"", "PGRST108", id="not embedded"),
        pytest.param("GET", "/tags?select=...users(id.count())", b"", "PGRST127", id="aggregate in a spread of many"),
        pytest.param("POST", "/tags", b'{"x":1}', "PGRST204", id="column"),
        pytest.param(
            "GET", f"/users?select={'boss_id(' * 6}id{')' * 6}", b"", "PGRST100", id="a relation within itself"
        ),
        pytest.param("POST", "/tags", b'[{"id":1},{}]', "PGRST102", id="different keys"),
        pytest.param("PUT", "/tags?id=gt.1", b'{"id":1}', "PGRST105", id="put"),
        pytest.param("POST", "/rpc/add", b'{"c":1}', "PGRST202", id="function"),
        pytest.param("POST", "/rpc/add?order=a.x", b"{", "PGRST100", id="query string before body"),
    ],
)
def test_a_bad_request_is_refused(method: str, target: str, body: bytes, code: str) -> None:
    with pytest.raises(ApiError) as error:
        prepare(method, target, body)
    assert error.value.code == code


def test_an_ambiguous_embed_is_explained() -> None:
    with pytest.raises(ApiError) as error:
        prepare("GET", "/users?select=teams(id)")
    assert error.value.details == [
        {
            "cardinality": "many-to-one",
            "embedding": "users with teams",
            "relationship": "users_team_fkey using users(team_id) and teams(id)",
        },
        {
            "cardinality": "one-to-one",
            "embedding": "users with teams",
            "relationship": "teams_lead_fkey using users(id) and teams(lead_id)",
        },
    ]
    assert error.value.hint is not None
    assert "'teams!users_team_fkey', 'teams!teams_lead_fkey'" in error.value.hint


def test_an_impossible_order_is_told_by_alias() -> None:
    with pytest.raises(ApiError, match="'others'") as error:
        prepare("GET", "/users?select=others:tags(id)&order=others(id)")
    assert error.value.details == "'users' and 'others' do not form a many-to-one or one-to-one relationship"


def test_errors_suggest_names() -> None:
    with pytest.raises(ApiError) as error:
        prepare("GET", "/user")
    assert error.value.hint == "Perhaps you meant the table 'api.users'"
    with pytest.raises(ApiError) as error:
        prepare("GET", "/rpc/add?aa=1")
    assert error.value.hint is None or "api.add(a, b)" in error.value.hint
