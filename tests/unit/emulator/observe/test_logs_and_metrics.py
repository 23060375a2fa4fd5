"""Request ids, log lines and metrics: what is kept, what is made, what input cannot forge."""

import io
import json
import logging
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from emulator.asgi.response import respond
from emulator.observe import trace
from emulator.observe.app import CLIENT_CLOSED_REQUEST, Observed
from emulator.observe.logs import JsonLines, LogSettings, TextLines, wants_line
from emulator.observe.metrics import BUCKETS_S, Requests, counters, process_text, to_text
from emulator.observe.shared import SharedMetrics
from emulator.settings import SettingsError


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        pytest.param(b"7f3a", True, id="short"),
        pytest.param(b"0194f3c2-6a1e-7b5c-8d2f-0a1b2c3d4e5f", True, id="uuid"),
        pytest.param(b"Root=1-67891233-abcdef012345678912345678", True, id="a load balancer's"),
        pytest.param(b"a" * 128, True, id="as long as may be"),
        pytest.param(None, False, id="none"),
        pytest.param(b"", False, id="empty"),
        pytest.param(b"a" * 129, False, id="too long"),
        pytest.param(b"a b", False, id="blank"),
        pytest.param(b"a\r\nSet-Cookie: x=1", False, id="line end"),
        pytest.param(b'a"}{', False, id="quotes"),
        pytest.param("é".encode(), False, id="not ASCII"),
        pytest.param(b"\x1b[31m", False, id="terminal"),
        pytest.param(b"-rf", False, id="an option"),
    ],
)
def test_an_id_is_kept_only_if_it_is_safe(value: bytes | None, kept: bool) -> None:
    found = trace.read(value)
    assert (found is not None) is kept
    if found is not None:
        assert found.id.encode() == value
        assert found.is_given


def test_ids_that_we_make_are_never_the_same() -> None:
    made = {trace.make().id for _ in range(1000)}
    assert len(made) == 1000
    assert all(trace.read(one.encode()) for one in made)


def test_sql_is_named_only_for_a_request_that_brought_its_id() -> None:
    before = trace.current.set(trace.Trace("7f3a" * 30, True))
    try:
        name = trace.application_name("rest")
        assert name is not None
        assert name.startswith("rest 7f3a")
        assert len(name) == 63
        trace.current.set(trace.make())
        assert trace.application_name("rest") is None
    finally:
        trace.current.reset(before)


async def echo(scope: Any, _receive: Any, send: Any) -> None:
    """A service that logs, echoes the id as another might, and fails when it is told to."""
    logging.getLogger("test.service").warning("seen\n%s", "second line")
    if scope["path"] == "/breaks":
        raise RuntimeError("broken")
    if scope["path"] == "/silent":
        return
    status = int(scope["path"].lstrip("/") or 200)
    await respond(send, status, [(b"X-Request-Id", b"the service's own")], trace.current.get().id.encode())


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Everything that is logged, as JSON."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel("INFO")
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


def client(app: Observed) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url="http://test")


async def test_answer_log_and_service_share_one_id(lines: io.StringIO) -> None:
    async with client(Observed(echo, "rest", LogSettings(requests="all"))) as http:
        given = await http.get("/200?token=secret", headers={"x-request-id": "7f3a"})
        made = await http.get("/404", headers={"x-request-id": "bad id\t"})
    assert given.headers.get_list("x-request-id") == ["7f3a"]
    assert given.text == "7f3a"
    assert made.headers["x-request-id"] == made.text
    assert re.fullmatch(r"[0-9a-f]{12}-[0-9a-f]{6}", made.text)
    logged = [json.loads(line) for line in lines.getvalue().splitlines()]
    ours = [line for line in logged if line["logger"] in ("test.service", "muster.requests")]
    assert [line["request_id"] for line in ours] == ["7f3a", "7f3a", made.text, made.text]
    assert ours[1] | {"time": "", "duration_ms": 0} == {
        "time": "", "level": "info", "logger": "muster.requests", "message": "request", "request_id": "7f3a",
        "service": "rest", "method": "GET", "path": "/200", "status": 200, "duration_ms": 0, "client": "127.0.0.1",
    }  # fmt: skip
    assert "secret" not in "".join(line["message"] for line in ours)


