"""What the doctor says of storage's files: rows without a file, files without a row, a folder that can't be used."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from muster_cli.stack.doctor_files import examine_files
from tests.support.postgres import Database

KEPT, LOST = "ab0d2f4e-0000-4000-8000-000000000001", "ab0d2f4e-0000-4000-8000-000000000002"
Connection = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
def rows(module_database: Database) -> Iterator[Connection]:
    """An object that has its file in `folder`, and no other."""
    with psycopg.connect(module_database.dsn("supabase_storage_admin"), autocommit=True) as connection:
        connection.execute("insert into storage.buckets (id, name) values ('files', 'files')")
        add(connection, KEPT)
        yield connection


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the service."""
    kept = tmp_path / "storage" / "objects" / "ab" / KEPT
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"x" * 1024**2)
    return tmp_path / "storage"


def add(connection: Connection, version: str) -> None:
    statement = "insert into storage.objects (bucket_id, name, version) values ('files', %s, %s)"
    connection.execute(statement, (version, version))


def said(folder: Path, connection: Connection, **variables: str) -> list[tuple[str, str]]:
    return [(found.level, found.said) for found in examine_files(folder, connection, variables)]


def test_rows_and_files_that_name_each_other_are_well(rows: Connection, folder: Path) -> None:
    assert said(folder, rows) == [("ok", "1 objects, 1.0 MiB")]
    assert said(folder.parent / "none", rows) == []
    assert said(folder.parent / "none", rows, STORAGE_BACKEND="s3")[0][0] == "ok"


def test_a_file_that_is_lost_is_a_problem_and_one_that_is_left_a_note(rows: Connection, folder: Path) -> None:
    shutil.copy(folder / "objects" / "ab" / KEPT, folder / "objects" / "ab" / LOST)
    assert said(folder, rows) == [("ok", "1 objects, 2.0 MiB")], "a young file may get its row"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("muster_cli.stack.doctor_files.ROW_WITHIN_S", -60)
        assert said(folder, rows)[0] == ("warning", "1 files that no object names")
    with rows.transaction(force_rollback=True):
        add(rows, "ab0d2f4e-0000-4000-8000-000000000003")
        level, text = said(folder, rows)[0]
        assert (level, text.startswith("1 of 2 objects have no file")) == ("problem", True)


def test_a_folder_without_room_or_rights_is_a_problem(rows: Connection, folder: Path) -> None:
    full = said(folder, rows, STORAGE_FREE_BYTES_FLOOR=str(1 << 60))
    assert (full[0][0], "507" in full[0][1]) == ("problem", True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        assert said(folder, rows) == [("problem", f"{folder} is not writable")]
