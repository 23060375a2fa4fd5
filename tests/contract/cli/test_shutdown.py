"""A stack that is told to stop finishes what it was asked, with one process and with several."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.support.postgres import free_port
from tests.support.stack import RunningStack, start_stack, stop_stack, wait_until
from tests.support.stack_template import FillHome

IN_FLIGHT = 6
ROW = "11111111-2222-4333-8444-555555555555"


@pytest.fixture(params=[1, 2], ids=["one-process", "two-processes"])
def running(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome
) -> Iterator[RunningStack]:
    home = tmp_path_factory.mktemp("shutdown")
    try:
        fill_home(home)
        yield start_stack(home, free_port(), "--no-web", "--no-seed", "--workers", str(request.param))
    finally:
        stop_stack(home)


def test_requests_in_flight_are_answered_before_the_end(running: RunningStack) -> None:
    """Each call waits in the database for a row that is let go of only once the stack is stopping.

    A row of a table that was there before: the other process may still be reading the schema, or begin to. The signal
    is sent here: on a busy machine a command may take longer than the 8 seconds that a statement has.
    """
    pid = running.pid
    with running.connect() as holder, running.connect() as watching:
        holder.execute("insert into public.feedback (id, content, category) values (%s, 'held', 'general')", (ROW,))
        holder.execute("begin; select from public.feedback for update")
        waiting = "select count(*) from pg_stat_activity where application_name = 'rest' and wait_event_type = 'Lock'"
        address, headers = f"{running.url}/rest/v1/feedback?id=eq.{ROW}", {"apikey": running.env["SECRET_KEY"]}

        def call(_: int) -> httpx.Response:
            return httpx.patch(address, headers=headers, json={"content": "let go of"}, timeout=60)

        with ThreadPoolExecutor(IN_FLIGHT) as pool:
            calls = [pool.submit(call, number) for number in range(IN_FLIGHT)]
            wait_until(lambda: watching.execute(waiting).fetchone() == (IN_FLIGHT,))
            os.kill(pid, signal.SIGTERM)
            wait_until(lambda: _refuses(running))
            holder.execute("commit")
            answers = [call.result() for call in calls]
    assert [answer.status_code for answer in answers] == [204] * IN_FLIGHT


def _refuses(running: RunningStack) -> bool:
    """Whether no new request is taken any more."""
    try:
        httpx.get(f"{running.url}/healthz", timeout=2)
    except httpx.TransportError:
        return True
    return False
