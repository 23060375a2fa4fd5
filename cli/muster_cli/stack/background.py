"""Start the stack as a process of its own, and wait until it serves."""

import os
import subprocess
import sys
import time
from pathlib import Path

from muster_cli.output import UserError
from muster_cli.stack.emulator import install
from muster_cli.stack.home import RunState
from muster_cli.stack.install import progress
from muster_cli.stack.options import Options
from muster_cli.stack.start_report import clear_report


def _read_from(log: Path, offset: int) -> str:
    with log.open("rb") as handle:
        handle.seek(offset)
        return handle.read().decode("utf8", "replace")


def start_detached(options: Options, timeout_s: float = 600.0) -> RunState:
    """Start the stack as a process of its own and wait until it serves. Raises UserError with its last words."""
    home = options.home
    home.prepare()
    if home.running() is not None:
        raise UserError(f"a stack of {home.path} is running already: ./muster status, ./muster down")
    home.clear_state()  # of a stack that was killed
    clear_report(home.path)
    install(options)  # here, where its progress is seen
    log = home.logs / "muster.log"
    with log.open("ab") as output:  # a crash's last words stay there, and another start's lines
        began_at = output.tell()
        process = subprocess.Popen(
            [sys.executable, "-m", "muster_cli", "up"], env={**os.environ, **options.environment()},
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
    deadline = time.monotonic() + timeout_s
    with progress("Starting"):
        while time.monotonic() < deadline:
            state = home.running()
            if state is not None and state.pid == process.pid:
                return state
            if process.poll() is not None:
                words = [line for line in _read_from(log, began_at).splitlines() if line.strip()]
                raise UserError(words[-1].removeprefix("muster: ") if words else f"it ended immediately; see {log}")
            time.sleep(0.05)
    raise UserError(f"the stack was not ready within {timeout_s:.0f} s; its log: {log}")
