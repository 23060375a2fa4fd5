"""A dump between two PostgreSQL servers, each with its own bootstrap: what goes in comes out, or nothing changes."""

import gzip
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import bcrypt
import psycopg
import pytest

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.db.migrations import apply_migrations
from emulator.schemas import migrate_services
from muster_cli.db import archive
from muster_cli.db.archive import ArchiveError, Manifest, dump, read_manifest, restore
from muster_cli.db.archive_files import ContainerLayout, EmbeddedLayout, StoredFile
from muster_product.database.seed import load_seed
from tests.support.postgres import Database, make_cluster
from tests.support.scratch import scratch_folder

PASSWORD = "hatch-lantern-quarry-17"


@pytest.fixture(scope="module")
def source(new_database: Callable[[], Database]) -> Database:
    """The demo community."""
    made = new_database()
    with psycopg.connect(made.dsn("supabase_admin"), autocommit=True) as connection:
        load_seed(connection, "dev", PASSWORD)
    return made


@pytest.fixture(scope="module")
def other_server() -> Iterator[Cluster]:
    """Another PostgreSQL, bootstrapped and migrated on its own."""
    folder = scratch_folder("muster-other-")
    made = make_cluster(folder)
    try:
        with psycopg.connect(made.dsn(), autocommit=True) as connection:
            apply_bootstrap(connection, made.password)
            migrate_services(connection)
        with psycopg.connect(made.dsn("postgres"), autocommit=True) as connection:
            apply_migrations(connection)
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder)


