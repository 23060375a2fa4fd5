"""Several processes behind one port: all serve the same, one that ends is replaced, none outlives the stack."""

import re
import subprocess
from collections.abc import Iterator

import httpx
import pytest

from tests.support.patience import PATIENCE_S
from tests.support.postgres import free_port
from tests.support.stack import RunningStack, kill_hard, start_stack, stop_stack, wait_until
from tests.support.stack_template import FillHome


@pytest.fixture
def running(tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome) -> Iterator[RunningStack]:
    home = tmp_path_factory.mktemp("workers")
    try:
        fill_home(home)
        yield start_stack(home, free_port(), "--no-web", "--no-seed", "--workers", "2")
    finally:
        stop_stack(home)


def workers_of(parent: int) -> list[int]:
    """The process numbers of a stack's other processes."""
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    return [int(pid) for pid, ppid, args in rows if int(ppid) == parent and args.endswith("-m emulator")]


def test_workers_serve_are_replaced_and_never_outlive_the_stack(running: RunningStack) -> None:
    parent = running.pid
    (first,) = workers_of(parent)
    for _ in range(20):  # whoever accepts: each knows the mailbox
        with httpx.Client(timeout=PATIENCE_S) as fresh:
            assert fresh.get(f"{running.url}/mail/api/messages").json() == {"total": 0, "messages": []}

    # Each question is answered, and so counted, by whoever is first to accept.
    wait_until(lambda: _counted(running) == {f"{parent}", f"{first}"})

    kill_hard(first)
    wait_until(lambda: workers_of(parent) not in ([], [first]))
    (second,) = workers_of(parent)
    wait_until(lambda: _counted(running) == {f"{parent}", f"{second}"})
    kill_hard(parent)
    wait_until(lambda: not _lives(second))
    again = start_stack(running.home, running.port, "--no-web", "--no-seed")
    assert httpx.get(f"{again.url}/healthz").status_code == 200


def _counted(running: RunningStack) -> set[str]:
    """Whose numbers one scrape tells, whichever process answers it."""
    with httpx.Client(timeout=PATIENCE_S) as fresh:
        key = {"Authorization": f"Bearer {running.env['SECRET_KEY']}"}
        text = fresh.get(f"{running.url}/metrics", headers=key).text
    return set(re.findall(r'^process_start_time_seconds{process="(\d+)"}', text, re.MULTILINE))


def _lives(pid: int) -> bool:
    return subprocess.run(["ps", "-p", str(pid)], capture_output=True, check=False).returncode == 0
