"""muster up, down, restart, status: one stack of this machine."""

import inspect
import os
import shlex
import sys
import time
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from emulator.db.script import Failure
from muster_cli.commands.options import HomeOption, JsonOption, LocalStackOption, YesOption, confirm
from muster_cli.extension import load_extension
from muster_cli.output import EXIT_FAILED, EXIT_NOT_RUNNING, UserError, out, print_json, print_pairs, run_command, talk
from muster_cli.project.constants import S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY
from muster_cli.project.declaration import read_declaration
from muster_cli.project.find import current, require
from muster_cli.project.read import load
from muster_cli.stack import compose
from muster_cli.stack.home import Home, RunState, find_home
from muster_cli.stack.options import Options
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.start_report import read_report
from muster_cli.stack.variables import read_variables_of_person

app = typer.Typer()

DEFAULT_PORT = 54321
OUTPUTS = ("pretty", "env", "json")
# The official CLI's keys for what `status -o env` prints.
OVERRIDABLE = {
    "api.url": "API_URL", "api.rest_url": "REST_URL", "api.graphql_url": "GRAPHQL_URL",
    "api.functions_url": "FUNCTIONS_URL", "api.storage_s3_url": "STORAGE_S3_URL", "db.url": "DB_URL",
    "mailpit.url": "MAILPIT_URL", "inbucket.url": "INBUCKET_URL", "auth.publishable_key": "PUBLISHABLE_KEY",
    "auth.secret_key": "SECRET_KEY", "auth.jwt_secret": "JWT_SECRET", "auth.anon_key": "ANON_KEY",
    "auth.service_role_key": "SERVICE_ROLE_KEY", "storage.s3_access_key_id": "S3_PROTOCOL_ACCESS_KEY_ID",
    "storage.s3_secret_access_key": "S3_PROTOCOL_ACCESS_KEY_SECRET", "storage.s3_region": "S3_PROTOCOL_REGION",
}  # fmt: skip


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
            help="Addresses and networks whose X-Forwarded-For is believed; with --public-url loopback.",
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
    log_format: Annotated[str, typer.Option(envvar="MUSTER_LOG_FORMAT", help="Log lines as text or json.")] = "text",
    log_requests: Annotated[
        str,
        typer.Option(envvar="MUSTER_LOG_REQUESTS", help="Which requests are logged: failed (and slow), all, none."),
    ] = "failed",
) -> None:
    """Start everything (install, build, database, services) and serve until Ctrl-C.

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
        log_requests=log_requests, variables_file=None if variables_file is None else variables_file.resolve(),
    )  # fmt: skip
    options.refuse_open_mailbox(read_variables_of_person(options))
    if loaded is not None:
        for warning in loaded.warnings:
            _warn(warning)
    if detach:
        from muster_cli.stack.background import start_detached

        try:
            state = start_detached(options, lambda: run_command(lambda: _serve(options)))
        except UserError:
            if as_json:
                print_json(_document(None, options.home))
            raise
        if as_json:
            print_json(_document(state, options.home))
        else:
            _welcome(state, options.home)
        report = read_report(options.home.path)
        failed = report["migrations"]["failed"] or report["seeds"]["failed"]
        if failed:
            raise UserError(f"{Failure(**failed)} (what was there before is served)")
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
    talk.print("  It is running already.")
    if options["as_json"]:
        print_json(_document(state, found))
    else:
        _welcome(state, found)


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


def _serve(options: Options) -> int:
    """Serve in this process, for an exit code; asked to restart, it becomes a new one with the same arguments."""
    from muster_cli.stack.emulator import Started, run
    from muster_cli.stack.serve import RestartRequested

    began = time.monotonic()
    failed: list[Failure] = []

    def ready(started: Started) -> None:
        _welcome(started.state, options.home)
        for warning in started.report.warnings[len(options.loaded.warnings) if options.loaded else 0 :]:
            _warn(warning)
        if started.report.failure is not None:
            failed.append(started.report.failure)
            talk.print(
                f"muster: {failed[0]} (what was there before is served)", style="red", markup=False, soft_wrap=True
            )
        talk.print(f"  Ready in {time.monotonic() - began:.1f} s. Ctrl-C stops everything.")

    try:
        run(options, ready)
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
    _welcome(restart_stack(found), found)


@app.command()
def status(
    home: HomeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    as_env: Annotated[
        bool, typer.Option("--env", help="NAME=value lines for a shell on stdout, quoted where needed.")
    ] = False,
    output: Annotated[
        str, typer.Option("--output", "-o", help="pretty, env or json, as the official CLI prints them.")
    ] = "pretty",
    override_name: Annotated[
        list[str] | None,
        typer.Option("--override-name", metavar="KEY=NAME", help="With -o: another name, such as api.url=MY_URL."),
    ] = None,
) -> None:
    """Show whether the stack runs, and its addresses. Exit code 3 when it does not run.

    Example: eval "$(./muster status --env)"
    """
    if output not in OUTPUTS:
        raise UserError(f"--output is {', '.join(OUTPUTS)}, not {output!r}", 2)
    found = find_home(home)
    state = found.running()
    if state is None:
        holder = found.holder()
        if as_json:
            print_json({"running": False, "home": str(found.path)})
        elif holder is not None:
            talk.print(
                f"  Process {holder} has the stack in {found.path}: it is starting or stopping, or its state.json is"
                " damaged. ./muster down ends it.", markup=False, soft_wrap=True,
            )  # fmt: skip
        else:
            talk.print(f"  No stack is running in {found.path}. ./muster up starts it.", markup=False, soft_wrap=True)
        raise typer.Exit(EXIT_NOT_RUNNING)
    has_seed = has_seed_accounts(state, found.secrets())
    values = environment(state, found.secrets(), has_seed=has_seed)
    if output != "pretty":
        named = {name: values[known] for known, name in _names(values, override_name or []).items()}
        if output == "json":
            print_json(named)
        else:
            sys.stdout.write("".join(f'{name}="{value}"\n' for name, value in named.items()))
    elif as_env:
        sys.stdout.write("".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items()))
    elif as_json:
        facts = vars(state) | {"has_demo": has_seed}
        document = {"running": True, "healthy": healthy(state), "home": str(found.path), **facts, "env": values}
        print_json({**document, **values, **read_report(found.path)})
    else:
        _welcome(state, found)
        word = "healthy" if healthy(state) else "NOT healthy"
        out.print(f"  Running since {state.started_at} as process {state.pid}, {word}.")


def _names(values: Mapping[str, str], overrides: Sequence[str]) -> dict[str, str]:
    """The name to print of each value. Raises UserError for an override of something unknown."""
    names = {name: name for name in values}
    for override in overrides:
        key, _, name = override.partition("=")
        known = OVERRIDABLE.get(key)
        if known is None or not name:
            raise UserError(f"--override-name is KEY=NAME with one of {', '.join(OVERRIDABLE)}, not {override!r}", 2)
        if known in names:
            names[known] = name
    return names


def _document(state: RunState | None, home: Home) -> dict[str, Any]:
    """What `up --json` prints: the names of `status --env`, and what the start did. Without a stack only the latter."""
    if state is None:
        return read_report(home.path)
    secrets = home.secrets()
    values = environment(state, secrets, has_seed=has_seed_accounts(state, secrets))
    return {**values, **read_report(home.path)}


def environment(state: RunState, secrets: Secrets, *, has_seed: bool) -> dict[str, str]:
    """The names that the official CLI's `status -o env` uses, and the seed's accounts where there are any."""
    accounts = load_extension().seed_accounts if has_seed else {}
    # The keys of a project's stack are public; those of other stacks are in their variables.
    s3_keys = (
        {
            "S3_PROTOCOL_ACCESS_KEY_ID": S3_ACCESS_KEY,
            "S3_PROTOCOL_ACCESS_KEY_SECRET": S3_SECRET_KEY,
            "S3_PROTOCOL_REGION": S3_REGION,
        }
        if read_declaration(current()).configuration == "project"
        else {}
    )
    mailbox = {"MAILPIT_URL": f"{state.api}/mail", "INBUCKET_URL": f"{state.api}/mail"} if state.has_mailbox else {}
    return {
        "API_URL": state.url,
        "REST_URL": f"{state.url}/rest/v1",
        "FUNCTIONS_URL": f"{state.url}/functions/v1",
        "STORAGE_S3_URL": f"{state.url}/storage/v1/s3",
        "DB_URL": database_url(state, secrets),
        **mailbox,
        "PUBLISHABLE_KEY": secrets.publishable_key,
        "SECRET_KEY": secrets.secret_key,
        "ANON_KEY": secrets.anon_key,
        "SERVICE_ROLE_KEY": secrets.service_role_key,
        "JWT_SECRET": secrets.jwt_secret,
        **s3_keys,
        **{f"DEMO_{role.upper()}_EMAIL": email for role, email in accounts.items()},
        **({"DEMO_PASSWORD": secrets.demo_password} if accounts else {}),
    }


def database_url(state: RunState, secrets: Secrets) -> str:
    """The database as role postgres."""
    return f"postgresql://postgres:{secrets.postgres_password}@127.0.0.1:{state.database_port}/postgres"


def healthy(state: RunState) -> bool:
    """Whether the gateway and every service behind it answers."""
    try:
        with urllib.request.urlopen(f"{state.api}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def has_seed_accounts(state: RunState, secrets: Secrets) -> bool:
    """Whether the seed's accounts can sign in: a reset, a restore or a person may have changed that since the start.

    What the start found, while the database does not answer.
    """
    import bcrypt
    import psycopg

    accounts = list(load_extension().seed_accounts.values())
    if not accounts:
        return False
    try:
        with psycopg.connect(database_url(state, secrets), connect_timeout=2) as connection:
            query = "select encrypted_password from auth.users where email = %s"
            row = connection.execute(query, (accounts[0],)).fetchone()
        return row is not None and bcrypt.checkpw(secrets.demo_password.encode(), row[0].encode())
    except (psycopg.Error, ValueError):
        return state.has_demo


def _welcome(state: RunState, home: Home) -> None:
    secrets = home.secrets()
    accounts = load_extension().seed_accounts if has_seed_accounts(state, secrets) else {}
    out.print()
    print_pairs(
        {
            "  Muster": state.url,
            **({"  Mailbox": f"{state.api}/mail"} if state.has_mailbox else {}),
            **{f"  {role.capitalize()}": f"{email}  {secrets.demo_password}" for role, email in accounts.items()},
            "  Keys": f"{home.path / 'secrets.json'}  (or ./muster status --env)",
        }
    )
    out.print()
