"""Recorded exchanges from a folder outside the project (MUSTER_WIRE_CASES): rest*.jsonl and rest-fixtures/.

One server per file and configuration; a fresh copy of the database for each. Cases whose needs the machine lacks are
skipped. MUSTER_WIRE_POSTGRES names the bin folder of a PostgreSQL with PostGIS that is not the system's.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from emulator.db.binaries import Binaries, PostgresNotFound, binaries_in, system_binaries
from emulator.db.cluster import Cluster
from tests.contract.rest.replay import replay
from tests.contract.rest.server import rest_server
from tests.support.postgres import make_cluster
from tests.support.scratch import scratch_folder

FOLDER = os.environ.get("MUSTER_WIRE_CASES", "")
pytestmark = [
    pytest.mark.skipif(not FOLDER, reason="MUSTER_WIRE_CASES names no folder of recorded cases"),
    pytest.mark.slow,
]
USER = "Postgrest_Test_Authenticator"


def _groups() -> dict[str, list[dict[str, Any]]]:
    """The cases of every file, by file and configuration."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(Path(FOLDER).glob("rest*.jsonl")) if FOLDER else ():
        for line in path.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            groups.setdefault(f"{path.stem}: {case['group']}", []).append(case)
    return groups


@pytest.fixture(scope="module")
def wire_cluster() -> Iterator[tuple[Cluster, frozenset[str]]]:
    """A cluster with the fixtures loaded, and which extensions it lacks."""
    folder = scratch_folder("muster-wire-")
    cluster = make_cluster(
        folder,
        _system_with_postgis(),
        timezone="utc",
        search_path="public, test",
        autovacuum="off",
        shared_preload_libraries="pg_stat_statements",
        max_stack_depth="2MB",
    )
    try:
        yield cluster, _load(cluster, folder / "fixtures")
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def _system_with_postgis() -> Binaries | None:
    """The system's PostgreSQL if it has PostGIS, which some recorded cases need and the embedded one lacks."""
    named = os.environ.get("MUSTER_WIRE_POSTGRES")
    try:
        found = binaries_in(Path(named)) if named else system_binaries()
    except PostgresNotFound:
        return None
    command = [str(found.bin / "pg_config"), "--sharedir"]
    asked = subprocess.run(command, capture_output=True, text=True, check=False)
    has_postgis = (Path(asked.stdout.strip()) / "extension" / "postgis.control").exists()
    return found if asked.returncode == 0 and has_postgis else None


def _load(cluster: Cluster, fixtures: Path) -> frozenset[str]:
    """Load the fixtures and return what the recorded cases need and this PostgreSQL lacks."""
    shutil.copytree(Path(FOLDER) / "rest-fixtures", fixtures)
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        connection.execute("create role postgres superuser login password 'throw-away'")
        connection.execute(
            f"create role \"{USER}\" login noinherit nocreaterole nocreatedb password 'throw-away'".encode()
        )
        # The expected orders are those of the C locale.
        connection.execute("create database wire template template0 locale_provider libc locale 'C'")
        available = {name for (name,) in connection.execute("select name from pg_available_extensions")}
    command = [
        "psql",
        cluster.dsn("postgres", "wire"),
        "-q",
        "-v",
        "ON_ERROR_STOP=0",
        "-v",
        f"PGUSER={USER}",
        "-f",
        "load.sql",
    ]
    done = subprocess.run(command, cwd=fixtures, capture_output=True, text=True, check=False)
    with psycopg.connect(cluster.dsn(database="wire"), autocommit=True) as connection:
        loaded = connection.execute(
            "select count(*) from pg_class where relnamespace = 'test'::regnamespace"
        ).fetchone()
        assert loaded is not None
        assert loaded[0] > 300, done.stderr
        connection.execute("vacuum analyze")
        lacking = {"postgis"} - available
        try:
            connection.execute("load 'safeupdate'")
        except psycopg.Error:
            lacking.add("safeupdate")
    return frozenset(lacking)


@pytest.mark.parametrize("group", list(_groups()) or ["none"])
def test_recorded_cases_get_the_recorded_answers(group: str, wire_cluster: tuple[Cluster, frozenset[str]]) -> None:
    """Every case of one configuration; the failure names each that differs, and how."""
    cluster, lacking = wire_cluster
    cases = [case for case in _groups()[group] if not lacking.intersection(case["needs"])]
    if not cases:
        pytest.skip(f"every case of this group needs what this PostgreSQL lacks: {', '.join(sorted(lacking))}")
    name = "wire_copy"
    with psycopg.connect(cluster.dsn(database="template1"), autocommit=True) as connection:
        connection.execute(f"drop database if exists {name} with (force)".encode())
        connection.execute(f"create database {name} template wire".encode())
    env = {**cases[0]["config"], "PGRST_DB_URI": cluster.dsn(USER, name)}
    wrong: dict[str, list[str]] = {}
    with rest_server(env) as (port, _):
        for case in cases:
            found = replay(case, port, Path(FOLDER) / "rest-fixtures")
            if found:
                wrong[f"{case['id']} {' / '.join(case['path'])}"] = found
    if wrong:
        report = "\n".join(f"{name}\n  " + "\n  ".join(texts) for name, texts in wrong.items())
        pytest.fail(f"{len(wrong)} of {len(cases)} differ:\n{report}", pytrace=False)
