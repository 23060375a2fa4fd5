"""The stack's life as people live it: up, status, down, a port in use, a kill -9, a second stack beside the first."""

import json
import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import psycopg
import pytest

from emulator.processes import is_alive
from tests.support.postgres import free_port
from tests.support.stack import RunningStack, answers, kill_hard, muster, start_stack, stop_stack, wait_until
from tests.support.stack_template import FillHome


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome) -> Iterator[RunningStack]:
    home = tmp_path_factory.mktemp("a stack's home")
    try:
        fill_home(home)
        yield start_stack(home, free_port(), "--no-web")
    finally:
        stop_stack(home)


def test_it_answers_on_one_origin(running: RunningStack) -> None:
    assert answers(f"{running.url}/healthz")
    for path in ("/rest/v1/posts", "/auth/v1/health"):
        assert httpx.get(running.url + path, headers={"apikey": running.env["PUBLISHABLE_KEY"]}).status_code == 200


def test_without_a_key_the_api_is_closed(running: RunningStack) -> None:
    assert httpx.get(f"{running.url}/rest/v1/posts").status_code == 401


def test_status_env_prints_the_official_names(running: RunningStack) -> None:
    wanted = {
        "API_URL", "DB_URL", "ANON_KEY", "SERVICE_ROLE_KEY", "PUBLISHABLE_KEY", "SECRET_KEY", "JWT_SECRET",
        "MAILPIT_URL", "DEMO_ADMIN_EMAIL", "DEMO_MEMBER_EMAIL", "DEMO_PASSWORD",
    }  # fmt: skip
    assert wanted <= running.env.keys()
    with psycopg.connect(running.env["DB_URL"]) as connection:
        assert connection.execute("select current_user").fetchone() == ("postgres",)


def test_status_json_is_one_document(running: RunningStack) -> None:
    said = json.loads(muster("status", "--home", str(running.home), "--json").stdout)
    assert (said["running"], said["healthy"], said["port"]) == (True, True, running.port)


def test_a_second_up_of_the_same_home_is_one_line(running: RunningStack) -> None:
    refused = muster("up", "--no-web", "--home", str(running.home), "--port", str(free_port()))
    assert refused.returncode == 1
    assert "already running" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_port_in_use_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused = muster("up", "--no-web", "--home", str(tmp_path), "--port", str(port))
    assert refused.returncode == 1
    assert refused.stderr.strip().splitlines() == [
        f"muster: port {port} is in use by another program: stop it, or choose another port with --port"
    ]


def test_a_stack_that_is_down_says_so(tmp_path: Path) -> None:
    asked = muster("status", "--home", str(tmp_path), "--json")
    assert asked.returncode == 3
    assert json.loads(asked.stdout)["running"] is False
    assert muster("status", "--home", str(tmp_path), "--env").stdout == ""


def test_the_keys_are_nobody_elses(running: RunningStack) -> None:
    assert stat.S_IMODE((running.home / "secrets.json").stat().st_mode) == 0o600
    assert stat.S_IMODE(running.home.stat().st_mode) & 0o077 == 0


def test_postgresql_asks_for_a_password_even_here(running: RunningStack) -> None:
    with psycopg.connect(running.env["DB_URL"]) as connection:
        sockets = connection.execute("show unix_socket_directories").fetchone()
        assert connection.execute("show listen_addresses").fetchone() == ("127.0.0.1",)
    assert sockets is not None
    folder = sockets[0].strip('"')
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    port = psycopg.conninfo.conninfo_to_dict(running.env["DB_URL"])["port"]
    for user in ("postgres", "supabase_admin", "authenticator"):
        with pytest.raises(psycopg.OperationalError, match="password"):
            psycopg.connect(psycopg.conninfo.make_conninfo(host=folder, port=port, user=user, dbname="postgres"))


def test_a_refused_statement_is_not_written_to_the_log(running: RunningStack) -> None:
    """A client may make it as long as it likes; the message says enough."""
    log = running.home / "logs" / "postgres.log"
    before = log.stat().st_size
    with psycopg.connect(running.env["DB_URL"]) as connection, pytest.raises(psycopg.errors.DivisionByZero):
        connection.execute(f"select 1 / 0 -- {'x' * 50_000}".encode())
    wait_until(lambda: "division by zero" in log.read_text("utf8", "replace")[before:])
    assert log.stat().st_size - before < 2_000


@pytest.mark.skipif(sys.platform != "linux", reason="syncfs is Linux's")
def test_a_recovery_syncs_the_disk_at_once(running: RunningStack) -> None:
    with running.connect() as connection:
        assert connection.execute("show recovery_init_sync_method").fetchone() == ("syncfs",)


