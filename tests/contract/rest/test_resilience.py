"""Failures around the service: clients that disconnect, slow statements, a full pool, a database that is down."""

import asyncio
import http.client
import os
import re
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from emulator.asgi.lifespan import running as running_app
from emulator.db.cluster import Cluster
from emulator.rest.admin import answer_admin
from emulator.rest.app import create_app
from emulator.rest.introspect import Catalogs
from emulator.rest.schema_cache.identifiers import QualifiedIdentifier
from emulator.rest.settings import RestSettings
from tests.contract.rest.conftest import SCHEMA, Rest, environment, running, wait_for
from tests.contract.rest.server import rest_server
from tests.support.commands import start
from tests.support.postgres import free_port, make_cluster
from tests.support.scratch import scratch_folder


def test_a_disconnect_cancels_the_statement(rest: Rest) -> None:
    with socket.create_connection(("127.0.0.1", rest.port)) as client:
        client.sendall(b"GET /rpc/nap?seconds=600 HTTP/1.1\r\nHost: x\r\n\r\n")
        wait_for(lambda: running(rest, "nap") == 1)
    wait_for(lambda: running(rest, "nap") == 0)
    assert rest.http.get("/rpc/nap?seconds=0").json() == "rested"


def test_the_statement_timeout_of_a_role_applies(rest: Rest) -> None:
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


def test_a_notification_reloads_the_schema_cache(rest: Rest) -> None:
    wait_for(lambda: rest.app.listener.is_listening)
    assert rest.http.get("/fresh", headers=rest.token()).status_code == 404
    rest.sql("create table api.fresh (id int primary key); grant all on api.fresh to rest_member; notify pgrst")
    wait_for(lambda: rest.http.get("/fresh", headers=rest.token()).status_code == 200)
    rest.sql("alter table api.fresh add column label text; notify pgrst, 'reload schema'")
    wait_for(lambda: rest.http.get("/fresh?select=label", headers=rest.token()).status_code == 200)


@pytest.mark.parametrize("catalogs", [None, Catalogs()], ids=["alone", "beside copies"])
async def test_what_changes_while_the_first_cache_is_loaded_is_noticed(
    cluster: Cluster, rest_database: str, catalogs: Catalogs | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = create_app(RestSettings.from_env(environment(cluster, rest_database)), catalogs)
    load, name = app.service.reload, "late_alone" if catalogs is None else "late_beside"

    async def load_slowly(**options: Any) -> None:
        await load(**options)
        async with await psycopg.AsyncConnection.connect(cluster.dsn(database=rest_database), autocommit=True) as other:
            await other.execute(f"create table if not exists api.{name} (id int); notify pgrst".encode())
        monkeypatch.setattr(app.service, "reload", load)

    monkeypatch.setattr(app.service, "reload", load_slowly)

    def is_known() -> bool:
        snapshot = app.service.snapshot
        return snapshot is not None and QualifiedIdentifier("api", name) in snapshot.cache.tables

    async with running_app(app):
        await asyncio.to_thread(wait_for, is_known)


def test_in_database_settings_win_and_are_reloaded(make_rest: Callable[..., Rest]) -> None:
    rest = make_rest()
    wait_for(lambda: rest.app.listener.is_listening)
    database = rest.sql("select current_database()")[0][0]
    rest.sql(f"alter role rest_authenticator in database \"{database}\" set pgrst.db_max_rows = '2'")
    rest.sql("notify pgrst, 'reload config'")
    wait_for(lambda: len(rest.http.get("/people").json()) == 2)
    rest.sql(f'alter role rest_authenticator in database "{database}" reset all; notify pgrst')
    wait_for(lambda: len(rest.http.get("/people").json()) == 4)


@pytest.mark.parametrize(("method", "path"), [("GET", "/people"), ("GET", "/"), ("OPTIONS", "/people")])
def test_the_stages_of_a_request_are_timed(make_rest: Callable[..., Rest], method: str, path: str) -> None:
    timing = make_rest({"PGRST_SERVER_TIMING_ENABLED": "true"}).http.request(method, path).headers["server-timing"]
    stages = dict(stage.split(";dur=") for stage in timing.split(", "))
    assert list(stages) == ["jwt", "parse", "plan", "transaction", "response"]
    assert all(re.fullmatch(r"\d+\.\d", duration) for duration in stages.values())


def test_the_admin_port(rest: Rest) -> None:
    service = rest.app.service
    assert [answer_admin(service, "GET", path).status for path in ("/live", "/ready", "/nope")] == [200, 200, 404]
    metrics = answer_admin(service, "GET", "/metrics").body.decode()
    assert "pgrst_db_pool_max 10" in metrics
    assert '"stations"' in answer_admin(service, "GET", "/schema_cache").body.decode()


@pytest.fixture
def stoppable() -> Iterator[Cluster]:
    """A cluster that a test may stop."""
    folder = scratch_folder("muster-stoppable-")
    cluster = make_cluster(folder)
    try:
        with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
            connection.execute(SCHEMA.encode())
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def test_a_database_that_is_down_is_503_until_it_is_back(stoppable: Cluster) -> None:
    """A service that lost its database says so, and recovers by itself."""
    with rest_server(environment(stoppable, "postgres")) as (port, app):
        url = f"http://127.0.0.1:{port}/people"
        assert httpx.get(url).status_code == 200
        stoppable.stop()
        dead = httpx.get(url)
        assert (dead.status_code, dead.json()["code"]) in ((503, "PGRST000"), (503, "PGRST001"), (503, "57P01"))
        assert int(dead.headers["retry-after"]) >= 1
        wait_for(lambda: answer_admin(app.service, "GET", "/ready").status == 503)
        stoppable.start()
        wait_for(lambda: httpx.get(url).status_code == 200)
        wait_for(lambda: answer_admin(app.service, "GET", "/ready").status == 200, 60)


def test_a_service_starts_before_its_database(stoppable: Cluster) -> None:
    stoppable.stop()
    with rest_server(environment(stoppable, "postgres")) as (port, _):
        url = f"http://127.0.0.1:{port}/people"
        early = httpx.get(url)
        assert (early.status_code, early.json()["code"]) == (503, "PGRST002")
        stoppable.start()
        wait_for(lambda: httpx.get(url).status_code == 200)


def test_workers_share_the_port_and_stop_together(cluster: Cluster, rest_database: str, tmp_path: Path) -> None:
    port, admin = free_port(), free_port()
    env = environment(cluster, rest_database, PGRST_SERVER_HOST="127.0.0.1", PGRST_SERVER_PORT=str(port),
                      PGRST_ADMIN_SERVER_PORT=str(admin), PGRST_ADMIN_SERVER_HOST="127.0.0.1",
                      MUSTER_LOG_LEVEL="warning")  # fmt: skip
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = start("emulator.rest", "--workers", "2", env={**os.environ, **env}, stderr=output.fileno())
    try:
        wait_for(lambda: _answers(f"http://127.0.0.1:{port}/people"))
        assert all(httpx.get(f"http://127.0.0.1:{port}/people").status_code == 200 for _ in range(20))
        wait_for(lambda: _answers(f"http://127.0.0.1:{admin}/ready"))
    finally:
        process.terminate()
        process.wait(30)
    assert (process.returncode, log.read_text("utf8")) == (0, "")


def _answers(url: str) -> bool:
    try:
        return httpx.get(url).status_code == 200
    except httpx.TransportError:
        return False
