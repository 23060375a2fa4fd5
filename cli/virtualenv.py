"""Make the checkout's virtual environment from a lock file. Standard library only: it runs before anything is there.

Run by the `muster` script as `python3 cli/virtualenv.py ROOT LOCK`. Ends with 1 and one line when pip fails.

uv installs what the lock names in a tenth of pip's time. Where it can't, no wheel for the platform or a mirror that
only pip knows how to sign in to, pip does.
"""

import ast
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

WIDTH = 28
ROUNDS = 3
PACKAGE_FOLDERS = ("cli", "edge_functions", "supabase", ".")  # the last one for tests and bench
UV_LOCK = "requirements-uv.lock"
# pip's settings, and what uv calls them: it reads neither pip's configuration nor its variables.
UV_OPTIONS = {"index-url": "--default-index", "extra-index-url": "--index", "find-links": "--find-links",
              "trusted-host": "--allow-insecure-host"}  # fmt: skip
UV_VARIABLES = {"cert": "SSL_CERT_FILE", "proxy": "ALL_PROXY", "timeout": "UV_HTTP_TIMEOUT",
                "default-timeout": "UV_HTTP_TIMEOUT"}  # fmt: skip


def main(root: Path, lock_name: str) -> int:
    """Bring ROOT/.venv to what the lock says, with a progress bar; 0 on success."""
    lock, folder = root / lock_name, root / ".venv"
    stamp = folder / f".muster-{lock_name}"
    total = len(re.findall(r"^[a-z0-9._-]+==", lock.read_text("utf8"), re.MULTILINE | re.IGNORECASE))
    try:
        _draw(0, total)
        if not (folder / "bin" / "python").exists():
            _make(folder, quickest_python(os.get_exec_path()))
        if failed := _install_with_uv(folder, root / UV_LOCK, lock, total):
            _clear()
            sys.stderr.write(f"  Python packages: installing with pip, because uv failed: {failed}\n")
            failed = _install_with_pip(folder, lock, lambda done: _draw(done, total))
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


def quickest_python(path: Sequence[str]) -> str:
    """Of the Pythons of this version in the folders of `path` the quickest; this one, unless it is slower by a tenth.

    A Python built without profile-guided optimization, as pyenv builds them, takes a third more time for its calls.
    No build says of itself whether it has that (Debian's does and says no), so each shows it.
    """
    if os.environ.get("MUSTER_PYTHON"):
        return sys.executable  # chosen by somebody who knows
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    named = [os.path.join(folder, name) for folder in path]
    others = {os.path.realpath(python): python for python in reversed(named) if os.access(python, os.X_OK)}
    others.pop(os.path.realpath(sys.executable), None)
    if not others:
        return sys.executable
    pythons = [sys.executable, *others.values()]
    # All at once, and again: what else the machine does comes and goes, for all of them.
    with ThreadPoolExecutor(len(pythons)) as pool:
        rounds = [list(pool.map(_time, pythons)) for _ in range(ROUNDS)]
    times = {python: min(took) for python, *took in zip(pythons, *rounds, strict=True)}
    best = min(pythons, key=lambda python: times[python])
    return best if times[best] < 0.9 * times[sys.executable] else sys.executable


def _time(python: str) -> float:
    """What python_speed.py prints, in seconds; endless for a Python that lacks a module or does not start."""
    command: list[str | Path] = [python, "-I", Path(__file__).with_name("python_speed.py")]
    try:
        return float(subprocess.run(command, capture_output=True, check=True, timeout=20).stdout)
    except (OSError, subprocess.SubprocessError, ValueError):
        return math.inf


def _make(folder: Path, python: str) -> None:
    """An environment of that Python with pip. Raises OSError.

    pip is always this Python's: the other may have none to give (Debian's without python3-venv).
    """
    if python == sys.executable:
        venv.create(folder, with_pip=True, clear=True)
        return
    command: list[str | Path] = [python, "-I", "-m", "venv", "--without-pip", "--clear", folder]
    made = subprocess.run(command, capture_output=True, text=True, check=False)
    if made.returncode:
        raise OSError(made.returncode, (made.stderr or made.stdout).strip().rpartition("\n")[2], str(folder))
    with tempfile.TemporaryDirectory() as other:
        venv.create(other, with_pip=True)
        (packages,) = folder.glob("lib/python3*/site-packages")
        for part in Path(other).glob("lib/python3*/site-packages/pip*"):
            shutil.copytree(part, packages / part.name)


