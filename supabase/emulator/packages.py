"""Where programs that come as npm packages are installed, and what npm calls this platform."""

import hashlib
import os
import platform
import sysconfig
from pathlib import Path

from emulator.paths import IS_INSTALLED


def packages_folder(locked: Path) -> Path:
    """The folder whose node_modules has the packages of the lock in `locked`: that folder, in a checkout.

    Of an installed wheel it is one of the person's for that very lock: installations of different versions keep their
    programs apart.
    """
    if not IS_INSTALLED:
        return locked
    digest = hashlib.sha256((locked / "package-lock.json").read_bytes()).hexdigest()[:12]
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "muster" / f"{locked.name}-{digest}"


def is_installed(folder: Path) -> bool:
    """Whether the packages of that folder's lock are all there: the installation writes its mark last."""
    mark = installed_mark(folder)
    return mark.exists() and mark.read_bytes() == (folder / "package-lock.json").read_bytes()


def installed_mark(folder: Path) -> Path:
    """Where the lock is copied to once its packages are installed."""
    return folder / "node_modules" / ".muster-lock"


def npm_platform() -> tuple[str, str]:
    """This platform as npm names it: system and processor."""
    system = {"Darwin": "darwin", "Linux": "linux"}.get(platform.system(), platform.system().lower())
    return system, {"x86_64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(platform.machine(), platform.machine())


def is_musl() -> bool:
    """Whether the system's C library is musl, as on Alpine: programs that were built with glibc don't start there."""
    return "musl" in (sysconfig.get_config_var("SOABI") or "")
