"""muster up, down, restart and their names in the official CLI: one stack of this machine."""

import inspect
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from emulator.db.failure import Failure
from muster_cli.commands.options import HomeOption, JsonOption, LocalStackOption, YesOption, confirm
from muster_cli.commands.status import document, welcome
from muster_cli.output import EXIT_FAILED, EXIT_NOT_RUNNING, UserError, print_json, run_command, talk
from muster_cli.project.declaration import read_declaration
from muster_cli.project.find import require
from muster_cli.project.read import load
from muster_cli.stack import compose
from muster_cli.stack.home import find_home
from muster_cli.stack.options import Options
from muster_cli.stack.start_report import read_report
from muster_cli.stack.variables import read_variables_of_person

app = typer.Typer()

DEFAULT_PORT = 54321


@app.command()
def up(
    home: HomeOption = None,
    port: Annotated[
        int | None,
        typer.Option(
            envvar="MUSTER_PORT", min=1, max=65530, help="Port of web and API.", show_default="54321, or the project's"
        ),
    ] = None,
    database_port: Annotated[
        int | None,
        typer.Option(
            envvar="MUSTER_DATABASE_PORT",
            min=1024,
            max=65535,
            help="Port of PostgreSQL.",
            show_default="the project's, or the one after --port",
        ),
    ] = None,
    as_json: JsonOption = False,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Run in the background.")] = False,
    postgres: Annotated[
        str,
        typer.Option(
            envvar="MUSTER_POSTGRES", help="Which PostgreSQL: embedded (17, from npm) or system (15 or newer)."
        ),
    ] = "embedded",
    database_url: Annotated[
        str | None,
        typer.Option(envvar="MUSTER_DATABASE_URL", help="A running PostgreSQL to use instead; a superuser's URL."),
    ] = None,
    workers: Annotated[
        int, typer.Option(envvar="MUSTER_WORKERS", min=1, max=64, help="Processes that serve; one per core is enough.")
    ] = 1,
    seed: Annotated[
        bool | None,
        typer.Option(
            "--seed/--no-seed",
            envvar="MUSTER_SEED",
            help="Fill an empty database with the seed; by default only where no other machine reaches the stack.",
        ),
    ] = None,
    web: Annotated[bool, typer.Option(envvar="MUSTER_WEB", help="Build and serve the web application.")] = True,
    stack: LocalStackOption = "emulator",
    host: Annotated[
        str, typer.Option(envvar="MUSTER_HOST", help="Address to listen on; anything but loopback needs SMTP_HOST.")
    ] = "127.0.0.1",
    public_url: Annotated[
        str | None,
        typer.Option(envvar="MUSTER_PUBLIC_URL", help="The public origin, when a proxy is in front; needs SMTP_HOST."),
    ] = None,
    trusted_proxy: Annotated[
        str | None,
        typer.Option(
            envvar="MUSTER_TRUSTED_PROXY",
            metavar="ADDRESS,...",
            help="Addresses and networks whose X-Forwarded-For is believed, or none; with --public-url loopback.",
        ),
    ] = None,
    variables_file: Annotated[
        Path | None,
        typer.Option(
            envvar="MUSTER_VARIABLES_FILE",
            help="NAME=value lines for the services, over the stack's own.",
            show_default="variables.env in the home",
        ),
    ] = None,
    test_control: Annotated[
        bool,
        typer.Option(
            envvar="MUSTER_TEST_CONTROL",
            help="Serve /control/v1, by which test runners make branches, turn clocks and cause faults.",
            show_default="off",
        ),
    ] = False,
    log_format: Annotated[str, typer.Option(envvar="MUSTER_LOG_FORMAT", help="Log lines as text or json.")] = "text",
    log_requests: Annotated[
        str,
        typer.Option(envvar="MUSTER_LOG_REQUESTS", help="Which requests are logged: failed (and slow), all, none."),
    ] = "failed",
) -> None:
    """Start everything (install, build, database, services) and serve until Ctrl-C.

    The database takes the port after --port, and mail the fourth after it; where they are taken, others (see status).
    With --stack containers: build and start docker-compose.yml in the background, as .env says.

    Example: ./muster up --port 8080 --home ~/second-stack
    """
    if stack == "containers":
        compose.up()
        talk.print(f"  {compose.read_env()['PUBLIC_URL']}")
        return
    _check_logging(log_format, log_requests)
    found = require()
    loaded = None if read_declaration(found).configuration == "services" else load(found, os.environ)
    if loaded is not None and port is None:
        port, database_port = loaded.config.api.port, database_port or loaded.config.db.port
    options = Options(
        find_home(home), found, loaded, host=host, port=port or DEFAULT_PORT, database_port=database_port,
        postgres=postgres, database_url=database_url, seed=seed, web=web,
        workers=workers, public_url=public_url, trusted_proxy=trusted_proxy, log_format=log_format,
        log_requests=log_requests, test_control=test_control,
        variables_file=None if variables_file is None else variables_file.resolve(),
    )  # fmt: skip
    options.refuse_open_mailbox(read_variables_of_person(options))
    if loaded is not None:
        for warning in loaded.warnings:
            _warn(warning)
    if detach:
        from muster_cli.stack.background import start_detached

        try:
            state = start_detached(options, lambda: run_command(lambda: _serve(options, is_watched=False)))
        except UserError:
            if as_json:
                print_json(document(None, options.home))
            raise
        if as_json:
            print_json(document(state, options.home))
        else:
            welcome(state, options.home)
        report = read_report(options.home.path)
        failed = report["migrations"]["failed"] or report["seeds"]["failed"]
        if failed:
            raise UserError(f"{Failure(**failed)} (the stack keeps serving what it had)")
        for warning in report["warnings"][len(loaded.warnings) if loaded else 0 :]:
            _warn(warning)
    elif code := _serve(options):
        raise typer.Exit(code)