def _install_with_uv(folder: Path, uv_lock: Path, lock: Path, total: int) -> str | None:
    """Install uv, then what the lock names; the reason when it failed."""
    # A wheel or nothing: its source takes Rust and minutes.
    if failed := _install_with_pip(folder, uv_lock, lambda _: None, "--only-binary", ":all:", "--retries", "1"):
        return failed
    asked = [folder / "bin" / "python", "-m", "pip", "config", "list"]
    arguments, variables = uv_settings(subprocess.run(asked, capture_output=True, text=True, check=False).stdout)
    command: list[str | Path] = [folder / "bin" / "uv", "pip", "install", "--python", folder / "bin" / "python"]
    # The lock names all there is: no metadata is read before the packages themselves.
    command += ["--require-hashes", "--no-deps", "-r", lock, *arguments]
    # The best match of all indexes, as pip: which file it may be is for the hashes to say.
    command += ["--index-strategy", "unsafe-best-match", "--no-config", "--verbose"]
    if lock.name == "requirements.lock":
        # What runs, is compiled now. Of the tools, most of it is never imported.
        command.append("--compile-bytecode")
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        env=os.environ | variables,
    )  # fmt: skip
    asks_for_wheel = re.compile(r"Sending .*GET .*\.whl$").search
    return _follow(process, lambda line: bool(asks_for_wheel(line)), lambda done: _draw(done, total), "uv")


def uv_settings(pip_config: str) -> tuple[list[str], dict[str, str]]:
    """uv's arguments and variables for what `pip config list` printed: mirrors, certificate, proxy, timeout."""
    arguments, variables = [], {}
    for line in pip_config.splitlines():
        name, _, value = line.partition("=")
        section, _, key = name.rpartition(".")
        if section not in (":env:", "global", "install"):
            continue
        said = str(ast.literal_eval(value))
        if key in UV_OPTIONS:
            for one in said.split():
                arguments += [UV_OPTIONS[key], one]
        elif key in UV_VARIABLES:
            variables[UV_VARIABLES[key]] = said
        elif key == "no-index" and said.lower() in ("1", "true", "yes", "on"):
            arguments.append("--no-index")
    return arguments, variables


def _install_with_pip(folder: Path, lock: Path, on_progress: Callable[[int], None], *options: str) -> str | None:
    """Run pip; the reason when it failed."""
    command: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "--require-hashes", "--no-input"]
    command += ["--disable-pip-version-check", *options, "-r", lock]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    heads = ("Collecting ", "Requirement already satisfied")
    return _follow(process, lambda line: line.lstrip().startswith(heads), on_progress, "pip")


def _follow(
    process: "subprocess.Popen[str]", is_step: Callable[[str], bool], on_progress: Callable[[int], None], name: str
) -> str | None:
    """Read what an installer prints until it ends; the last thing it complained of when it failed."""
    done, last = 0, ""
    with process:
        for line in process.stdout or ():
            if is_step(line):
                done += 1
                on_progress(done)
            if re.search("ERROR|error:|×|╰─▶", line):
                last = line.strip(" ×╰─▶\n")
    return None if process.wait() == 0 else last or f"{name} ended with {process.returncode}"


def _name_packages(root: Path, folder: Path) -> None:
    """Let the environment import this checkout's packages, each from the folder that holds it."""
    (site,) = folder.glob("lib/python3*/site-packages")
    (site / "muster.pth").write_text("".join(f"{root / folder}\n" for folder in PACKAGE_FOLDERS), "utf8")


def _draw(done: int, total: int) -> None:
    if sys.stderr.isatty():
        filled = WIDTH * min(done, total) // max(total, 1)
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
