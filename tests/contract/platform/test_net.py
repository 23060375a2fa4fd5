"""pg_net: requests go out after commit, once, and what comes back is kept.

Source: https://supabase.com/docs/guides/database/extensions/pg_net and the extension's README.
"""

from typing import Any

import psycopg
import pytest

from emulator.platform.net.journal import Journal
from tests.contract.platform.conftest import Connect, Connection, Target, Workers
from tests.support.patience import eventually
from tests.support.postgres import Database

pytestmark = pytest.mark.usefixtures("workers")


@pytest.fixture(scope="module", autouse=True)
def extension(postgres: Connection) -> None:
    postgres.execute("create extension pg_net with schema extensions")


def response(connection: Connection, number: int) -> tuple[Any, ...]:
    """The response's columns, once it is there."""
    statement = (
        "select status_code, content_type, headers, content, timed_out, error_msg from net._http_response where id = %s"
    )
    return eventually(lambda: connection.execute(statement, (number,)).fetchone())


def request(connection: Connection, call: str, *values: object) -> int:
    row = connection.execute(f"select {call}", values or None).fetchone()
    assert row is not None
    return int(row[0])


def test_a_get_request_with_parameters_and_headers(postgres: Connection, target: Target) -> None:
    url = f"{target.url}/echo?z=1"
    number = request(
        postgres, "net.http_get(url := %s, params := %s, headers := %s)", url, '{"q": "a b&é"}', '{"X-B": "2"}'
    )
    status, kind, headers, content, timed_out, error = response(postgres, number)
    assert (status, kind, timed_out, error) == (200, "text/plain", False, None)
    assert headers["X-A"] == "1"
    assert content.startswith("GET /echo?z=1&q=a%20b%26%C3%A9 ")
    assert "X-B: 2" in content
    assert "User-Agent: pg_net/0.20.4" in content


def test_a_post_request_sends_json(postgres: Connection, target: Target) -> None:
    number = request(
        postgres, "net.http_post(%s, body := %s, headers := %s)", f"{target.url}/p", '{"a": 1}', '{"X-B": "2"}'
    )
    _, _, _, content, _, _ = response(postgres, number)
    assert content.startswith('POST /p {"a": 1}\n')
    assert "Content-Type: application/json" in content


def test_a_delete_request(postgres: Connection, target: Target) -> None:
    number = request(postgres, "net.http_delete(%s)", f"{target.url}/d")
    assert response(postgres, number)[3].startswith("DELETE /d ")


def test_another_content_type_is_refused(postgres: Connection) -> None:
    with pytest.raises(psycopg.errors.RaiseException, match='Content-Type header must be "application/json"'):
        request(postgres, "net.http_post('http://x', headers := %s)", '{"content-type": "text/plain"}')


def test_nothing_is_sent_for_a_transaction_that_is_rolled_back(postgres: Connection, target: Target) -> None:
    with postgres.transaction(force_rollback=True):
        request(postgres, "net.http_get(%s)", f"{target.url}/rolled-back")
    response(postgres, request(postgres, "net.http_get(%s)", f"{target.url}/after"))
    assert target.hits["/rolled-back"] == 0


def test_a_slow_server_times_out_and_holds_up_nobody(postgres: Connection, target: Target) -> None:
    slow = request(postgres, "net.http_get(%s, timeout_milliseconds := 300)", f"{target.url}/slow")
    quick = request(postgres, "net.http_get(%s)", f"{target.url}/quick")
    assert response(postgres, quick)[0] == 200
    status, _, _, _, timed_out, error = response(postgres, slow)
    assert (status, timed_out) == (None, True)
    assert error.startswith("Timeout of 300 ms reached.")
    assert target.hits["/slow"] == 1


@pytest.mark.parametrize(
    ("url", "want"),
    [
        pytest.param("http://127.0.0.1:1/", "Couldn't connect to server", id="closed port"),
        pytest.param("http://no-such-host.invalid/", "Couldn't resolve host name", id="unknown host"),
        pytest.param("ftp://127.0.0.1/", "Unsupported protocol", id="other scheme"),
        pytest.param("http://127.0.0.1:99999/", "URL using bad/illegal format or missing URL", id="bad port"),
    ],
)
def test_what_cannot_be_reached_is_an_error(postgres: Connection, url: str, want: str) -> None:
    number = request(postgres, "net.http_get(%s)", url)
    assert response(postgres, number)[4:] == (False, want)


def test_redirects_are_followed(postgres: Connection, target: Target) -> None:
    number = request(postgres, "net.http_get(%s)", f"{target.url}/moved")
    assert response(postgres, number)[3].startswith("GET /echo ")


def test_a_body_that_text_cannot_hold_is_kept_as_far_as_it_can(postgres: Connection, target: Target) -> None:
    number = request(postgres, "net.http_get(%s)", f"{target.url}/text")
    status, kind, headers, content, _, _ = response(postgres, number)
    assert (status, kind, headers["X-Kind"], content) == (404, None, "text", "ab\ufffd")


@pytest.mark.parametrize("host", ["kong:8000", "host.docker.internal:54321", "api.supabase.internal:8000"])
def test_the_names_of_containers_reach_the_stack(postgres: Connection, host: str) -> None:
    number = request(postgres, "net.http_get(%s)", f"http://{host}/rest/v1/posts")
    assert response(postgres, number)[3].startswith("GET /rest/v1/posts ")


