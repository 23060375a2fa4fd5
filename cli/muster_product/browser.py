"""Find a Chromium for the browser journeys, or install Debian's where we may.

The journeys run in Chromium's headless shell where it can be had: the same engine without windows, which nobody sees
and which take a fifth of the CPU time.
"""

import os
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from muster_cli.output import UserError
from muster_cli.stack.install import progress

HEADLESS_SHELL = "chromium-headless-shell"
DEBIAN = Path("/usr/lib/chromium")
DOWNLOAD_S = 120
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", HEADLESS_SHELL)
MAC_APPS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find_chromium() -> str | None:
    """The browser's path: MUSTER_CHROMIUM, the PATH, or macOS' applications."""
    chosen = os.environ.get("MUSTER_CHROMIUM")
    if chosen:
        return chosen
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    return next((path for path in MAC_APPS if Path(path).exists()), None)


def find_headless() -> str | None:
    """The path of what runs pages without showing them: MUSTER_CHROMIUM, the headless shell, or any browser."""
    shell = os.environ.get("MUSTER_CHROMIUM") or shutil.which(HEADLESS_SHELL)
    if shell:
        return shell
    unpacked = _unpacked_shell()
    return str(unpacked) if unpacked is not None and unpacked.exists() else find_chromium()


def ensure_chromium() -> str:
    """The browser's path, installed first where that is possible. Raises UserError with what to install."""
    found = find_chromium()
    if found:
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        with progress("Chromium"):
            _apt_get("update")
            _apt_get("install", "-y", "--no-install-recommends", "chromium", "fonts-liberation")
        found = find_chromium()
        if found:
            return found
    raise UserError(
        "no Chromium found: install one (Debian, Ubuntu: apt install chromium), or set MUSTER_CHROMIUM to its path"
    )


def ensure_headless() -> str:
    """What find_headless finds, after the headless shell of Debian's Chromium was unpacked beside it.

    Where it can't be had the browser itself does as well. Raises UserError where there is no browser either.
    """
    browser = ensure_chromium()
    shell = _unpacked_shell()
    if shell is not None and find_headless() == browser and shutil.which("apt-get") and shutil.which("dpkg-deb"):
        with progress("Headless shell"):
            _unpack(shell)
    return find_headless() or browser


def _unpacked_shell() -> Path | None:
    """Where the headless shell of the installed Debian package belongs; None without that package."""
    if not DEBIAN.exists() or shutil.which("dpkg-query") is None:
        return None
    asked = ["dpkg-query", "--show", "--showformat", "${Version}", "chromium-common"]
    version = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "muster" / f"chromium-{version}" / HEADLESS_SHELL if version else None


def _unpack(shell: Path) -> None:
    """Download the package of the installed version, and lay its files beside links to those of the browser."""
    version = shell.parent.name.partition("-")[2]
    shell.parent.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=shell.parent.parent) as scratch:
        got = ["apt-get", "-qq", "download", f"{HEADLESS_SHELL}={version}"]
        with suppress(subprocess.TimeoutExpired):  # the machine may be without network
            subprocess.run(got, cwd=scratch, capture_output=True, check=False, timeout=DOWNLOAD_S)
        for package in Path(scratch).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", str(package), scratch], capture_output=True, check=False)
        made = Path(scratch) / "usr" / "lib" / "chromium"
        if (made / HEADLESS_SHELL).exists():
            for part in DEBIAN.iterdir():
                if not (made / part.name).exists():
                    (made / part.name).symlink_to(part)
            with suppress(OSError):  # unpacked by another run, meanwhile
                made.rename(shell.parent)


def _apt_get(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", "-qq", *arguments], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise UserError(f"Debian's Chromium could not be installed: {done.stderr.strip().splitlines()[-1:]}")
