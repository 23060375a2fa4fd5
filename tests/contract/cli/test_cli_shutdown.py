"""A stack that is told to stop finishes what it was asked, with one process and with several."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from tests.support.postgres import free_port
from tests.support.stack import RunningStack, muster, start_stack, stop_stack, wait_until

IN_FLIGHT = 6


@pytest.fixture(params=[1, 2], ids=["one-process", "two-processes"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStack]:
    home = tmp_path_factory.mktemp("shutdown")
    try:
        yield start_stack(home, free_port(), "--no-web", "--no-seed", "--workers", str(request.param))
    finally:
        stop_stack(home)


def test_requests_in_flight_are_answered_before_the_end(running: RunningStack) -> None:
    """Each call waits in the database for a lock that is let go of only once the stack is stopping."""
    with running.connect() as holder, running.connect() as watching:
        watching.execute(
            "create function public.wait_for_it() returns text language plpgsql as "
            "$$ begin perform pg_advisory_xact_lock_shared(4711); return 'answered'; end $$; "
            "grant execute on function public.wait_for_it() to service_role; notify pgrst, 'reload schema'"
        )
        headers = {"apikey": running.env["SECRET_KEY"]}
        address = f"{running.url}/rest/v1/rpc/wait_for_it"
        wait_until(lambda: httpx.post(address, headers=headers, json={}).status_code == 200)
        holder.execute("select pg_advisory_lock(4711)")
        waiting = "select count(*) from pg_locks where locktype = 'advisory' and not granted"

        def call(_: int) -> httpx.Response:
            return httpx.post(address, headers=headers, json={}, timeout=60)

        with ThreadPoolExecutor(IN_FLIGHT + 1) as pool:
            calls = [pool.submit(call, number) for number in range(IN_FLIGHT)]
            wait_until(lambda: watching.execute(waiting).fetchone() == (IN_FLIGHT,))
            stopping = pool.submit(muster, "down", "--home", str(running.home))
            wait_until(lambda: _refuses(running))
            holder.execute("select pg_advisory_unlock(4711)")
            answers = [call.result() for call in calls]
            assert stopping.result().returncode == 0
    assert [(answer.status_code, answer.json()) for answer in answers] == [(200, "answered")] * IN_FLIGHT


def _refuses(running: RunningStack) -> bool:
    """Whether no new request is taken any more."""
    try:
        httpx.get(f"{running.url}/healthz", timeout=2)
    except httpx.TransportError:
        return True
    return False
