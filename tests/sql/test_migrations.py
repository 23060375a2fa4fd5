"""One set of migrations for the emulator, the containers and hosted Supabase: the official CLI applies it unchanged."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from emulator.db.cluster import Cluster
from emulator.db.migrations import UnknownMigrationsError, applied_versions, apply_migrations, list_migrations
from emulator.paths import CHECKOUT
from emulator.realtime.postgres_changes.visibility_queries import CREATE_FUNCTIONS
from muster_cli.output import UserError
from muster_cli.stack.database import prepare_database
from tests.support.postgres import Database, create_database, drop_database
from tests.support.shape import shape

TOOLS = CHECKOUT / "supabase" / "tools" / "cli"
CLI = Path(os.environ.get("MUSTER_SUPABASE_CLI", TOOLS / "node_modules" / ".bin" / "supabase"))

Supabase = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def supabase(tmp_path: Path) -> Supabase:
    """Run the official CLI in a fresh clone: a folder with the files of supabase/ that git has, as git has them."""
    if not CLI.exists():
        pytest.fail(f"the official Supabase CLI is not at {CLI}: npm ci --prefix {TOOLS}")
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "supabase"]
    names = subprocess.run(listed, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (CHECKOUT / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(CHECKOUT / name, tmp_path / name, follow_symlinks=False)

    def run(database: Database, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "HOME": str(tmp_path),
            "PGSSLMODE": "disable",
            "SUPABASE_TELEMETRY_DISABLED": "1",
            "DO_NOT_TRACK": "1",
        }
        command = [str(CLI), "--agent", "no", "--workdir", str(tmp_path), *arguments]
        return subprocess.run(
            [*command, f"--remote={database.url('postgres')}"],
            capture_output=True, text=True, env=environment, check=False, timeout=120,
        )  # fmt: skip

    return run


@pytest.fixture
def bootstrapped(cluster: Cluster, platform: Database) -> Iterator[Database]:
    """A database in the initial state of the image."""
    made = create_database(cluster, platform.name)
    yield made
    drop_database(made)


def shape_of(database: Database) -> dict[str, list[str]]:
    """Everything that the migrations define."""
    with psycopg.connect(database.dsn("supabase_admin")) as connection:
        return shape(connection)


def history_of(database: Database) -> list[tuple[object, ...]]:
    """What is recorded of every migration, its statements included."""
    query = "select version, name, statements from supabase_migrations.schema_migrations order by version"
    with psycopg.connect(database.dsn()) as connection:
        return connection.execute(query).fetchall()


@pytest.mark.slow
def test_official_cli_pushes_the_same_database(supabase: Supabase, bootstrapped: Database, database: Database) -> None:
    """`supabase db push` into an empty database gives the schema of our own migrator, and both share one history."""
    pushed = supabase(bootstrapped, "db", "push", "--yes")
    assert pushed.returncode == 0, pushed.stderr
    assert shape_of(bootstrapped) == shape_of(database)
    assert history_of(bootstrapped) == history_of(database)

    listed = supabase(bootstrapped, "migration", "list")
    assert listed.returncode == 0, listed.stderr
    in_step = re.findall(r"`?(\d{14})`?\s*\|\s*`?(\d{14})`?", listed.stdout)
    assert in_step == [(migration.version, migration.version) for migration in list_migrations()]

    with psycopg.connect(bootstrapped.dsn(), autocommit=True) as connection:
        assert apply_migrations(connection) == []


@pytest.mark.slow
def test_official_cli_applies_one_migration_after_the_other(supabase: Supabase, bootstrapped: Database) -> None:
    """`supabase migration up` does what `db push` does, and a second run has nothing to do."""
    for _ in range(2):
        done = supabase(bootstrapped, "migration", "up", "--yes")
        assert done.returncode == 0, done.stderr
    with psycopg.connect(bootstrapped.dsn(), autocommit=True) as connection:
        assert applied_versions(connection) == {migration.version for migration in list_migrations()}


@pytest.mark.slow
def test_official_cli_takes_over_from_our_migrator(supabase: Supabase, database: Database) -> None:
    """After our migrator the CLI has nothing to push; its list is that of the test above, whose history is the same."""
    pushed = supabase(database, "db", "push", "--yes")
    assert pushed.returncode == 0, pushed.stderr
    assert "up to date" in (pushed.stdout + pushed.stderr).lower()


@pytest.mark.slow
def test_official_advisors_find_nothing(supabase: Supabase, database: Database) -> None:
    """`supabase db advisors --fail-on info`: no finding of security or performance, and it would find one.

    Also while Realtime is at work, which keeps functions of its own in its session.
    """
    with psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as realtime:
        for function in CREATE_FUNCTIONS:
            realtime.execute(function.encode())
        clean = supabase(database, "db", "advisors", "--fail-on", "info", "--output-format", "json")
    assert clean.returncode == 0, clean.stdout + clean.stderr
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        connection.execute("create table public.canary (id integer primary key)")
        connection.execute("grant select on public.canary to anon")
    warned = supabase(database, "db", "advisors", "--fail-on", "info", "--output-format", "json")
    assert warned.returncode != 0
    assert "rls_disabled_in_public" in json.dumps(warned.stdout)


def test_migrations_need_no_superuser_and_no_psql() -> None:
    """One file is one transaction of `postgres`: no transaction statements, no backslash commands."""
    for migration in list_migrations():
        text = migration.path.read_text("utf8")
        assert not re.search(r"^\s*(begin|commit|rollback)\s*;", text, re.MULTILINE | re.IGNORECASE), migration.name
        assert not re.search(r"^\\", text, re.MULTILINE), migration.name
        assert not re.search(r"\b(concurrently|vacuum)\b", text, re.IGNORECASE), migration.name
        assert text.startswith("-- "), f"{migration.name} does not say what it is for"


def test_accounts_made_before_the_migrations_get_profiles(bootstrapped: Database) -> None:
    """§3.1: accounts created before the migrations get a profile each."""
    with psycopg.connect(bootstrapped.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute("insert into auth.users (id, email) values (gen_random_uuid(), 'early@members.test')")
    with psycopg.connect(bootstrapped.dsn(), autocommit=True) as connection:
        apply_migrations(connection)
        assert connection.execute("select email from public.profiles").fetchall() == [("early@members.test",)]


def test_a_database_of_another_version_is_left_alone(database: Database, tmp_path: Path) -> None:
    """Versions on record without a file: nothing is applied, and one line says why."""
    (tmp_path / "20260101000000_create_it.sql").write_text("-- It.\ncreate table public.it ();\n")
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        with pytest.raises(UnknownMigrationsError, match=r"no files for \(20260401000000 and \d+ more\)$"):
            apply_migrations(connection, tmp_path)
        assert connection.execute("select to_regclass('public.it')").fetchone() == (None,)


def test_up_on_a_database_of_another_version_says_so_in_a_line(database: Database) -> None:
    """`muster up` says in one line what is wrong and what to do, and changes nothing."""
    with psycopg.connect(database.dsn(), autocommit=True) as connection:
        ledger = "supabase_migrations.schema_migrations"
        connection.execute(f"update {ledger} set version = '20260105090000' where version = '20260401000000'")
    superuser, password = database.dsn("supabase_admin"), database.cluster.password
    with pytest.raises(UserError, match=r"\(20260105090000\): run the version that made it, or start over") as caught:
        prepare_database(superuser, database.dsn(), password, None)
    assert "\n" not in str(caught.value)