@pytest.fixture(scope="module")
def dumped(source: Database, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("dump") / "backup.muster"
    with psycopg.connect(source.dsn(), autocommit=True) as connection:
        dump(connection, file)
    return file


def contents(dsn: str) -> dict[str, Any]:
    """Every table's rows as text, sorted, and every sequence: what must be equal."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        tables = connection.execute(archive._TABLES, (list(archive.SCHEMAS),)).fetchall()
        found: dict[str, Any] = {}
        for schema, name, columns in tables:
            if schema == "auth" and name in archive.PASSING:
                continue
            listed = ", ".join(f'"{column}"' for column in sorted(columns))
            query = f'select row({listed})::text from "{schema}"."{name}" order by 1'
            found[f"{schema}.{name}"] = [row[0] for row in connection.execute(query.encode())]
        for schema, name in connection.execute(archive._SEQUENCES, (list(archive.SCHEMAS),)).fetchall():
            query = f'select last_value, is_called from "{schema}"."{name}"'
            found[f"{schema}.{name}"] = connection.execute(query.encode()).fetchone()
        return found


def test_it_goes_over_to_another_server_and_back(
    source: Database, other_server: Cluster, dumped: Path, tmp_path: Path, new_database: Callable[[], Database]
) -> None:
    wanted = contents(source.dsn())
    assert len(wanted["auth.users"]) > 10
    assert len(wanted["public.posts"]) > 10
    with psycopg.connect(other_server.dsn(), autocommit=True) as connection:
        restore(connection, dumped)
    assert contents(other_server.dsn("postgres")) == wanted

    back = tmp_path / "back.muster"
    with psycopg.connect(other_server.dsn("postgres"), autocommit=True) as connection:
        dump(connection, back)
    home = new_database()
    with psycopg.connect(home.dsn("supabase_admin"), autocommit=True) as connection:
        restore(connection, back)
        known = connection.execute(
            "select encrypted_password from auth.users where email = 'dana@muster.test'"
        ).fetchone()
    assert contents(home.dsn()) == wanted
    assert known is not None
    assert bcrypt.checkpw(PASSWORD.encode(), known[0].encode())


def test_sessions_stay_behind_and_end(dumped: Path, new_database: Callable[[], Database]) -> None:
    target = new_database()
    with psycopg.connect(target.dsn("supabase_admin"), autocommit=True) as connection:
        load_seed(connection, "dev", PASSWORD)
        connection.execute(
            "insert into auth.sessions (id, user_id) select gen_random_uuid(), id from auth.users limit 1"
        )
        restore(connection, dumped)
        assert connection.execute("select count(*) from auth.sessions").fetchone() == (0,)
    assert not {f"{table.schema}.{table.name}" for table in read_manifest(dumped).tables} & {
        "auth.sessions", "auth.refresh_tokens", "auth.one_time_tokens",
    }  # fmt: skip


def test_triggers_do_not_run_again(source: Database, dumped: Path, new_database: Callable[[], Database]) -> None:
    """No second profile for an account, no new notices, no changed time stamps: rows come as they went."""
    target = new_database()
    with psycopg.connect(target.dsn("supabase_admin"), autocommit=True) as connection:
        restore(connection, dumped)
        restore(connection, dumped)
    assert contents(target.dsn()) == contents(source.dsn())


def test_the_text_of_a_row_may_be_anything(new_database: Callable[[], Database], tmp_path: Path) -> None:
    hostile = 'tab\t, line\n, \\N, \\., quote", \U0001f692, ' + "x" * 3000
    one, two, file = new_database(), new_database(), tmp_path / "x.muster"
    with psycopg.connect(one.dsn("supabase_admin"), autocommit=True) as connection:
        connection.execute("insert into public.feedback (content, category) values (%s, 'bug')", (hostile,))
        dump(connection, file)
    with psycopg.connect(two.dsn("supabase_admin"), autocommit=True) as connection:
        restore(connection, file)
        assert connection.execute("select content from public.feedback").fetchone() == (hostile,)


@pytest.mark.parametrize("keep", [0, 10, 2000, -2000])
def test_a_damaged_file_changes_nothing(source: Database, dumped: Path, tmp_path: Path, keep: int) -> None:
    broken = tmp_path / "broken.muster"
    broken.write_bytes(dumped.read_bytes()[:keep])
    unchanged(source, broken, "damaged")


def test_changed_rows_are_noticed(source: Database, dumped: Path, tmp_path: Path) -> None:
    broken = tmp_path / "changed.muster"
    text = gzip.decompress(dumped.read_bytes())
    assert b"dana@muster.test" in text
    broken.write_bytes(gzip.compress(text.replace(b"dana@muster.test", b"evil@muster.test")))
    unchanged(source, broken, "damaged")


@pytest.mark.parametrize(
    ("migrations", "says"),
    [
        pytest.param(lambda known: [*known, "20990101000000"], "20990101000000; apply them first", id="newer"),
        pytest.param(lambda known: known[:-1], "with the version that made it", id="older"),
    ],
)
def test_a_dump_of_another_version_is_refused(
    source: Database,
    dumped: Path,
    monkeypatch: pytest.MonkeyPatch,
    migrations: Callable[[list[str]], list[str]],
    says: str,
) -> None:
    manifest = read_manifest(dumped)
    changed = replace(manifest, migrations=migrations(manifest.migrations))
    monkeypatch.setattr(archive, "read_manifest", lambda _: changed)
    unchanged(source, dumped, says)


def test_a_dump_of_newer_services_is_refused(source: Database, dumped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = read_manifest(dumped)
    tables = [
        replace(table, columns=[*table.columns, "invented"]) if table.name == "users" else table
        for table in manifest.tables
    ]
    monkeypatch.setattr(archive, "read_manifest", lambda _: replace(manifest, tables=tables))
    unchanged(source, dumped, "auth.users has no invented")


def unchanged(database: Database, file: Path, says: str) -> None:
    """A restore is refused with these words, and the database is as it was."""
    before = contents(database.dsn())
    connecting = psycopg.connect(database.dsn("supabase_admin"), autocommit=True)
    with connecting as connection, pytest.raises(ArchiveError, match=says):
        restore(connection, file)
    assert contents(database.dsn()) == before


def test_a_dump_that_fails_leaves_no_file(source: Database, tmp_path: Path) -> None:
    def interrupted(_: float | None) -> None:
        raise KeyboardInterrupt

    with psycopg.connect(source.dsn(), autocommit=True) as connection, pytest.raises(KeyboardInterrupt):
        dump(connection, tmp_path / "x.muster", interrupted)
    assert list(tmp_path.iterdir()) == []


def test_the_manifest_is_what_was_written(dumped: Path) -> None:
    manifest = read_manifest(dumped)
    assert isinstance(manifest, Manifest)
    assert manifest.rows == sum(table.rows for table in manifest.tables) > 100
    assert manifest.migrations == sorted(manifest.migrations)


VERSION, REMOVED = "ab0d2f4e-0000-4000-8000-000000000001", "ab0d2f4e-0000-4000-8000-000000000002"


def test_files_come_along_with_their_rows(new_database: Callable[[], Database], tmp_path: Path) -> None:
    """From the embedded stack's folder into the containers' volume, and back."""
    here, volume, back = tmp_path / "here", tmp_path / "volume", tmp_path / "back"
    first, second = tmp_path / "first.muster", tmp_path / "second.muster"
    (here / "objects" / "ab").mkdir(parents=True)
    (here / "objects" / "ab" / VERSION).write_bytes(b"a picture")
    volume.mkdir()
    made, other, third = new_database(), new_database(), new_database()
    with psycopg.connect(made.dsn("supabase_storage_admin"), autocommit=True) as connection:
        connection.execute("insert into storage.buckets (id, name) values ('pictures', 'pictures')")
        for name, version in (("a//kept.png", VERSION), ("removed while the dump runs", REMOVED)):
            connection.execute(
                "insert into storage.objects (bucket_id, name, version, metadata) values ('pictures', %s, %s, %s)",
                (name, version, '{"mimetype": "image/png", "cacheControl": "max-age=5"}'),
            )
    with psycopg.connect(made.dsn(), autocommit=True) as connection:
        dump(connection, first, files=EmbeddedLayout(here))
    query = "select bucket_id, name, version from storage.objects"
    rows = [("pictures", "a//kept.png", VERSION)]
    with psycopg.connect(other.dsn("supabase_admin"), autocommit=True) as connection:
        restore(connection, first, files=ContainerLayout(volume))
        assert connection.execute(query).fetchall() == rows
        dump(connection, second, files=ContainerLayout(volume))
    kept = volume / "stub" / "stub" / "pictures" / "a" / "kept.png" / VERSION
    assert [path for path in volume.rglob("*") if path.is_file()] == [kept]
    attributes = {name: os.getxattr(kept, name) for name in os.listxattr(kept) if name.startswith("user.supabase")}
    assert attributes == {"user.supabase.content-type": b"image/png", "user.supabase.cache-control": b"max-age=5"}
    assert (kept.read_bytes(), kept.stat().st_mode & 0o777) == (b"a picture", 0o644)
    with psycopg.connect(third.dsn("supabase_admin"), autocommit=True) as connection:
        restore(connection, second)
        assert connection.execute(query).fetchall() == []
        restore(connection, second, files=EmbeddedLayout(back))
        assert connection.execute(query).fetchall() == rows
    assert (back / "objects" / "ab" / VERSION).read_bytes() == b"a picture"
    assert list((back / "writing").iterdir()) == []


@pytest.mark.parametrize("name", ["../up", "a/./b", "a/..", "nul\0", "a\\..\\b"])
def test_no_name_leads_out_of_the_volume(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="can't be a path"):
        ContainerLayout(tmp_path).path(StoredFile(VERSION, "b", name, "", ""))
    with pytest.raises(ValueError, match="hexadecimal"):
        ContainerLayout(tmp_path).path(StoredFile("../version", "b", "a", "", ""))
