"""Start the stack as a process of its own, and wait until it serves."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO

from muster_cli.output import UserError
from muster_cli.project.find import claim
from muster_cli.stack.emulator import install
from muster_cli.stack.home import PROBE_S, RunState
from muster_cli.stack.install import progress
from muster_cli.stack.options import Options
from muster_cli.stack.start_report import clear_report

POLL_S = 0.01
# What serves: it may only return, raise, or replace its process by `python -m muster_cli` with the same arguments.
Serve = Callable[[], int]


def start_detached(options: Options, serve: Serve, timeout_s: float = 600.0) -> RunState:
    """Start the stack as a process of its own and wait until it serves. Raises UserError with its last words.

    `serve` is what that process does; it returns its exit code.
    """
    home = options.home
    home.prepare()
    claim(home.path, options.project)
    if home.running(PROBE_S) is not None:
        raise UserError(f"the stack in {home.path} is already running: ./muster status, ./muster down")
    home.clear_state()  # of a stack that was killed
    clear_report(home.path)
    install(options)  # here, where its progress is seen
    log = home.logs / "muster.log"
    # A copy of this process has everything imported, which is half of a start. On macOS system libraries forbid it.
    with log.open("ab") as output:  # a crash's last words stay there, and another start's lines
        began_at = output.tell()
        process = _Forked(options, serve, output) if sys.platform == "linux" else _Spawned(options, output)
    deadline = time.monotonic() + timeout_s
    with progress("Starting"):
        while time.monotonic() < deadline:
            state = home.running()
            if state is not None and state.pid == process.pid:
                return state
            if process.has_ended():
                words = [line for line in _read_from(log, began_at).splitlines() if line.strip()]
                raise UserError(words[-1].removeprefix("muster: ") if words else f"it ended immediately; see {log}")
            time.sleep(POLL_S)
    raise UserError(f"the stack was not ready within {timeout_s:.0f} s; its log: {log}")


def _read_from(log: Path, offset: int) -> str:
    with log.open("rb") as handle:
        handle.seek(offset)
        return handle.read().decode("utf8", "replace")


class _Spawned:
    """A new interpreter."""

    def __init__(self, options: Options, output: IO[bytes]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "muster_cli", "up"], env={**os.environ, **options.environment()},
            stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True,
        )  # fmt: skip
        self.pid = self._process.pid

    def has_ended(self) -> bool:
        """Whether it is no more."""
        return self._process.poll() is not None


class _Forked:
    """A copy of this process; there must be no other thread."""

    def __init__(self, options: Options, serve: Serve, output: IO[bytes]) -> None:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _become_daemon(options, serve, output)

    def has_ended(self) -> bool:
        """Whether it is no more."""
        return os.waitpid(self.pid, os.WNOHANG) != (0, 0)


def _become_daemon(options: Options, serve: Serve, output: IO[bytes]) -> None:
    """Serve, and end; never returns to the caller's code, whatever happens."""
    code = 1
    try:
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor in (1, 2):
            os.dup2(output.fileno(), descriptor)
        output.close()
        # A restart begins a new interpreter with these.
        os.environ.update(options.environment())
        sys.argv[1:] = ["up"]
        code = serve()
    except SystemExit as error:  # of the server, which has said why
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)
