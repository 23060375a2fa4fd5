"""Find a Chromium for the browser journeys, or install Debian's where we may."""

import os
import shutil
import subprocess
from pathlib import Path

from muster_cli.output import UserError
from muster_cli.stack.install import progress

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chromium-headless-shell")
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


def _apt_get(*arguments: str) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    done = subprocess.run(["apt-get", "-qq", *arguments], capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise UserError(f"Debian's Chromium could not be installed: {done.stderr.strip().splitlines()[-1:]}")
