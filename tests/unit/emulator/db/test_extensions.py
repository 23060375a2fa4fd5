"""The installation with extensions, on a made-up one; which extensions a script asks for; what is said of others."""

from pathlib import Path

import pytest

from emulator.db.binaries import Binaries
from emulator.db.extensions import created_extensions, declared, remedy, with_extensions
from emulator.paths import EXTENSIONS


@pytest.fixture
def binaries(tmp_path: Path) -> Binaries:
    """An installation with two contrib modules, one of which the image trusts."""
    native = tmp_path / "native"
    (native / "bin").mkdir(parents=True)
    (native / "bin" / "postgres").write_text("program")
    folder = native / "share" / "postgresql" / "extension"
    folder.mkdir(parents=True)
    (folder / "moddatetime.control").write_text("default_version = '1.0'\n")
    (folder / "adminpack.control").write_text("default_version = '1.0'\n")
    return Binaries(native / "bin", "17.10")


def test_the_original_installation_stays_as_it_is(binaries: Binaries, tmp_path: Path) -> None:
    before = {path: path.read_text() for path in (tmp_path / "native").rglob("*") if path.is_file()}
    made = with_extensions(binaries, tmp_path / "elsewhere")
    assert made.bin.parent.parent == tmp_path
    assert (made.bin / "postgres").read_text() == "program"
    after = {path: path.read_text() for path in (tmp_path / "native").rglob("*") if path.is_file()}
    assert after == before


def test_modules_that_the_image_trusts_are_trusted(binaries: Binaries, tmp_path: Path) -> None:
    made = with_extensions(binaries, tmp_path).bin.parent / "share" / "postgresql" / "extension"
    assert "trusted = true" in (made / "moddatetime.control").read_text()
    assert "trusted" not in (made / "adminpack.control").read_text()


def test_versions_that_dumps_name_install_the_same(binaries: Binaries, tmp_path: Path) -> None:
    made = with_extensions(binaries, tmp_path).bin.parent / "share" / "postgresql" / "extension"
    assert (made / "pg_cron--1.4.sql").read_text() == (made / "pg_cron--1.6.sql").read_text()
    assert (made / "pg_cron--1.4--1.6.sql").exists()


def test_a_second_start_makes_nothing(binaries: Binaries, tmp_path: Path) -> None:
    first = with_extensions(binaries, tmp_path)
    (first.bin / "mark").touch()
    assert (with_extensions(binaries, tmp_path).bin / "mark").exists()


def test_every_extension_of_ours_has_the_script_of_its_version(binaries: Binaries, tmp_path: Path) -> None:
    made = with_extensions(binaries, tmp_path).bin.parent / "share" / "postgresql" / "extension"
    ours = {control.stem for control in EXTENSIONS.glob("*/*.control")}
    assert ours >= {"pg_cron", "pg_net", "supabase_vault", "pgmq", "pgjwt", "http", "pg_jsonschema"}
    assert {path.stem for path in made.glob("*.control")} == ours | {"moddatetime", "adminpack"}
    assert not ours & set(declared().unavailable)


@pytest.mark.parametrize(
    ("script", "want"),
    [
        pytest.param("create extension vector;", {"vector"}, id="plain"),
        pytest.param('CREATE EXTENSION IF NOT EXISTS "uuid-ossp" WITH SCHEMA x;', {"uuid-ossp"}, id="quoted"),
        pytest.param("do $$ begin create extension\n if not exists Vector; end $$", {"vector"}, id="in a block"),
        pytest.param("comment on extension vector is 'create';", set(), id="none"),
        pytest.param("create extension a; create extension b;", {"a", "b"}, id="two"),
        pytest.param("create extension", set(), id="cut off"),
    ],
)
def test_extensions_of_a_script(script: str, want: set[str]) -> None:
    assert created_extensions(script) == want


def test_a_missing_extension_is_named_with_who_brings_it() -> None:
    assert "--postgres system" in (remedy('extension "postgis" is not available') or "")
    assert remedy('extension "no_such" is not available') is None
    assert remedy('relation "postgis" does not exist') is None


def test_every_unavailable_extension_has_a_remedy() -> None:
    rows = declared()
    assert set(rows.unavailable.values()) == set(rows.remedies)
