"""The pytest plugin of the wheel: `muster_branch`, a branch of a running stack for each test. docs/testing-pytest.md.

Safe and fast under xdist: every branch has a name of its own, and the stack makes copies in advance.
"""

import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from muster_cli.output import UserError
from muster_cli.stack.control import ask
from muster_cli.stack.home import Home, find_home


@dataclass(frozen=True)
class MusterBranch:
    """A stack of a test's own. The keys are those of the stack."""

    name: str
    url: str
    site_url: str
    mail_url: str
    database_url: str = field(repr=False)
    anon_key: str = field(repr=False)
    service_role_key: str = field(repr=False)
    publishable_key: str = field(repr=False)
    secret_key: str = field(repr=False)
    home: Home

    def reset(self) -> None:
        """Make it again from what it was made from."""
        self._ask("POST", "/reset")

    def settle(self, timeout_s: float = 10.0) -> None:
        """Wait until mails, row changes, requests of pg_net and cron jobs are done; fail when they are not."""
        self._ask("POST", "/settle", timeout_s=timeout_s)

    def expect_mail(self, to: str = "", query: str = "", timeout_s: float = 10.0) -> dict[str, Any]:
        """Wait for a mail to an address with all words of `query`; the newest that fits. Fail when none comes."""
        wanted = urlencode({"to": to, "query": query, "timeout_s": timeout_s})
        found: list[dict[str, Any]] = self._ask("GET", f"/mails?{wanted}")["messages"]
        if not found:
            pytest.fail(f"no mail to {to or 'anybody'} came within {timeout_s:g} s", pytrace=False)
        return found[0]

    def turn_clock(self, **how: Any) -> None:
        """Turn the clock of auth and REST: `set` (an ISO time), `advance_s`, `stop=True`, `go=True`."""
        self._ask("POST", "/clock", **how)

    def add_fault(self, **fault: Any) -> None:
        """Let the `nth` request that matches `path` and `method` meet `delay_ms`, `status` and `body`, or `drop`."""
        self._ask("POST", "/faults", **fault)

    def clear_faults(self) -> None:
        """Cause none any more."""
        self._ask("DELETE", "/faults")

    def delete(self) -> None:
        """Delete it."""
        self._ask("DELETE", "")

    def _ask(self, method: str, path: str, **body: Any) -> dict[str, Any]:
        return _ask(self.home, method, f"/branches/{self.name}{path}", body)


MakeBranch = Callable[..., MusterBranch]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Name the stack."""
    described = "State folder of the running Muster stack (default: MUSTER_HOME, or the project's)"
    parser.addoption("--muster-home", default=None, help=described)


@pytest.fixture(scope="session")
def muster_home(request: pytest.FixtureRequest) -> Home:
    """The home of the running stack."""
    chosen = request.config.getoption("--muster-home") or os.environ.get("MUSTER_HOME")
    try:
        return find_home(Path(chosen) if chosen else None)
    except UserError as error:
        pytest.fail(f"muster: {error}", pytrace=False)


@pytest.fixture
def make_muster_branch(muster_home: Home) -> Iterator[MakeBranch]:
    """A function that makes branches, as `muster branch create --from`; all are deleted after the test."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "t")
    keys = muster_home.secrets()
    with ExitStack() as stack:

        def make(source: str | None = None) -> MusterBranch:
            body = {"name": f"{worker}-{secrets.token_hex(6)}", "from": source}
            made = _ask(muster_home, "POST", "/branches", body)
            addresses = {name: made[name] for name in ("name", "url", "site_url", "mail_url", "database_url")}
            branch = MusterBranch(
                **addresses, anon_key=keys.anon_key, service_role_key=keys.service_role_key,
                publishable_key=keys.publishable_key, secret_key=keys.secret_key, home=muster_home,
            )  # fmt: skip
            stack.callback(branch.delete)
            return branch

        yield make


@pytest.fixture
def muster_branch(make_muster_branch: MakeBranch) -> MusterBranch:
    """A new branch: the project's migrations, seeds and buckets, and nothing else."""
    return make_muster_branch()


def _ask(home: Home, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    try:
        return ask(home, method, path, body)
    except UserError as error:
        pytest.fail(f"muster: {error}", pytrace=False)
