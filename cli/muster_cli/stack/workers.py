"""More processes that serve the same port: `up --workers N`. The first process supervises them and serves, too."""

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from emulator.asgi.server import Server, bind_unix, make_server
from muster_cli.output import talk

if TYPE_CHECKING:
    from emulator.app import Emulator

RESTART_PAUSE_S = 1.0
START_PATIENCE_S = 30.0


def shared_environment(env: Mapping[str, str], run: Path) -> dict[str, str]:
    """What every process of a stack reads when there are several: where broadcasts, presence and metrics travel."""
    return {**env, "BUS_DIR": str(run / "bus"), "METRICS_DIR": str(run / "metrics")}


class Workers:
    """The other processes. They inherit the listening socket, and end when this process ends, however it ends."""

    def __init__(self, count: int, env: Mapping[str, str], listener: socket.socket, run: Path) -> None:
        self._count = count
        self._listener = listener
        self._mailbox = run / "mailbox.sock"
        self._lifeline, self._hold = os.pipe()
        self._readiness, self._tell = os.pipe()  # a byte from each process when it serves
        self._env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")},
            **{name: value for name, value in env.items() if not name.startswith("MAILBOX_")},
            "MAILBOX_SOCKET": str(self._mailbox),
            "MUSTER_LISTEN_FD": str(listener.fileno()),
            "MUSTER_LIFELINE_FD": str(self._lifeline),
            "MUSTER_READY_FD": str(self._tell),
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    def first_process_server(self, emulator: "Emulator") -> tuple[Server, socket.socket]:
        """A server for what only this process has, mailbox and Deno: the others hand requests to its socket."""
        server = make_server(emulator.app, lifespan="off", ws_protocol=emulator.ws_protocol, observer=emulator.observer)
        return server, bind_unix(self._mailbox)

    async def run(self) -> None:
        """Start the processes and start again whichever ends, until canceled; then end them all."""
        try:
            self._processes = [self._spawn() for _ in range(self._count)]
            while True:
                await asyncio.sleep(RESTART_PAUSE_S)
                for index, process in enumerate(self._processes):
                    if process.poll() is not None:
                        talk.print(f"[yellow]A worker ended (exit {process.returncode}); starting another[/yellow]")
                        self._processes[index] = self._spawn()
        finally:
            await asyncio.shield(asyncio.to_thread(self._stop))

    async def wait_until_ready(self) -> None:
        """Wait until all of them serve, but START_PATIENCE_S at most: this process serves without them, too."""
        loop = asyncio.get_running_loop()
        os.set_blocking(self._readiness, False)
        missing, all_serve = self._count, asyncio.Event()

        def count() -> None:
            nonlocal missing
            missing -= len(os.read(self._readiness, missing))
            if missing <= 0:
                loop.remove_reader(self._readiness)
                all_serve.set()

        loop.add_reader(self._readiness, count)
        try:
            async with asyncio.timeout(START_PATIENCE_S):
                await all_serve.wait()
        except TimeoutError:
            talk.print(f"[yellow]{missing} of {self._count} workers are not serving yet[/yellow]")
        finally:
            loop.remove_reader(self._readiness)

    def _spawn(self) -> subprocess.Popen[bytes]:
        descriptors = (self._listener.fileno(), self._lifeline, self._tell)
        return subprocess.Popen(
            [sys.executable, "-m", "emulator"], env=self._env, pass_fds=descriptors, stdin=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip

    def _stop(self) -> None:
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for descriptor in (self._lifeline, self._hold, self._readiness, self._tell):
            os.close(descriptor)
