"""Find Deno: the npm package of the checkout, the PyPI package, or whichever is on the PATH."""

import shutil
import sysconfig
from pathlib import Path

from emulator.packages import npm_platform, packages_folder
from emulator.paths import DENO


def find_deno() -> Path | None:
    """The program, or None where none is installed."""
    system, machine = npm_platform()
    libc = "-glibc" if system == "linux" else ""
    installed = packages_folder(DENO) / "node_modules" / "@deno" / f"{system}-{machine}{libc}" / "deno"
    beside = Path(sysconfig.get_path("scripts")) / "deno"  # pip install deno
    for program in (installed, beside):
        if program.is_file():
            return program
    on_path = shutil.which("deno")
    return Path(on_path) if on_path else None
