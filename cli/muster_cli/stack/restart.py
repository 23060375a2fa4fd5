"""Stop a running stack and start it again: same process, same options, secrets read again."""

import os
import time
from contextlib import suppress

from emulator.processes import is_alive
from muster_cli.output import UserError
from muster_cli.stack.home import Home, RunState
from muster_cli.stack.install import progress
from muster_cli.stack.serve import RESTART_SIGNAL

LONGEST_S = 90.0


def restart(home: Home) -> RunState:
    """Have the running stack begin again and wait until it serves. Raises UserError when it does not come back."""
    state = home.running()
    if state is None:
        raise UserError(f"no stack is running in {home.path}: ./muster up starts it")
    before = _stamp(home)
    os.kill(state.pid, RESTART_SIGNAL)
    deadline = time.monotonic() + LONGEST_S
    with progress("Restart"):
        while time.monotonic() < deadline:
            found = home.running()
            if found is not None and _stamp(home) != before:
                return found
            if not is_alive(state.pid):
                break
            time.sleep(0.05)
    raise UserError(f"the stack did not come back; see its log in {home.logs}, then run ./muster up")


def _stamp(home: Home) -> tuple[int, int] | None:
    """Which start the state file tells of: each writes a file of its own."""
    with suppress(OSError):
        stat = home.state_file.stat()
        return stat.st_ino, stat.st_mtime_ns
    return None
