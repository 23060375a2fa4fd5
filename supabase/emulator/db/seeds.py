"""Seed files: which ones a project names, in which order, and the hashes by which the official CLI knows them."""

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import psycopg

from emulator.db.script import PLAIN, ScriptOptions, Warn, read_script, run_script

_LEDGER = """
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.seed_files (path text not null primary key, hash text not null);
"""
_UPSERT = """
insert into supabase_migrations.seed_files (path, hash) values (%s, %s)
on conflict (path) do update set hash = excluded.hash
"""


@dataclass(frozen=True)
class SeedFile:
    """One file. `recorded_path` is relative to the project's root, as the official CLI writes it."""

    path: Path
    recorded_path: str

    def sha256(self) -> str:
        """The digest of the content, in hex."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def find_seeds(supabase: Path, patterns: Iterable[str], warn: Warn = lambda _: None) -> list[SeedFile]:
    """The files of `[db.seed] sql_paths`: patterns in their order, sorted within each, every file once.

    `supabase` is the folder that patterns are relative to. A folder stands for the SQL files in it.
    """
    found: dict[Path, SeedFile] = {}
    for pattern in patterns:
        names = sorted(glob.glob(pattern, root_dir=supabase))
        files = [file for name in names for file in _files_at(supabase / name)]
        if not files:
            warn(f"no files matched pattern: {pattern}")
        for path in files:
            found.setdefault(path, SeedFile(path, _recorded(path, supabase.parent)))
    return list(found.values())


def run_seeds(
    connection: psycopg.Connection,
    seeds: Iterable[SeedFile],
    options: ScriptOptions = PLAIN,
    announce: Callable[[SeedFile], None] = lambda _: None,
) -> int:
    """Run each file in a transaction of its own and record it; returns how many. Raises ScriptError."""
    connection.execute(_LEDGER)
    number = 0
    for seed in seeds:
        announce(seed)
        script = read_script(seed.path, seed.recorded_path)
        run_script(connection, script, options, record=partial(record_seed, seed=seed))
        number += 1
    connection.execute("reset all")
    return number


def record_seed(connection: psycopg.Connection, seed: SeedFile) -> None:
    """Note a seed with the hash of its content."""
    connection.execute(_UPSERT, (seed.recorded_path, seed.sha256()))


def recorded_seeds(connection: psycopg.Connection) -> Mapping[str, str]:
    """The hashes of the seeds that a database has, by path."""
    if connection.execute("select to_regclass('supabase_migrations.seed_files')").fetchone() == (None,):
        return {}
    return dict(connection.execute("select path, hash from supabase_migrations.seed_files").fetchall())


def _files_at(path: Path) -> list[Path]:
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.suffix == ".sql" and file.is_file())
    return [path]


def _recorded(path: Path, root: Path) -> str:
    path = Path(os.path.normpath(path))
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()
