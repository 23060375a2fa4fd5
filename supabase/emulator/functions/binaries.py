"""Find Deno: the npm package of the checkout, the PyPI package, or whichever is on the PATH."""

import shutil
import sysconfig
from pathlib import Path

from emulator.packages import is_installed, npm_platform, packages_folder
from emulator.paths import DENO


def find_deno() -> Path | None:
    """The program, or None where none is installed."""
    system, machine = npm_platform()
    libc = "-glibc" if system == "linux" else ""
    folder = packages_folder(DENO)
    program = folder / "node_modules" / "@deno" / f"{system}-{machine}{libc}" / "deno"
    if is_installed(folder) and program.is_file():  # not while another process still writes it
        return program
    beside = Path(sysconfig.get_path("scripts")) / "deno"  # pip install deno
    if beside.is_file():
        return beside
    on_path = shutil.which("deno")
    return Path(on_path) if on_path else None
