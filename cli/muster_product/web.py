"""The web application's packages and its build. Done again only when its inputs changed."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from emulator.locks import alone_in
from emulator.paths import CHECKOUT
from muster_cli.stack.install import ensure_packages, progress, run_npm

WEB = CHECKOUT / "web"
BUILD_INPUTS = (
    "src", "worker", "public", "scripts", "index.html", "package-lock.json", "vite.config.ts", "tsconfig.app.json",
)  # fmt: skip


def ensure_web(web: Path = WEB) -> Path:
    """Install the web packages and build the application where needed; the folder to serve. Raises UserError."""
    if os.environ.get("MUSTER_WEB_DIST"):  # an image brings its own
        return Path(os.environ["MUSTER_WEB_DIST"])
    if not _is_built(web):
        ensure_web_packages(web)  # which takes the same lock
        with alone_in(web):
            if not _is_built(web):  # by another start, meanwhile
                _build(web)
    return web / "dist"


def _is_built(web: Path) -> bool:
    stamp = web / "dist" / ".muster-inputs"
    return stamp.exists() and stamp.read_text("ascii") == _fingerprint(web)


def _build(web: Path) -> None:
    wanted = _fingerprint(web)  # before the build: what changes meanwhile is not in it
    with progress("Web application") as advance:
        run_npm(["npm", "run", "--silent", "build"], web, "the web application can't be built", advance)
    (web / "dist" / ".muster-inputs").write_text(wanted, "ascii")


def ensure_web_packages(web: Path = WEB) -> None:
    """Install the web packages of the lock, unless they are there. Raises UserError."""
    ensure_packages(web, "Web packages")


def _fingerprint(web: Path) -> str:
    """A digest of names, sizes and times of everything the build reads."""
    digest = hashlib.sha256()
    for name in BUILD_INPUTS:
        for file in _files(web / name):
            stat = file.stat()
            digest.update(f"{file.relative_to(web)}|{stat.st_size}|{stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def _files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from (file for file in sorted(path.rglob("*")) if file.is_file())
    elif path.exists():
        yield path