def test_the_response_can_be_collected(postgres: Connection, target: Target) -> None:
    number = request(postgres, "net.http_get(%s)", f"{target.url}/collected")
    response(postgres, number)
    got = postgres.execute(
        "select status, message, (response).status_code from net._http_collect_response(%s)", (number,)
    )
    assert got.fetchone() == ("SUCCESS", "ok", 200)


@pytest.mark.parametrize(
    ("columns", "values"),
    [
        pytest.param("headers", "'[1]'", id="headers that are a list"),
        pytest.param("headers", """'{"a b": "c\\nd"}'""", id="headers that are none"),
        pytest.param("headers", """'{"X": {"a": [null]}}'""", id="headers with values inside"),
        pytest.param("headers", "null", id="no headers"),
        pytest.param("body", "'\\xff00'", id="a body that is no text"),
    ],
)
def test_whatever_is_in_the_queue_gets_a_response(
    postgres: Connection, target: Target, columns: str, values: str
) -> None:
    row = postgres.execute(
        f"insert into net.http_request_queue (method, url, timeout_milliseconds, {columns})"
        f" values ('GET', %s, 5000, {values}) returning id",
        (f"{target.url}/odd",),
    ).fetchone()
    assert row is not None
    postgres.execute("select net.wake()")
    status, *_, error = response(postgres, row[0])
    assert (status is None) != (error is None)


def test_settings_that_are_none_do_no_harm(postgres: Connection, connect: Connect, target: Target) -> None:
    admin = connect("supabase_admin")
    name = admin.info.dbname
    for setting in ("pg_net.ttl", "pg_net.batch_size"):
        admin.execute(f"alter database {name} set {setting} = 'nonsense'")
    admin.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where application_name = 'muster platform worker' and datname = current_database()"
    )
    assert response(postgres, request(postgres, "net.http_get(%s)", f"{target.url}/x"))[0] == 200
    for setting in ("pg_net.ttl", "pg_net.batch_size"):
        admin.execute(f"alter database {name} reset {setting}")


def test_every_role_may_send(connect: Connect, target: Target) -> None:
    anon = connect("postgres")
    anon.execute("set role anon")
    assert response(anon, request(anon, "net.http_get(%s)", f"{target.url}/anon"))[0] == 200


def test_expired_responses_are_deleted(postgres: Connection, connect: Connect, target: Target) -> None:
    connect("supabase_admin").execute(
        "insert into net._http_response (id, created) values (-1, now() - interval '7 hours')"
    )
    response(postgres, request(postgres, "net.http_get(%s)", f"{target.url}/x"))
    assert postgres.execute("select from net._http_response where id = -1").fetchone() is None


def test_requests_survive_a_stop_and_are_sent_once(postgres: Connection, target: Target, workers: Workers) -> None:
    """More than a batch is waiting when the workers stop."""
    workers.stop()
    asked = "select net.http_get(%s || n, timeout_milliseconds => 60000) from generate_series(1, 450) as n"
    postgres.execute(asked, (f"{target.url}/many/",))  # a busy machine needs more than the 5 s that are usual
    workers.start()
    eventually(lambda: postgres.execute("select not exists (select from net.http_request_queue)").fetchone() == (True,))
    workers.stop()
    workers.start()
    done = (
        "select count(*) = 450 from net._http_response where content like 'GET /many/%' or error_msg like 'The worker%'"
    )
    eventually(lambda: postgres.execute(done).fetchone() == (True,))
    assert max(count for path, count in target.hits.items() if path.startswith("/many/")) == 1


def test_a_killed_process_sends_nothing_twice_and_forgets_nothing(
    postgres: Connection, connect: Connect, target: Target, workers: Workers, module_database: Database
) -> None:
    """Two requests were taken off the queue; of one the first byte had gone out."""
    workers.stop()
    columns = "id, method, url, headers, timeout_milliseconds"
    connect("supabase_admin").execute(
        f"insert into _muster.net_sending ({columns})"
        " values (900001, 'GET', %(url)s || '/sent', '{}', 5000), (900002, 'GET', %(url)s || '/unsent', '{}', 5000)",
        {"url": target.url},
    )
    journal = Journal(module_database.cluster.sockets / f"net-{module_database.name}.journal")
    journal.reset()
    journal.note(900001)
    journal.close()
    workers.start()
    assert response(postgres, 900001)[5].startswith("The worker was stopped")
    assert response(postgres, 900002)[0] == 200
    assert (target.hits["/sent"], target.hits["/unsent"]) == (0, 1)


def test_of_two_processes_one_works_and_the_other_goes_on(
    postgres: Connection, target: Target, workers: Workers, module_database: Database
) -> None:
    other = Workers(module_database, target)
    other.start()
    try:
        postgres.execute("select net.http_get(%s || n) from generate_series(1, 50) as n", (f"{target.url}/two/",))
        last = request(postgres, "net.http_get(%s)", f"{target.url}/two/last")
        assert response(postgres, last)[0] == 200
        workers.stop()
        assert response(postgres, request(postgres, "net.http_get(%s)", f"{target.url}/two/more"))[0] == 200
        assert {count for path, count in target.hits.items() if path.startswith("/two/")} == {1}
    finally:
        workers.start()
        other.stop()


def test_the_workers_come_back_when_their_session_is_ended(
    postgres: Connection, connect: Connect, target: Target
) -> None:
    connect("supabase_admin").execute(
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where application_name like 'muster platform%' and datname = current_database()"
    )
    assert response(postgres, request(postgres, "net.http_get(%s)", f"{target.url}/again"))[0] == 200