def test_a_data_folder_of_another_major_version_is_one_line(tmp_path: Path) -> None:
    home = tmp_path / "old"
    data = tmp_path / "lies-here" / "data"
    data.mkdir(parents=True)
    for folder in (tmp_path, data.parent):
        folder.chmod(0o755)
    (data / "PG_VERSION").write_text("14\n")
    home.mkdir()
    (home / "postgres-lies-in").write_text(str(data.parent))
    if os.geteuid() != 0:
        (home / "postgres").symlink_to(data.parent)
    refused = muster("up", "--no-web", "--home", str(home), "--port", str(free_port()))
    assert refused.returncode == 1
    assert "belongs to PostgreSQL 14" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("version", "want"),
    [
        pytest.param("v18.19.0", "Node.js v18.19.0 is too old", id="too-old"),
        pytest.param(None, "Node.js is not on the PATH", id="none"),
    ],
)
def test_without_a_usable_node_is_one_line(tmp_path: Path, version: str | None, want: str) -> None:
    """What a first start says, when nothing of npm's is installed yet."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("node", "npm") if version else ():
        (programs / name).write_text(f"#!/bin/sh\necho {version}\n")
        (programs / name).chmod(0o755)
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "package-lock.json").write_text('{"packages": {}}')
    script = "import pathlib, sys; from muster_cli.stack.install import ensure_packages; from muster_cli.output import UserError\ntry: ensure_packages(pathlib.Path(sys.argv[1]), 'Packages')\nexcept UserError as error: print(error)"  # noqa: E501
    done = subprocess.run(
        [sys.executable, "-c", script, packages],
        capture_output=True,
        text=True,
        env={"PATH": str(programs)},
        check=True,
    )
    assert want in done.stdout
    assert "install Node.js 20.19 or newer" in done.stdout


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount the small file system that is filled here")
def test_a_full_disk_is_one_line() -> None:
    small = Path(tempfile.mkdtemp(prefix="muster-small-", dir="/tmp"))  # PostgreSQL's own user can walk there
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m,mode=755", "tmpfs", small], check=False)
    if mounted.returncode != 0:
        small.rmdir()
        pytest.skip("mounting is not allowed here (a container without CAP_SYS_ADMIN)")
    try:
        home = small / "home"
        home.mkdir()
        (home / "postgres-lies-in").write_text(str(small))
        refused = muster("up", "--no-web", "--home", str(home), "--port", str(free_port()))
    finally:
        subprocess.run(["umount", small], check=True)
        small.rmdir()
    assert refused.returncode == 1
    assert "the disk is full" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_nothing_is_lost_when_everything_is_killed(running: RunningStack) -> None:
    """kill -9 of the services, and of PostgreSQL, each followed by up."""
    with running.connect() as connection:
        connection.execute("create table if not exists public.kept (what text)")
        connection.execute("insert into public.kept values ('before')")
    kill_hard(running.pid)
    start_stack(running.home, running.port, "--no-web")
    postgres = _postmaster(running)
    kill_hard(postgres)
    wait_until(lambda: _rows(running) == 1, 30)
    assert _postmaster(running) != postgres
    kill_hard(_postmaster(running))
    kill_hard(running.pid)
    start_stack(running.home, running.port, "--no-web")
    assert _rows(running) == 1
    with running.connect() as connection:
        connection.execute("drop table public.kept")


def _rows(running: RunningStack) -> int | None:
    try:
        with psycopg.connect(running.env["DB_URL"], connect_timeout=2) as connection:
            row = connection.execute("select count(*) from public.kept").fetchone()
            return row[0] if row else None
    except psycopg.OperationalError:
        return None


def _postmaster(running: RunningStack) -> int:
    note = running.home / "postgres-lies-in"
    folder = Path(note.read_text().strip()) if note.exists() else running.home / "postgres"
    return int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])


def test_down_ends_what_a_killed_stack_left_behind(running: RunningStack) -> None:
    orphan = _postmaster(running)
    kill_hard(running.pid)
    assert is_alive(orphan)
    left = json.loads(muster("doctor", "--home", str(running.home), "--json").stdout)
    assert [finding["level"] for finding in left if finding["what"] == "Data"] == ["warning"]
    ended = muster("down", "--home", str(running.home))
    assert (ended.returncode, ended.stderr.strip()) == (0, "Stopped.")
    assert not is_alive(orphan)
    start_stack(running.home, running.port, "--no-web")


def test_down_and_up_again_at_once(running: RunningStack) -> None:
    """`down` comes back only when everything has stopped, so that `up` may follow in the same line."""
    assert muster("down", "--home", str(running.home)).returncode == 0
    again = start_stack(running.home, running.port, "--no-web")
    assert again.env == running.env


def test_other_secrets_than_the_datas_are_one_line(tmp_path: Path, fill_home: FillHome) -> None:
    home = tmp_path / "h"
    try:
        fill_home(home)
        start_stack(home, free_port(), "--no-web", "--no-seed")
        muster("down", "--home", str(home))
        (home / "secrets.json").unlink()
        refused = muster("up", "--no-web", "--home", str(home), "--port", str(free_port()))
        assert refused.returncode == 1
        assert "refuses the password in secrets.json" in refused.stderr
        assert "Traceback" not in refused.stderr
    finally:
        stop_stack(home)


def test_two_stacks_live_side_by_side(running: RunningStack, tmp_path: Path) -> None:
    home = tmp_path / "second"
    try:
        second = start_stack(home, free_port(), "--no-web", "--no-seed")
        assert answers(f"{second.url}/healthz")
        assert answers(f"{running.url}/healthz")
        assert second.env["JWT_SECRET"] != running.env["JWT_SECRET"]
        assert second.env["DB_URL"] != running.env["DB_URL"]
        with second.connect() as connection:
            assert connection.execute("select count(*) from auth.users").fetchone() == (0,)
    finally:
        stop_stack(home)
    assert answers(f"{running.url}/healthz")
