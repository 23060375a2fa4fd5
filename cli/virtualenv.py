"""Make the checkout's virtual environment from a lock file. Standard library only: it runs before anything is there.

Run by the `muster` script as `python3 cli/virtualenv.py ROOT LOCK`. Ends with 1 and one line when pip fails.
"""

import re
import shutil
import subprocess
import sys
import venv
from pathlib import Path

WIDTH = 28
PACKAGE_FOLDERS = ("cli", "edge_functions", "supabase", ".")  # the last one for tests and bench


def main(root: Path, lock_name: str) -> int:
    """Bring ROOT/.venv to what the lock says, with a progress bar; 0 on success."""
    lock, folder = root / lock_name, root / ".venv"
    stamp = folder / f".muster-{lock_name}"
    total = len(re.findall(r"^[a-z0-9._-]+==", lock.read_text("utf8"), re.MULTILINE | re.IGNORECASE))
    try:
        if not (folder / "bin" / "python").exists():
            _draw(0, total)
            venv.create(folder, with_pip=True, clear=True)
        failed = _install(folder, lock, total)
    except OSError as error:
        failed = f"{error.strerror or error}: {error.filename or folder}"
    _clear()
    if failed:
        sys.stderr.write(f"muster: the Python packages could not be installed: {failed}\n")
        return 1
    _name_packages(root, folder)
    if lock_name == "requirements-dev.lock":  # it holds everything of the run-time lock, too
        shutil.copyfile(root / "requirements.lock", folder / ".muster-requirements.lock")
    shutil.copyfile(lock, stamp)
    return 0


def _install(folder: Path, lock: Path, total: int) -> str | None:
    """Run pip; the reason when it failed."""
    command: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "--require-hashes", "--no-input"]
    command += ["--disable-pip-version-check", "-r", lock]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    assert process.stdout is not None
    done, last = 0, ""
    for line in process.stdout:
        done += line.lstrip().startswith(("Collecting ", "Requirement already satisfied"))
        if "ERROR" in line or "error:" in line:
            last = line.strip()
        _draw(min(done, total), total)
    return None if process.wait() == 0 else last or f"pip ended with {process.returncode}"


def _name_packages(root: Path, folder: Path) -> None:
    """Let the environment import this checkout's packages, each from the folder that holds it."""
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "muster.pth").write_text("".join(f"{root / folder}\n" for folder in PACKAGE_FOLDERS), "utf8")


def _draw(done: int, total: int) -> None:
    if sys.stderr.isatty():
        filled = WIDTH * done // max(total, 1)
        bar = "█" * filled + "░" * (WIDTH - filled)
        sys.stderr.write(f"\r  Python packages  {bar} {done}/{total} ")
        sys.stderr.flush()
    elif done == 0:
        sys.stderr.write(f"  Python packages: installing {total}\n")


def _clear() -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\r\x1b[2K")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