def _start(*arguments: Any, **options: Any) -> None:
    """Start the stack in the background, as the official CLI does; one that runs is left alone.

    Example: ./muster start
    """
    found = find_home(options["home"])
    state = found.running()
    if state is None or options["stack"] == "containers":
        up(*arguments, **options)
        return
    talk.print("  Already running.")
    if options["as_json"]:
        print_json(document(state, found))
    else:
        welcome(state, found)


def _with_options_of_up(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of `up`, which runs in the background unless told otherwise."""
    shape = inspect.signature(up)
    changed = [
        parameter.replace(default=True) if name == "detach" else parameter
        for name, parameter in shape.parameters.items()
    ]
    command.__signature__ = shape.replace(parameters=changed)  # type: ignore[attr-defined]
    command.__annotations__ = up.__annotations__
    return command


app.command("start")(_with_options_of_up(_start))


def _warn(text: str) -> None:
    talk.print(f"WARN: {text}", style="yellow", markup=False, soft_wrap=True)


def _check_logging(log_format: str, log_requests: str) -> None:
    from emulator.observe.logs import LogSettings
    from emulator.settings import SettingsError

    try:
        LogSettings.from_env({**os.environ, "MUSTER_LOG_FORMAT": log_format, "MUSTER_LOG_REQUESTS": log_requests})
    except SettingsError as error:
        raise UserError(str(error), 2) from error


def _serve(options: Options, *, is_watched: bool = True) -> int:
    """Serve in this process, for an exit code; asked to restart, it becomes a new one with the same arguments.

    Nobody is welcomed in the background: to look whether the demo's password still holds takes 0.1 s and bcrypt.
    """
    from muster_cli.db.branch_source import branch_source
    from muster_cli.stack.emulator import Started, run
    from muster_cli.stack.serve import RestartRequested

    began = time.monotonic()
    failed: list[Failure] = []

    def ready(started: Started) -> None:
        if is_watched:
            welcome(started.state, options.home)
        for warning in started.report.warnings[len(options.loaded.warnings) if options.loaded else 0 :]:
            _warn(warning)
        if started.report.failure is not None:
            failed.append(started.report.failure)
            talk.print(
                f"muster: {failed[0]} (the stack keeps serving what it had)", style="red", markup=False, soft_wrap=True
            )
        talk.print(f"  Ready in {time.monotonic() - began:.1f} s. Ctrl-C stops everything.")

    try:
        run(options, ready, branch_source)
    except RestartRequested:
        talk.print("  Restarting.")
        os.execv(sys.executable, [sys.executable, "-m", "muster_cli", *sys.argv[1:]])
    talk.print("  Stopped.")
    return EXIT_FAILED if failed else 0


@app.command()
def down(home: HomeOption = None, stack: LocalStackOption = "emulator") -> None:
    """Stop the stack; its data is kept.

    Example: ./muster down
    """
    if stack == "containers":
        compose.down()
        return
    from muster_cli.stack.stop import stop

    talk.print("  Stopped." if stop(find_home(home)) else "  No stack is running.")


@app.command("stop")
def stop_command(
    home: HomeOption = None,
    stack: LocalStackOption = "emulator",
    no_backup: Annotated[bool, typer.Option("--no-backup", help="Delete its data, too, as destroy does.")] = False,
    yes: YesOption = False,
) -> None:
    """Stop the stack, as the official CLI names it; its data is kept.

    Example: ./muster stop
    """
    if no_backup:
        destroy(home, stack, yes)
    else:
        down(home, stack)


@app.command()
def destroy(home: HomeOption = None, stack: LocalStackOption = "emulator", yes: YesOption = False) -> None:
    """Stop the stack and delete everything it has: database, secrets, mails, logs. There is no way back.

    Example: ./muster destroy --home ~/second-stack --yes
    """
    from muster_cli.stack.stop import destroy as destroy_home
    from muster_cli.stack.stop import folders

    if stack == "containers":
        compose.read_env()
        confirm("Delete the containers and their volumes, database included?", yes)
        compose.down(volumes=True)
        return
    found = find_home(home)
    doomed = folders(found)
    confirm(f"Delete the stack in {' and '.join(map(str, doomed))}, database included?", yes)
    destroy_home(found)
    for folder in doomed:
        talk.print(f"  {folder} is deleted.", markup=False)


@app.command()
def restart(home: HomeOption = None, stack: LocalStackOption = "emulator") -> None:
    """Stop the stack and start it again with the options it was started with. Requests in flight are finished first.

    Example: ./muster restart
    """
    if stack == "containers":
        compose.run("restart")
        return
    from muster_cli.stack.restart import restart as restart_stack

    found = find_home(home)
    if found.running() is None:
        raise UserError(f"no stack is running in {found.path}: ./muster up starts it", EXIT_NOT_RUNNING)
    welcome(restart_stack(found), found)
