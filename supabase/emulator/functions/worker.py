"""One function's process: started with only what it may see, watched while it has requests, ended with its reason."""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import httpx

from emulator.functions import errors
from emulator.functions.discovery import Function
from emulator.functions.environment import function_variables
from emulator.functions.limits import cpu_seconds, memory_mb
from emulator.functions.prepare import DENO_FILES, Prepared, deno_environment
from emulator.functions.project_files import read_user_variables
from emulator.functions.settings import FunctionsSettings

STOP_S = 10.0
LAST_LINES_S = 1.0
_END_S = 1.0
_POLL_S = 0.01
PYTHON_WORKER = Path(__file__).with_name("python_worker.py")
_WATCH_S = 0.25
_LINE_BYTES = 64 * 1024
_LOG_BYTES_PER_S = 256 * 1024
_V8_OUT_OF_MEMORY = (-signal.SIGTRAP, 128 + signal.SIGTRAP, -signal.SIGABRT)

log = logging.getLogger(__name__)


class Worker:
    """Deno or Python, serving one function on a Unix socket that only we can reach."""

    def __init__(self, settings: FunctionsSettings, function: Function) -> None:
        self.function = function
        self.open_requests = 0
        self.open_sockets = 0
        self.last_used = time.monotonic()
        self.limit_reached = False
        self._settings = settings
        self._secret = secrets.token_hex(16)
        self._folder = Path(tempfile.mkdtemp(prefix="muster-fn-"))
        self._socket = self._folder / "s"
        self._process: asyncio.subprocess.Process | None = None
        self._logs: list[asyncio.Task[None]] = []
        self._watching: asyncio.Task[None] | None = None
        self._cpu_mark = 0.0
        # Without TLS on its own socket, and so without the certificates, which take 25 ms to read.
        limits = httpx.Limits(max_connections=None)
        transport = httpx.AsyncHTTPTransport(uds=str(self._socket), verify=False, limits=limits)
        self.client = httpx.AsyncClient(transport=transport, timeout=None)

    @property
    def is_alive(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.returncode is None

    @property
    def socket(self) -> Path:
        """Where the process serves HTTP."""
        return self._socket

    async def start(self, prepared: Prepared | None) -> None:
        """Start and wait until it serves; what is prepared is for Deno. Raises FunctionError, ProjectError or OSError.

        BOOT_ERROR: the log says why it did not start.
        """
        try:
            await self._spawn(prepared)
            await self._wait_until_it_serves()
        except BaseException:
            await self.stop("boot")
            raise

    async def _spawn(self, prepared: Prepared | None) -> None:
        user = await asyncio.to_thread(read_user_variables, self._settings, self.function)
        variables, refused = function_variables(self._settings, self.function.slug, secrets.token_hex(16), user)
        for name in refused:
            log.warning("Env name cannot start with SUPABASE_, skipping: %s", name)
        temporary = self._folder / "tmp"
        temporary.mkdir()
        environment = {
            **variables,
            **({} if prepared is None else deno_environment(self._settings)),
            **({} if prepared is None else {"DENO_SERVE_ADDRESS": f"unix:{self._socket}"}),
            "MUSTER_WORKER_SECRET": self._secret,
            "TMPDIR": str(temporary),
        }
        self._process = await asyncio.create_subprocess_exec(
            *(self._python() if prepared is None else self._deno(prepared, temporary)), env=environment,
            cwd=self.function.folder, start_new_session=True, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=_LINE_BYTES,
        )  # fmt: skip
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._logs = [
            asyncio.create_task(self._log(self._process.stdout, logging.INFO)),
            asyncio.create_task(self._log(self._process.stderr, logging.ERROR)),
        ]
        self._watching = asyncio.create_task(self._watch())

    def _python(self) -> list[str]:
        assert self._settings.directory is not None, "a function was found in it"
        return [
            # Isolated from the shell's variables; no __pycache__, which would be a change of the project's files.
            sys.executable, "-I", "-B", "-X", "utf8", str(PYTHON_WORKER),
            str(self.function.entrypoint), str(self._settings.directory), self.function.slug, str(self._socket),
        ]  # fmt: skip

    def _deno(self, prepared: Prepared, temporary: Path) -> list[str]:
        settings, shared = self._settings, self.function.folder.parent / "_shared"
        static = [str(self.function.folder / pattern.split("*", 1)[0]) for pattern in self.function.rules.static_files]
        own = f"{self._socket},{temporary}"
        readable = ",".join([str(self.function.folder), str(shared), *static, own])
        modules = str(settings.cache.expanduser() / "npm")
        return [
            str(settings.deno), "run", "--quiet", "--no-prompt", "--allow-net", "--allow-env", "--allow-sys",
            f"--allow-read={readable},{modules}", f"--allow-write={own}",
            f"--v8-flags=--max-old-space-size={settings.memory_mb}",
            *([f"--inspect={settings.inspect}"] if settings.inspect else []),
            "--config", str(prepared.configuration), "--preload", str(DENO_FILES / "boot.ts"), str(prepared.entry),
        ]  # fmt: skip

    async def _wait_until_it_serves(self) -> None:
        deadline = time.monotonic() + self._settings.boot_s
        while self.is_alive and time.monotonic() < deadline:
            if self._socket.exists():
                try:
                    _, writer = await asyncio.open_unix_connection(str(self._socket))
                except OSError:
                    pass  # made, not yet listening
                else:
                    writer.close()
                    return
            await asyncio.sleep(_POLL_S)
        reason = "did not serve in time" if self.is_alive else "ended"
        log.error("[%s] the process %s before its first request", self.function.slug, reason)
        raise errors.boot_error()

    def begin(self) -> None:
        """A request begins."""
        if self.open_requests == 0 and self._process is not None:
            self._cpu_mark = cpu_seconds(self._process.pid)
        self.open_requests += 1

    def end(self) -> None:
        """A request has its answer."""
        self.open_requests -= 1
        self.last_used = time.monotonic()
        if self._process is not None:
            self._cpu_mark = cpu_seconds(self._process.pid)

    def end_socket(self) -> None:
        """A WebSocket has ended. While one is open, nothing is known of the processor time that its messages take."""
        self.open_sockets -= 1
        self.last_used = time.monotonic()

    async def failure(self) -> errors.FunctionError:
        """Why a request has no answer, after the connection broke."""
        code = None
        if self._process is not None:
            # The end of a process is known a moment after that of its connections, on a busy machine a long one.
            with contextlib.suppress(TimeoutError):
                code = await asyncio.wait_for(self._process.wait(), _END_S)
        return errors.worker_limit() if self.limit_reached or code in _V8_OUT_OF_MEMORY else errors.worker_error()

    async def is_idle(self) -> bool:
        """Whether nothing is open: no request, WebSocket, or promise given to EdgeRuntime.waitUntil."""
        if self.open_requests or self.open_sockets:
            return False
        try:
            answer = await self._tell("state")
        except httpx.HTTPError:
            return not self.is_alive
        return bool(answer.json()["pending"] == 0)

    async def is_working(self) -> bool:
        """Whether a request is open, or a promise given to EdgeRuntime.waitUntil; a WebSocket may be open for ever."""
        if self.open_requests:
            return True
        try:
            answer = await self._tell("state")
        except httpx.HTTPError:
            return self.is_alive  # too busy to say
        return bool(answer.json()["pending"])

    async def stop(self, reason: str) -> None:
        """End the process: by its own unloading, then by force after STOP_S."""
        process = self._process
        if process is not None and process.returncode is None:
            with contextlib.suppress(httpx.HTTPError):
                if self._socket.exists():
                    await self._tell(reason)
            try:
                await asyncio.wait_for(process.wait(), STOP_S if reason != "boot" else _POLL_S)
            except TimeoutError:
                self._kill()
                await process.wait()
        if self._logs:
            # Its last lines say why it ended. Not for ever: a process that it started may hold its pipes.
            await asyncio.wait(self._logs, timeout=LAST_LINES_S)
        tasks = [*self._logs, *([self._watching] if self._watching is not None else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.client.aclose()
        await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)

    async def _tell(self, what: str) -> httpx.Response:
        headers = {"x-muster-worker": f"{self._secret} {what}"}
        return await self.client.get("http://worker/", headers=headers, timeout=1.0)

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)

    async def _watch(self) -> None:
        """Kill the process when it uses more memory, or more processor time without answering, than is allowed."""
        process, settings = self._process, self._settings
        assert process is not None
        while process.returncode is None:
            await asyncio.sleep(_WATCH_S)
            if not self.open_requests:
                continue
            used = cpu_seconds(process.pid) - self._cpu_mark
            if used > settings.cpu_s * self.open_requests:
                self._exceed(f"used {used:.1f} s of processor time")
            elif (memory := memory_mb(process.pid)) > settings.memory_mb * 1.5:
                self._exceed(f"used {memory:.0f} MiB of memory")

    def _exceed(self, what: str) -> None:
        log.error("[%s] the process was stopped: it %s", self.function.slug, what)
        self.limit_reached = True
        self._kill()

    async def _log(self, stream: asyncio.StreamReader, level: int) -> None:
        """Hand lines to our log, and at most so many bytes a second: a loop that prints must not fill the disk."""
        window, budget, dropped = 0, _LOG_BYTES_PER_S, 0
        while True:
            try:
                line = await stream.readline()
            except ValueError:  # longer than the buffer, which is dropped
                line = b"(a line that is too long)\n"
            if not line:
                return
            second = int(time.monotonic())
            if second != window:
                if dropped:
                    log.warning("[%s] %d bytes of its log were dropped", self.function.slug, dropped)
                window, budget, dropped = second, _LOG_BYTES_PER_S, 0
            budget -= len(line)
            if budget < 0:
                dropped += len(line)
                continue
            log.log(level, "[%s] %s", self.function.slug, line.decode("utf8", "replace").rstrip("\n"))
