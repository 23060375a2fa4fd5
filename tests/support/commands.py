"""Runs the command line many times: a process each, forked from one that has the imports.

Starting Python and importing takes a command ten times as long as what most of them do. Here a server imports once, and
each command is a fork of it with its own environment, folder, streams and exit code. The suite itself asks by `run`,
lines of shell by `in_shell`.
"""

import atexit
import json
import os
import shlex
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
PACKAGES = ("emulator.auth", "muster_cli", "muster_product")
MODULES = (
    "emulator.app", "emulator.dashboard.app", "emulator.mailbox.app", "muster_functions.app",
    "muster_functions.extension", "muster_functions.mailer.worker", "muster_functions.notifications.job_mails",
    "muster_functions.push.worker", "_strptime", "encodings.ascii", "encodings.idna", "encodings.utf_8_sig", "grp",
    "httpcore", "rich.console", "rich.progress", "tarfile", "termios", "urllib.request",
    "uvicorn.lifespan.off", "uvicorn.loops.uvloop",
)  # fmt: skip


def run(
    *arguments: str, env: Mapping[str, str], stdin: str = "", cwd: str = "/", timeout_s: float = 180
) -> "subprocess.CompletedProcess[str]":
    """Run `muster` with these arguments as a user would; never raises for its exit code.

    `env` may differ in what commands read when they run. Raises subprocess.TimeoutExpired, and ends the process.
    """
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(stdin.encode())
        given.seek(0)
        request = {"arguments": arguments, "env": dict(env), "cwd": cwd}
        code = _ask(_server(), request, [given.fileno(), out.fileno(), err.fileno()], timeout_s)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["muster", *arguments], code, out.read().decode(), err.read().decode())


def in_shell() -> str:
    """What stands for `./muster` in a line of shell: a small program that asks the server and ends as the command."""
    return shlex.join([sys.executable, "-IS", __file__, "--ask", _server()])


def _ask(server: str, request: object, streams: list[int], timeout_s: float) -> int:
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asked:
        asked.settimeout(timeout_s)
        asked.connect(server)
        socket.send_fds(asked, [json.dumps(request).encode()], streams)
        pid = int(asked.recv(64))
        try:
            return int(asked.recv(64))
        except TimeoutError:
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
            raise subprocess.TimeoutExpired(str(request), timeout_s) from None


@cache
def _server() -> str:
    """The address of this process's server, which is started by the first command and ends with this process."""
    folder = tempfile.mkdtemp(prefix="muster-commands-")
    address = str(Path(folder) / "s")
    from tests.support.stack import CLEAN

    running = subprocess.Popen(
        [sys.executable, "-m", "tests.support.commands", address], env=CLEAN, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert running.stdin is not None
    assert running.stdout is not None
    atexit.register(_end, running, folder)
    assert running.stdout.readline() == b"ready\n"
    return address


def _end(running: "subprocess.Popen[bytes]", folder: str) -> None:
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.close()
    running.stdout.close()
    running.wait(20)
    Path(folder, "s").unlink(missing_ok=True)
    Path(folder).rmdir()


def _serve(address: str) -> None:
    """Fork for each request until stdin is closed, as it is when the asking process is gone."""
    import gc
    import select
    import signal

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

    from muster_cli.main import main

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(request["env"])  # type: ignore[call-overload]
    os.chdir(str(request["cwd"]))
    sys.argv = ["muster", *request["arguments"]]  # type: ignore[misc]
    code = 1
    try:
        code = main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
    finally:
        for written in (sys.stdout, sys.stderr):
            with suppress(OSError):
                written.flush()
        os._exit(code)


if __name__ == "__main__":
    if sys.argv[1] == "--ask":
        asked = {"arguments": sys.argv[3:], "env": dict(os.environ), "cwd": os.getcwd()}
        sys.exit(_ask(sys.argv[2], asked, [0, 1, 2], 300))
    _serve(sys.argv[1])