async def test_requests_are_counted_whatever_becomes_of_them() -> None:
    app = Observed(echo, "auth", LogSettings(requests="none"))
    async with client(app) as http:
        for path in ("/200", "/200", "/503", "/breaks"):
            await http.get(path)
        await http.request("BREW", "/200")
    await app({"type": "http", "method": "GET", "path": "/silent", "headers": []}, _nothing, _nothing)
    counts = {(method, status): number for (_, method, status), number in app.requests.counts.items()}
    assert counts == {
        ("GET", 200): 2, ("GET", 503): 1, ("GET", 500): 1, ("other", 200): 1, ("GET", CLIENT_CLOSED_REQUEST): 1,
    }  # fmt: skip
    assert app.requests.in_flight == 0


async def _nothing(*_: object) -> Any:
    return {"type": "http.disconnect"}


def test_the_text_format_holds() -> None:
    requests = Requests()
    for duration_s in (0.0004, 0.001, 0.002, 0.3, 99.0):
        requests.add("rest", "GET", 200, duration_s)
    text = to_text(requests.collect())
    assert 'muster_http_requests_total{method="GET",service="rest",status="200"} 5' in text
    buckets = [float(line.split()[-1]) for line in text.splitlines() if "_bucket{" in line]
    assert buckets == [2, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 5]
    assert len(buckets) == len(BUCKETS_S) + 1
    assert 'muster_http_request_duration_seconds_sum{service="rest"} 99.3034' in text
    line = re.compile(r"# (HELP|TYPE) \w+ .+|\w+(\{(\w+=\"[^\"]*\",?)+\})? -?[\d.e+-]+")
    for row in (text + process_text()).splitlines():
        assert line.fullmatch(row), row


def test_a_label_cannot_end_its_line() -> None:
    text = to_text([counters("x_total", "About", ["path"], [(['a"} 2\nevil 1\\'], 1)])])
    assert text.splitlines()[-1] == 'x_total{path="a\\"} 2\\nevil 1\\\\"} 1.0'


@pytest.mark.parametrize(
    ("requests", "status", "duration_s", "want"),
    [
        ("failed", 200, 0.1, False), ("failed", 404, 0.1, False), ("failed", 500, 0.1, True),
        ("failed", 200, 1.1, True), ("all", 200, 0.1, True), ("none", 500, 9.0, False),
    ],
)  # fmt: skip
def test_which_requests_get_a_line(requests: Any, status: int, duration_s: float, want: bool) -> None:
    assert wants_line(LogSettings(requests=requests), status, duration_s) is want


def test_text_lines_are_one_line_and_say_who(lines: io.StringIO) -> None:
    record = logging.makeLogRecord({"name": "auth", "levelname": "INFO", "msg": "a\x1b[31m\nb", "user": "x\ny"})
    said = TextLines().format(record)
    assert said.endswith(r"INFO auth a\x1b[31m\nb user=x\ny")
    assert "\n" not in said
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("test").exception("with a trace")
    logged = json.loads(lines.getvalue())
    assert logged["level"] == "error"
    assert "ValueError: broken" in logged["exception"]
    assert "request_id" not in logged


@pytest.mark.parametrize(
    ("name", "value"), [("FORMAT", "xml"), ("REQUESTS", "some"), ("LEVEL", "loud"), ("FORMAT", "json\n")]
)
def test_an_unusable_variable_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"MUSTER_LOG_{name}"):
        LogSettings.from_env({f"MUSTER_LOG_{name}": value})


def test_the_variables_are_read() -> None:
    env = {"MUSTER_LOG_FORMAT": "json", "MUSTER_LOG_REQUESTS": "ALL", "MUSTER_LOG_LEVEL": "warning"}
    assert LogSettings.from_env(env) == LogSettings(format="json", requests="all", level="warning")
    assert LogSettings.from_env({}) == LogSettings()


def test_metrics_of_several_processes_are_merged(tmp_path: Path) -> None:
    """Each sample says whose it is, a name has one head, and who is gone is forgotten."""
    requests = Requests()
    requests.add("rest", "GET", 200, 0.01)
    shared = SharedMetrics(tmp_path / "metrics", lambda: to_text(requests.collect()) + "# TYPE up gauge\nup 1\n")
    (tmp_path / "metrics" / "1.prom").write_text("# TYPE up gauge\nup 1\n")  # init lives
    gone = tmp_path / "metrics" / "999999999.prom"
    gone.write_text("# TYPE up gauge\nup 1\n")
    shared.publish()
    text, own = shared.text(), os.getpid()
    assert text.count("# TYPE up gauge") == 1
    assert not gone.exists()
    assert f'up{{process="{own}"}} 1' in text
    assert 'up{process="1"} 1' in text
    assert f'muster_http_requests_total{{method="GET",process="{own}",service="rest",status="200"}} 1' in text
