"""What only the real containers show: asked of a running docker-compose.yml, after `./muster up --stack containers`.

`MUSTER_CONTRACT_ENV=.env pytest tests/contract/containers/running.py`. The workflow runs this; a machine without Docker
has no part of it, so that the name keeps it out of every other run. The contract itself is tests/contract/wire, the
certificate of a public name .github/certificate.
"""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from email import message_from_string
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from emulator.db.migrations import list_migrations
from emulator.paths import CHECKOUT
from muster_cli.stack.variables import parse_env
from tests.support.compose import load_compose
from tests.support.patience import eventually
from tests.support.postgres import free_port
from tests.support.wire import Backend, from_env, named

ENV = parse_env((CHECKOUT / ".env").read_text("utf8"))
SERVICES: dict[str, dict[str, Any]] = load_compose(ENV)["services"]
SOCKETS = 200


def run(*command: str) -> str:
    """A command in the checkout; what it printed. Fails with its words."""
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


def compose(*arguments: str) -> str:
    """docker compose."""
    return run("docker", "compose", *arguments)


def psql(statement: str, user: str = "postgres") -> str:
    """A statement in the container of the database; its rows, unaligned."""
    return compose(
        "exec",
        "-T",
        "db",
        "psql",
        "-X",
        "-A",
        "-t",
        "-q",
        "-v",
        "ON_ERROR_STOP=1",
        "-h",
        "localhost",
        "-U",
        user,
        "-c",
        statement,
    )


def inspected() -> dict[str, dict[str, Any]]:
    """What Docker knows of each container, by service."""
    found = json.loads(run("docker", "inspect", *compose("ps", "--all", "--quiet").split()))
    return {one["Config"]["Labels"]["com.docker.compose.service"]: one for one in found}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    """The stack that runs."""
    with ExitStack() as stack:
        yield named(stack)


def test_realtime_has_migrated_and_seeded_its_tenant() -> None:
    tenant = SERVICES["realtime"]["environment"]["SELF_HOST_TENANT_NAME"]
    assert psql("select external_id from _realtime.tenants", "supabase_admin") == tenant
    assert psql("select to_regclass('realtime.messages') is not null") == "t"
    assert int(psql("select count(*) from pg_inherits where inhparent = 'realtime.messages'::regclass")) > 0


def test_postgrest_says_that_it_is_ready() -> None:
    compose("exec", "-T", "rest", "postgrest", "--ready")


def test_postgres_may_what_the_migrations_do() -> None:
    """The role is no member of supabase_auth_admin, so the image has to permit these."""
    psql(
        "begin;"
        " create function public.probe() returns trigger language plpgsql as 'begin return new; end';"
        " create trigger probe after insert on auth.users for each row execute function public.probe();"
        " delete from auth.users where false;"
        " create table public.probe_rows (id int primary key);"
        " alter publication supabase_realtime add table public.probe_rows;"
        " rollback"
    )


def test_every_migration_was_accepted() -> None:
    applied = psql("select version from supabase_migrations.schema_migrations order by version").split()
    assert applied == [migration.version for migration in list_migrations()]


def test_two_hundred_sockets_fit_into_the_limits(backend: Backend) -> None:
    url = f"{backend.socket}&vsn=1.0.0"
    beat = json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": "1"})

    async def one(opened: asyncio.Barrier) -> str:
        async with connect(url, open_timeout=60) as socket:
            await opened.wait()
            await socket.send(beat)
            answer: dict[str, Any] = json.loads(await socket.recv())
            return str(answer["payload"]["status"])

    async def all_of_them() -> list[str]:
        opened = asyncio.Barrier(SOCKETS)
        return await asyncio.gather(*(one(opened) for _ in range(SOCKETS)))

    assert asyncio.run(all_of_them()) == ["ok"] * SOCKETS
    for name, container in inspected().items():
        assert not container["State"]["OOMKilled"], name
        assert container["RestartCount"] == 0, name


@pytest.mark.parametrize("name", ["web", "functions"])
def test_what_serves_visitors_writes_nowhere(name: str) -> None:
    container = inspected()[name]
    assert container["HostConfig"]["ReadonlyRootfs"] is True
    assert container["State"]["Health"]["Status"] == "healthy"


def test_gotrue_sends_the_designed_mails(backend: Backend) -> None:
    """Its plain ones have no style; ours are fetched from the function email-template."""
    member = backend.member()
    answer = backend.ask("POST", "/auth/v1/recover", "ANON_KEY", json={"email": member.email})
    assert answer.status_code == 200, answer.text
    (raw,) = eventually(lambda: backend.mails(member.email) or None)
    mail = message_from_string(raw, policy=default)
    body = mail.get_body(("html",))
    assert body is not None
    assert mail["subject"] == SERVICES["auth"]["environment"]["GOTRUE_MAILER_SUBJECTS_RECOVERY"]
    assert "Muster" in body.get_content()


def test_a_dump_of_the_embedded_stack_brings_its_passwords(backend: Backend, tmp_path: Path) -> None:
    home, dump = str(tmp_path / "home"), str(tmp_path / "embedded.muster")
    run("./muster", "up", "--detach", "--no-web", "--no-seed", "--home", home, "--port", str(free_port()))
    try:
        member = from_env(parse_env(run("./muster", "status", "--env", "--home", home))).member()
        run("./muster", "db", "dump", "--home", home, dump)
    finally:
        run("./muster", "down", "--home", home)
    run("./muster", "db", "restore", "--stack", "containers", "--yes", dump)
    assert backend.sign_in(member.email).status_code == 200


def test_two_replicas_of_rest_answer_behind_the_gateway(backend: Backend) -> None:
    compose("up", "--detach", "--wait", "--scale", "rest=2")
    assert len(compose("ps", "--quiet", "rest").split()) == 2
    assert {backend.get("/rest/v1/articles?limit=1", "ANON_KEY").status_code for _ in range(20)} == {200}


def test_volumes_outlive_the_containers(backend: Backend) -> None:
    """An upgrade makes new containers on the old volumes, db-config with its key among them."""
    member = backend.member()
    compose("down")
    compose("up", "--detach", "--wait")
    assert backend.sign_in(member.email).status_code == 200
