"""What `status --env` names is there: no mailbox where none is, no demo accounts where none were loaded."""

from pathlib import Path

import pytest

from muster_cli.commands.status import environment
from muster_cli.project.find import Project
from muster_cli.stack.home import Home, RunState
from muster_cli.stack.options import Options
from muster_cli.stack.postgres import FIRST_FREE_PORT, reserved_database_port
from muster_cli.stack.secrets import generate


def state(*, has_mailbox: bool, local_url: str = "") -> RunState:
    return RunState(
        1, 8080, 8081, 8084, "https://muster.example", "embedded", "2026-01-01T00:00:00+00:00",
        has_mailbox=has_mailbox, local_url=local_url,
    )  # fmt: skip


def test_a_stack_with_a_mail_server_has_no_mailbox() -> None:
    named = environment(state(has_mailbox=False), generate(0), has_seed=False)
    assert not {name for name in named if name.startswith(("MAILPIT", "INBUCKET", "DEMO"))}
    assert named["API_URL"] == "https://muster.example"


def test_the_mailbox_and_the_demo_are_named_where_they_are() -> None:
    named = environment(state(has_mailbox=True, local_url="http://[::1]:8080"), generate(0), has_seed=True)
    assert named["MAILPIT_URL"] == "http://[::1]:8080/mail"
    assert "DEMO_PASSWORD" in named


@pytest.mark.parametrize("port", [80, 443])
def test_the_database_takes_no_port_of_roots(port: int, tmp_path: Path) -> None:
    with reserved_database_port(Options(Home(tmp_path), Project(tmp_path), port=port)) as chosen:
        assert chosen >= FIRST_FREE_PORT
