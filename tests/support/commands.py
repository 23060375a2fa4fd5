"""Runs the command line and the services many times: a process each, forked from one that has the imports.

Starting Python and importing takes a command ten times as long as what most of them do. Here a server imports once,
and each command is a fork of it with its own environment, folder, streams and exit code. The suite itself asks by
`run`, and by `start` for what goes on beside the test; lines of shell by `in_shell`. What is to start from nothing is
not started here: tests/contract/test_package.py does so with each service.
"""

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

# What is asked of the server: one datagram with the streams; it answers with the process id, then the exit code.
_REQUEST_BYTES = 1 << 17
# What commands and stacks import, at the latest when they do something for the first time: with all of its modules, and
# by itself.
CLI = "muster_cli"
PACKAGES = ("emulator.auth", CLI, "muster_product")
MODULES = (
    "emulator.app", "emulator.dashboard.app", "emulator.functions.app", "emulator.mailbox.app", "muster_functions.app",
    "muster_functions.extension", "muster_functions.mailer.worker", "muster_functions.notifications.job_mails",
    "muster_functions.push.worker", "_strptime", "encodings.ascii", "encodings.idna", "encodings.utf_8_sig", "grp",
    "httpcore", "rich.console", "rich.progress", "tarfile", "termios", "urllib.request",
    "uvicorn.lifespan.off", "uvicorn.loops.uvloop",
)  # fmt: skip


class Started:
    """A process that `start` made, with what subprocess.Popen has of it."""

    def __init__(self, asked: socket.socket, request: Mapping[str, object]) -> None:
        self._asked, self._request = asked, request
        self.pid = int(asked.recv(64))
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code, or None while it runs."""
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float = 180) -> int:
        """The exit code, once it has ended. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._asked.settimeout(timeout)
            try:
                self.returncode = int(self._asked.recv(64))
            except (TimeoutError, BlockingIOError):
                raise subprocess.TimeoutExpired(str(self._request), timeout) from None
            self._asked.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def start(
    module: str, *arguments: str, env: Mapping[str, str], cwd: str = "/", stdin: int = -1, stdout: int = 1,
    stderr: int = 2,
) -> Started:  # fmt: skip
    """Start what `python -m` would, with these descriptors for its streams; without `stdin` there is nothing to read.

    `env` may differ in what the module reads when it runs.
    """
    request = {"module": module, "arguments": arguments, "env": dict(env), "cwd": cwd}
    if stdin >= 0:
        return _ask(_server(), request, [stdin, stdout, stderr])
    with open(os.devnull, "rb") as nothing:
        return _ask(_server(), request, [nothing.fileno(), stdout, stderr])


def run(
    *arguments: str, env: Mapping[str, str], stdin: str = "", cwd: str = "/", timeout_s: float = 180, module: str = CLI
) -> "subprocess.CompletedProcess[str]":
    """Run `muster`, or another module, with these arguments as a user would; never raises for its exit code.

    Raises subprocess.TimeoutExpired, and ends the process.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        streams = {"stdin": given.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
        started = start(module, *arguments, env=env, cwd=cwd, **streams)
        try:
            code = started.wait(timeout_s)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait(20)
            raise
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["muster", *arguments], code, out.read().decode(), err.read().decode())


def in_shell() -> str:
    """What stands for `./muster` in a line of shell: a small program that asks the server and ends as the command."""
    return shlex.join([sys.executable, "-IS", __file__, "--ask", _server()])


def _ask(server: str, request: Mapping[str, object], streams: list[int]) -> Started:
    asked = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        asked.connect(server)
        socket.send_fds(asked, [json.dumps(request).encode()], streams)
        return Started(asked, request)
    except BaseException:
        asked.close()
        raise


@cache
def _server() -> str:
    """The address of the run's server, which is started by the first command of any worker and ends with the run."""
    from tests.support.shared import made_once

    return str(made_once("commands", _start_server) / "s")


def _start_server(folder: Path) -> None:
    from tests.support.shared import open_until_the_end
    from tests.support.stack import CLEAN

    partial = folder.with_suffix(".partial")
    partial.mkdir()
    with open_until_the_end() as until:
        running = subprocess.Popen(
            [sys.executable, "-m", "tests.support.commands", str(partial / "s")], env=CLEAN, stdin=until,
            stdout=subprocess.PIPE, cwd=Path(__file__).parents[2],
        )  # fmt: skip
    assert running.stdout is not None
    with running.stdout as said:
        assert said.readline() == b"ready\n"
    running.returncode = 0  # nobody waits for it: it outlives this worker
    partial.rename(folder)


def _serve(address: str) -> None:
    """Fork for each request until stdin is closed, as it is when the asking process is gone."""
    import gc
    import select

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for the commands
    _import()
    gc.freeze()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen(64)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while listener.fileno() in select.select([listener.fileno(), 0], [], [])[0]:
            asked, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _answer(asked)
            asked.close()


def _import() -> None:
    """What commands, and the stacks that they start, import at the latest when they run."""
    for name in PACKAGES:
        for module in walk_packages(import_module(name).__path__, f"{name}."):
            if not module.name.endswith((".__main__", ".pytest_plugin")):
                import_module(module.name)
    for name in MODULES:
        import_module(name)
    _hash_cheaply()


def _hash_cheaply() -> None:
    """Let the stacks hash passwords with bcrypt's least cost: at the services' own, each takes 60 ms."""
    import emulator.auth.app
    from emulator.auth.crypto.password import Hasher

    vars(emulator.auth.app)["Hasher"] = partial(Hasher, cost=4)


def _answer(asked: socket.socket) -> None:
    """Run the request in a child, and say how it ended."""
    text, streams, _, _ = socket.recv_fds(asked, _REQUEST_BYTES, 3)
    request = json.loads(text)
    pid = os.fork()
    if pid == 0:
        asked.close()
        _become(request, streams)
    asked.send(str(pid).encode())
    _, status = os.waitpid(pid, 0)
    with suppress(OSError):  # it asked no longer
        asked.send(str(os.waitstatus_to_exitcode(status)).encode())
    os._exit(0)


def _become(request: dict[str, object], streams: list[int]) -> None:
    """Be the command: never returns."""
    import traceback

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    os.chdir(str(request["cwd"]))
    sys.argv = ["muster", *request["arguments"]]  # type: ignore[misc]
    code = 1
    try:
        code = _main(str(request["module"]))
    except SystemExit as end:
        code = _exit_code(end.code)
    except BaseException:
        traceback.print_exc()
    finally:
        for written in (sys.stdout, sys.stderr):
            with suppress(OSError):
                written.flush()
        os._exit(code)


def _main(module: str) -> int:
    import runpy

    if module == CLI:
        from muster_cli.main import main

        return main()
    sys.modules.pop(module, None)  # it may have been imported, and is to run
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


def _exit_code(code: object) -> int:
    """What sys.exit makes of its argument."""
    if code is None or isinstance(code, int):
        return code or 0
    sys.stderr.write(f"{code}\n")
    return 1


if __name__ == "__main__":
    if sys.argv[1] == "--ask":
        asked = {"module": CLI, "arguments": sys.argv[3:], "env": dict(os.environ), "cwd": os.getcwd()}
        sys.exit(_ask(sys.argv[2], asked, [0, 1, 2]).wait(300))
    _serve(sys.argv[1])
