"""When things go wrong around the service: clients that leave, slow statements, a full pool, a dead database."""

import http.client
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import mkdtemp

import httpx
import psycopg
import pytest

from emulator.db.cluster import Cluster
from emulator.rest.admin import answer_admin
from tests.contract.rest.conftest import SCHEMA, Rest, environment, running, wait_for
from tests.contract.rest.server import rest_server
from tests.support.postgres import free_port, make_cluster


def test_a_client_that_goes_away_cancels_its_statement(rest: Rest) -> None:
    with socket.create_connection(("127.0.0.1", rest.port)) as client:
        client.sendall(b"GET /rpc/nap?seconds=600 HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_for(lambda: running(rest, "nap") == 1)
    wait_for(lambda: running(rest, "nap") == 0)
    assert rest.http.get("/rpc/nap?seconds=0").json() == "rested"


def test_a_statement_obeys_the_timeout_of_its_role(rest: Rest) -> None:
    answer = rest.http.get("/rpc/nap?seconds=30", headers=rest.token("rest_slow"))
    assert (answer.status_code, answer.json()["code"]) == (500, "57014")
    assert rest.http.get("/rpc/nap?seconds=0.5").json() == "rested"


def test_waiting_for_a_connection_is_bounded(make_rest: Callable[..., Rest]) -> None:
    rest = make_rest({"PGRST_DB_POOL": "1", "PGRST_DB_POOL_ACQUISITION_TIMEOUT": "1"})
    holder = http.client.HTTPConnection("127.0.0.1", rest.port)
    holder.request("GET", "/rpc/nap?seconds=600")
    wait_for(lambda: running(rest, "nap") == 1)
    answer = rest.http.get("/people")
    assert (answer.status_code, answer.json()["code"]) == (504, "PGRST003")
    holder.close()
    wait_for(lambda: rest.http.get("/people").status_code == 200)


def test_a_new_table_is_known_after_a_notification(rest: Rest) -> None:
    wait_for(lambda: rest.app.listener.is_listening)
    assert rest.http.get("/fresh", headers=rest.token()).status_code == 404
    rest.sql("create table api.fresh (id int primary key); grant all on api.fresh to rest_member; notify pgrst")
    wait_for(lambda: rest.http.get("/fresh", headers=rest.token()).status_code == 200)
    rest.sql("alter table api.fresh add column label text; notify pgrst, 'reload schema'")
    wait_for(lambda: rest.http.get("/fresh?select=label", headers=rest.token()).status_code == 200)


def test_settings_in_the_database_win_and_follow_a_notification(make_rest: Callable[..., Rest]) -> None:
    rest = make_rest()
    wait_for(lambda: rest.app.listener.is_listening)
    database = rest.sql("select current_database()")[0][0]
    rest.sql(f"alter role rest_authenticator in database \"{database}\" set pgrst.db_max_rows = '2'")
    rest.sql("notify pgrst, 'reload config'")
    wait_for(lambda: len(rest.http.get("/people").json()) == 2)
    rest.sql(f'alter role rest_authenticator in database "{database}" reset all; notify pgrst')
    wait_for(lambda: len(rest.http.get("/people").json()) == 4)


def test_the_admin_port_tells_how_the_service_is(rest: Rest) -> None:
    service = rest.app.service
    assert [answer_admin(service, "GET", path).status for path in ("/live", "/ready", "/nope")] == [200, 200, 404]
    metrics = answer_admin(service, "GET", "/metrics").body.decode()
    assert "pgrst_db_pool_max 10" in metrics
    assert '"stations"' in answer_admin(service, "GET", "/schema_cache").body.decode()


@pytest.fixture
def mortal() -> Iterator[Cluster]:
    """A cluster that a test may stop."""
    folder = Path(mkdtemp(prefix="muster-mortal-", dir="/tmp"))
    cluster = make_cluster(folder)
    try:
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            connection.execute(SCHEMA.encode())
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def test_a_dead_database_is_503_and_its_return_is_noticed(mortal: Cluster) -> None:
    """A service that started without a database, or lost it, says so and recovers by itself."""
    with rest_server(environment(mortal, "postgres")) as (port, app):
        url = f"http://127.0.0.1:{port}/people"
        assert httpx.get(url).status_code == 200
        mortal.stop()
        dead = httpx.get(url)
        assert (dead.status_code, dead.json()["code"]) in ((503, "PGRST000"), (503, "PGRST001"), (503, "57P01"))
        assert int(dead.headers["retry-after"]) >= 1
        wait_for(lambda: answer_admin(app.service, "GET", "/ready").status == 503)
        mortal.start()
        wait_for(lambda: httpx.get(url).status_code == 200)
        wait_for(lambda: answer_admin(app.service, "GET", "/ready").status == 200, 60)


def test_a_service_without_a_database_yet_waits_for_it(mortal: Cluster) -> None:
    mortal.stop()
    with rest_server(environment(mortal, "postgres")) as (port, _):
        url = f"http://127.0.0.1:{port}/people"
        early = httpx.get(url)
        assert (early.status_code, early.json()["code"]) == (503, "PGRST002")
        mortal.start()
        wait_for(lambda: httpx.get(url).status_code == 200)


def test_several_workers_share_the_port_and_end_together(cluster: Cluster, rest_database: str) -> None:
    port, admin = free_port(), free_port()
    env = environment(cluster, rest_database, PGRST_SERVER_HOST="127.0.0.1", PGRST_SERVER_PORT=str(port),
                      PGRST_ADMIN_SERVER_PORT=str(admin), PGRST_ADMIN_SERVER_HOST="127.0.0.1",
                      MUSTER_LOG_LEVEL="warning")  # fmt: skip
    command = [sys.executable, "-m", "emulator.rest", "--workers", "2"]
    process = subprocess.Popen(command, env={**os.environ, **env, "PYTHONPATH": os.pathsep.join(sys.path)},
                               stderr=subprocess.PIPE)  # fmt: skip
    try:
        wait_for(lambda: _answers(f"http://127.0.0.1:{port}/people"))
        assert all(httpx.get(f"http://127.0.0.1:{port}/people").status_code == 200 for _ in range(20))
        wait_for(lambda: _answers(f"http://127.0.0.1:{admin}/ready"))
    finally:
        process.terminate()
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, b"")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False
