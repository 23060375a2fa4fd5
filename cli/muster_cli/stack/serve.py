"""Serve the emulator in this process: beside its PostgreSQL, with other processes where workers are wanted."""

import asyncio
import shutil
import signal
import socket
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from emulator.asgi.server import bind_unix, make_server, run_server
from emulator.branches.base import Source
from emulator.db.cluster import Cluster
from muster_cli.output import UserError
from muster_cli.stack.log_files import keep_small
from muster_cli.stack.options import Options
from muster_cli.stack.postgres import keep_running
from muster_cli.stack.workers import Workers, shared_environment

if TYPE_CHECKING:
    from emulator.app import Emulator

RESTART_SIGNAL = signal.SIGUSR1  # not SIGHUP: a terminal that is closed sends that


class RestartRequested(Exception):
    """The stack was asked by RESTART_SIGNAL to stop and start again."""


def serve(
    env: Mapping[str, str],
    listener: socket.socket,
    cluster: Cluster | None,
    ready: Callable[[Sequence[str]], None],
    options: Options,
    branch_source: Source | None = None,
) -> None:
    """Serve until a signal comes. Raises UserError, ClusterError, RestartRequested.

    `ready` is called when all processes serve and are healthy, or with the names of the services that still are not
    after a while.
    """
    from emulator.app import build  # imported late: a refused port or a missing Node.js answers at once
    from emulator.observe.logs import LogSettings, configure
    from emulator.settings import SettingsError

    configure(LogSettings.from_env(env))

    run = options.home.run_folder()
    shutil.rmtree(run / "metrics", ignore_errors=True)  # of processes that a former start had
    try:
        emulator = build(shared_environment(env, run) if options.workers > 1 else env, branch_source)
    except SettingsError as error:
        raise UserError(str(error)) from error
    server = make_server(
        emulator.app, ws_protocol=emulator.ws_protocol, max_body_bytes=None, proxies=emulator.settings.trusted_proxies,
        observer=emulator.observer, is_abortable=options.test_control,
    )  # fmt: skip
    again = False

    others: list[asyncio.Task[None]] = []
    workers = Workers(options.workers - 1, shared_environment(env, run), listener, run) if options.workers > 1 else None
    unwell: list[str] = []

    def end_others() -> None:
        """The other processes stop taking requests when this one does, not when it has answered its last."""
        for task in others:
            task.cancel()

    def begin_again() -> None:
        nonlocal again
        again = server.should_exit = True
        end_others()

    async def main() -> None:
        asyncio.get_running_loop().add_signal_handler(RESTART_SIGNAL, begin_again)
        serving = asyncio.ensure_future(
            run_server(
                server,
                listener,
                lambda _: ready(unwell),
                end_others,
                until=partial(_wait_until_healthy, emulator, workers, unwell),
            )
        )
        logging_to = asyncio.ensure_future(keep_small(options.home.logs))
        beside = [asyncio.ensure_future(keep_running(cluster))] if cluster is not None else []
        if emulator.control is not None:
            control = make_server(emulator.control, lifespan="off", max_body_bytes=None)
            beside.append(asyncio.ensure_future(control.serve(sockets=[bind_unix(options.home.control_socket())])))
        if workers is not None:
            inner, inner_listener = workers.first_process_server(emulator)
            others.append(asyncio.ensure_future(workers.run()))
            beside += [*others, asyncio.ensure_future(inner.serve(sockets=[inner_listener]))]
        await asyncio.wait([serving, *beside], return_when=asyncio.FIRST_COMPLETED)
        failed = [task for task in beside if task.done() and not task.cancelled()]
        server.should_exit = True
        for task in (*beside, logging_to):
            task.cancel()
        await asyncio.gather(serving, *beside, logging_to, return_exceptions=True)
        for task in [serving, *failed]:
            task.result()

    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(main())
    if not server.started:
        raise UserError(f"the services did not start: {server.failure or 'the lines above say why'}")
    if again:
        raise RestartRequested


async def _wait_until_healthy(emulator: "Emulator", workers: Workers | None, unwell: list[str]) -> None:
    """Wait for every process; `unwell` gets the names of services that take too long."""
    if workers is not None:
        await workers.wait_until_ready()
    unwell += await emulator.wait_until_healthy()
