"""What operators see of a running stack: metrics for the service key, one id from the wire down to the SQL."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.postgres import free_port
from tests.support.stack import RunningStack, start_stack, stop_stack, wait_until
from tests.support.stack_template import FillHome

ID = "station-7-0001"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome) -> Iterator[RunningStack]:
    home = tmp_path_factory.mktemp("observed")
    try:
        fill_home(home)
        options = ("--no-web", "--no-seed", "--log-format", "json", "--log-requests", "all")
        yield start_stack(home, free_port(), *options)
    finally:
        stop_stack(home)


def ask(running: RunningStack, method: str, path: str, key: str = "SECRET_KEY", **options: Any) -> httpx.Response:
    headers = {"apikey": running.env[key], **options.pop("headers", {})}
    return httpx.request(method, running.url + path, headers=headers, timeout=30, **options)


def log_lines(running: RunningStack) -> list[dict[str, Any]]:
    text = (running.home / "logs" / "muster.log").read_text("utf8")
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_a_request_keeps_its_id_from_the_wire_to_the_log(running: RunningStack) -> None:
    for path in (
        "/rest/v1/posts?limit=1",
        "/auth/v1/settings",
        "/functions/v1/nobody",
        "/healthz",
        "/realtime/v1/api/x",
    ):
        answer = ask(running, "GET", path, headers={"X-Request-Id": ID, "Origin": "https://elsewhere.example"})
        assert answer.headers.get_list("x-request-id") == [ID], path
    assert ask(running, "GET", "/healthz").headers["x-request-id"] != ID
    wait_until(lambda: sum(line.get("request_id") == ID for line in log_lines(running)) >= 5)
    found = {line["service"] for line in log_lines(running) if line.get("request_id") == ID and "service" in line}
    assert found == {"rest", "auth", "functions", "health", "realtime"}


@pytest.mark.parametrize("given", [True, False])
def test_sql_carries_the_id_of_a_request_that_brought_one(running: RunningStack, given: bool) -> None:
    with running.connect() as connection:
        connection.execute(
            "create or replace function public.who_am_i() returns text language sql as "
            "$$ select current_setting('application_name') $$; "
            "grant execute on function public.who_am_i() to anon, service_role; notify pgrst, 'reload schema'"
        )
    wait_until(lambda: ask(running, "POST", "/rest/v1/rpc/who_am_i").status_code == 200)
    headers = {"X-Request-Id": ID} if given else {}
    said = ask(running, "POST", "/rest/v1/rpc/who_am_i", headers=headers).json()
    assert said == (f"rest {ID}" if given else "rest")


def test_the_databases_log_says_whose_statement_failed(running: RunningStack) -> None:
    """Auth, too: a failing statement of a traced request can be found by its id."""
    with running.connect() as connection:
        connection.execute("create or replace function public.boom() returns int language sql as $$ select 1 / 0 $$")
        connection.execute("grant execute on function public.boom() to service_role; notify pgrst, 'reload schema'")
    wait_until(lambda: ask(running, "POST", "/rest/v1/rpc/boom").status_code != 404)
    ask(running, "POST", "/rest/v1/rpc/boom", headers={"X-Request-Id": f"{ID}-boom"})
    log = running.home / "logs" / "postgres.log"
    wait_until(lambda: f"rest {ID}-boom ERROR:  division by zero" in log.read_text("utf8", "replace"))


def test_metrics_require_the_service_role_key(running: RunningStack) -> None:
    for headers in (
        {}, {"apikey": running.env["PUBLISHABLE_KEY"]}, {"apikey": "x"}, {"Authorization": "Bearer x"},
        {"Authorization": f"Bearer {running.env['ANON_KEY']}", "apikey": running.env["SECRET_KEY"]},
        {"Authorization": f"Basic {running.env['SECRET_KEY']}"},
    ):  # fmt: skip
        assert httpx.get(f"{running.url}/metrics", headers=headers).status_code == 401, headers
    assert httpx.get(f"{running.url}/metrics?apikey={running.env['SECRET_KEY']}").status_code == 401
    for key in ("SECRET_KEY", "SERVICE_ROLE_KEY"):
        bearer = {"Authorization": f"Bearer {running.env[key]}"}
        assert httpx.get(f"{running.url}/metrics", headers=bearer).status_code == 200


def test_metrics_cover_every_service(running: RunningStack) -> None:
    body = {"email": "nobody@example.org", "password": "wrong"}
    assert ask(running, "POST", "/auth/v1/token?grant_type=password", json=body).status_code == 400
    before = metrics(running)
    ask(running, "GET", "/rest/v1/posts?limit=1")
    after = metrics(running)
    counted = 'muster_http_requests_total{method="GET",service="rest",status="200"}'
    assert after[counted] == before.get(counted, 0) + 1
    assert after['http_status_codes_total{code="400",http_route="/token"}'] >= 1
    assert after["gotrue_running"] == after["realtime_replication_connected"] == 1
    assert after["pgrst_db_pool_max"] == 10
    assert after["auth_db_pool_size"] >= 1
    assert after["process_resident_memory_bytes"] > 1e6
    assert after["process_start_time_seconds"] <= time.time()
    assert after["muster_http_requests_in_flight"] == 1  # this one


def metrics(running: RunningStack) -> dict[str, float]:
    answer = ask(running, "GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    rows = [line.rsplit(" ", 1) for line in answer.text.splitlines() if not line.startswith("#")]
    assert len({name for name, _ in rows}) == len(rows)
    return {name: float(value) for name, value in rows}


def test_a_bad_choice_is_refused_before_anything_starts(tmp_path: Path) -> None:
    from tests.support.stack import muster

    for option in ("--log-format", "--log-requests"):
        refused = muster("up", "--home", str(tmp_path / "h"), option, "loud")
        assert refused.returncode == 2
        assert "is one of" in refused.stderr
