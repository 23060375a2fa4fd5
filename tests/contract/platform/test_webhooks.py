"""Database webhooks: triggers that call supabase_functions.http_request.

Source: https://supabase.com/docs/guides/database/webhooks.
"""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.contract.platform.conftest import Connection


@pytest.fixture(scope="module")
def table(postgres: Connection) -> Connection:
    """A table to put triggers on; requests stay in the queue, no worker runs."""
    postgres.execute("create extension if not exists pg_net with schema extensions")
    postgres.execute("create table public.things (id integer, name text)")
    return postgres


@pytest.fixture
def trigger(table: Connection) -> Iterator[Connection]:
    """The connection, and no trigger and no request afterwards."""
    yield table
    table.execute("drop trigger hook on public.things")
    table.execute("delete from net.http_request_queue")


def create(connection: Connection, *arguments: str) -> None:
    quoted = ", ".join("'" + argument.replace("'", "''") + "'" for argument in arguments)
    connection.execute(
        "create trigger hook after insert or update or delete on public.things"
        f" for each row execute function supabase_functions.http_request({quoted})".encode()
    )


def queued(connection: Connection) -> list[tuple[Any, ...]]:
    statement = (
        "select method, url, headers, convert_from(body, 'utf8')::jsonb, timeout_milliseconds"
        " from net.http_request_queue order by id"
    )
    return connection.execute(statement).fetchall()


def test_a_row_change_is_posted(trigger: Connection) -> None:
    create(trigger, "http://kong:8000/functions/v1/x", "POST", '{"X-A": "1"}', '{"p": "q"}', "3000")
    trigger.execute("insert into public.things values (1, 'a')")
    trigger.execute("update public.things set name = 'b'")
    trigger.execute("delete from public.things")
    got = queued(trigger)
    headers = {"X-A": "1", "Content-Type": "application/json"}
    assert {(row[0], row[1], row[4]) for row in got} == {("POST", "http://kong:8000/functions/v1/x?p=q", 3000)}
    assert got[0][2] == headers
    old, new = {"id": 1, "name": "a"}, {"id": 1, "name": "b"}
    bodies = [
        (row[3]["type"], row[3]["record"], row[3]["old_record"], row[3]["table"], row[3]["schema"]) for row in got
    ]
    assert bodies == [
        ("INSERT", old, None, "things", "public"), ("UPDATE", new, old, "things", "public"),
        ("DELETE", None, new, "things", "public"),
    ]  # fmt: skip
    hooks = trigger.execute("select hook_name, request_id is not null from supabase_functions.hooks").fetchall()
    assert hooks == [("hook", True)] * 3


def test_a_get_request_sends_only_parameters(trigger: Connection) -> None:
    create(trigger, "http://x/y", "GET", "{}", '{"a": "1"}', "null")
    trigger.execute("insert into public.things values (1, 'a')")
    assert queued(trigger) == [("GET", "http://x/y?a=1", {}, None, 1000)]


@pytest.mark.parametrize(
    ("arguments", "want"),
    [
        pytest.param((), "url argument is missing", id="nothing"),
        pytest.param(("null", "POST"), "url argument is missing", id="null"),
        pytest.param(("http://x",), "method argument is missing", id="no method"),
        pytest.param(("http://x", "PATCH"), "method argument PATCH is invalid", id="another method"),
    ],
)
def test_bad_arguments_are_refused(trigger: Connection, arguments: tuple[str, ...], want: str) -> None:
    create(trigger, *arguments)
    with pytest.raises(psycopg.errors.RaiseException, match=want):
        trigger.execute("insert into public.things values (1, 'a')")
