"""The extension http: requests inside the statement, their answers and errors.

Source: https://github.com/pramsey/pgsql-http.
"""

import time

import psycopg
import pytest

from tests.contract.platform.conftest import Connect, Connection, Target, Workers
from tests.support.patience import eventually


@pytest.fixture(scope="module", autouse=True)
def extension(postgres: Connection, workers: Workers) -> None:
    postgres.execute("create extension http with schema extensions")
    postgres.execute("create extension if not exists pg_net")  # tells when the workers are there
    eventually(lambda: _is_up(postgres))
    assert workers is not None


def _is_up(connection: Connection) -> bool:
    try:
        connection.execute("select net.check_worker_is_up(), extensions.http_get('http://127.0.0.1:1/')")
    except psycopg.errors.ObjectNotInPrerequisiteState:
        return False
    except psycopg.errors.RaiseException as error:
        return "background worker" not in str(error)
    return True


def test_a_get_request(postgres: Connection, target: Target) -> None:
    got = postgres.execute(
        "select status, content_type, content, headers[2] from extensions.http_get(%s)", (f"{target.url}/echo",)
    ).fetchone()
    assert got is not None
    assert got[:2] == (200, "text/plain")
    assert got[2].startswith("GET /echo ")
    assert tuple(got[3]) == ("X-A", "1") or got[3] == "(X-A,1)"


@pytest.mark.parametrize(
    ("call", "want"),
    [
        pytest.param("http_post(%s, 'x=1', 'text/plain')", "POST /echo x=1\n", id="post"),
        pytest.param("http_post(%s, '{\"a\": \"b c\"}'::jsonb)", "POST /echo a=b+c\n", id="form"),
        pytest.param("http_put(%s, 'é', 'text/plain')", "PUT /echo é\n", id="put"),
        pytest.param("http_patch(%s, 'x', 'text/plain')", "PATCH /echo x\n", id="patch"),
        pytest.param("http_delete(%s)", "DELETE /echo \n", id="delete"),
        pytest.param("http_get(%s, '{\"a\": 1}'::jsonb)", "GET /echo?a=1 \n", id="parameters"),
        pytest.param(
            "http(('OPTIONS', %s, array[extensions.http_header('X-B', '2')], null, null)::extensions.http_request)",
            "OPTIONS /echo \n", id="any method",
        ),
    ],
)  # fmt: skip
def test_the_methods(postgres: Connection, target: Target, call: str, want: str) -> None:
    row = postgres.execute(f"select content from extensions.{call}", (f"{target.url}/echo",)).fetchone()
    assert row is not None
    assert row[0].startswith(want)


@pytest.mark.parametrize(
    ("url", "want"),
    [
        pytest.param("http://no-such-host.invalid/", "Could not resolve host: no-such-host.invalid", id="unknown host"),
        pytest.param("http://127.0.0.1:1/", "Failed to connect to 127.0.0.1", id="closed port"),
        pytest.param("file:///etc/passwd", "Unsupported protocol", id="file"),
    ],
)
def test_what_cannot_be_reached_is_an_error(postgres: Connection, url: str, want: str) -> None:
    with pytest.raises(psycopg.errors.RaiseException, match=want):
        postgres.execute("select extensions.http_get(%s)", (url,))


def test_a_slow_server_times_out(postgres: Connection, target: Target) -> None:
    postgres.execute("select extensions.http_set_curlopt('CURLOPT_TIMEOUT_MS', '200')")
    with pytest.raises(psycopg.errors.RaiseException, match="Operation timed out after 200 milliseconds"):
        postgres.execute("select extensions.http_get(%s)", (f"{target.url}/slow",))
    postgres.execute("select extensions.http_reset_curlopt()")


def test_a_request_ends_with_the_statement_that_waits_for_it(connect: Connect, target: Target) -> None:
    waiting = connect("postgres")
    waiting.execute("set statement_timeout = '200ms'")
    began = time.monotonic()
    with pytest.raises(psycopg.errors.QueryCanceled):
        waiting.execute("select extensions.http_get(%s)", (f"{target.url}/slow",))
    assert time.monotonic() - began < 4  # the request's own limit is 5 s


def test_the_socket_opens_no_other_connection(connect: Connect) -> None:
    anon = connect("postgres")
    anon.execute("set role anon")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        anon.execute("select extensions._http_connect('x', 'host=/')")


def test_every_role_may_ask(connect: Connect, target: Target) -> None:
    anon = connect("postgres")
    anon.execute("set role anon")
    got = anon.execute("select status from extensions.http_get(%s)", (f"{target.url}/echo",)).fetchone()
    assert got == (200,)


def test_a_request_without_a_body_where_one_belongs_is_refused(postgres: Connection, target: Target) -> None:
    with pytest.raises(psycopg.errors.RaiseException, match="http_request.content is NULL"):
        postgres.execute("select extensions.http_post(%s, null, 'text/plain')", (target.url,))
