"""muster up, down, status: one stack of this machine."""

import os
import shlex
import signal
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from muster_cli.output import EXIT_NOT_RUNNING, UserError, out, print_json, print_pairs, talk
from muster_cli.stack import compose
from muster_cli.stack.home import Home, RunState, find_home
from muster_cli.stack.secrets import Secrets

app = typer.Typer()
ADMIN_EMAIL = "chief@muster.test"
MEMBER_EMAIL = "dana@muster.test"

StackOption = Annotated[str, typer.Option("--stack", envvar="MUSTER_STACK", help="emulator or containers.")]
HomeOption = Annotated[
    Path | None, typer.Option("--home", envvar="MUSTER_HOME", help="State folder of the stack.", show_default=".muster")
]


@app.command()
def up(
    home: HomeOption = None,
    port: Annotated[int, typer.Option(envvar="MUSTER_PORT", min=1, max=65530, help="Port of web and API.")] = 54321,
    detach: Annotated[bool, typer.Option("--detach", "-d", help="Go on in the background.")] = False,
    postgres: Annotated[
        str, typer.Option(help="Whose PostgreSQL: embedded (17, from npm) or system (>= 15).")
    ] = "embedded",
    database_url: Annotated[
        str | None,
        typer.Option(envvar="MUSTER_DATABASE_URL", help="Use this running PostgreSQL; a superuser's URL."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that serve; one a core is enough.")] = 1,
    seed: Annotated[bool, typer.Option(help="Fill an empty database with the demo community.")] = True,
    web: Annotated[bool, typer.Option(help="Build and serve the web application.")] = True,
    stack: StackOption = "emulator",
    host: Annotated[
        str, typer.Option(envvar="MUSTER_HOST", help="Address to listen on; others than this machine's need SMTP_HOST.")
    ] = "127.0.0.1",
    public_url: Annotated[
        str | None, typer.Option(envvar="MUSTER_PUBLIC_URL", help="The origin people type, when a proxy is in front.")
    ] = None,
    log_format: Annotated[str, typer.Option(envvar="MUSTER_LOG_FORMAT", help="Log lines as text or json.")] = "text",
    log_requests: Annotated[
        str,
        typer.Option(envvar="MUSTER_LOG_REQUESTS", help="Requests with a log line: failed (and slow), all, none."),
    ] = "failed",
) -> None:
    """Start everything: install, build, database, services; then serve until Ctrl-C.

    With --stack containers: build and start docker-compose.yml in the background, as .env says.

    Example: ./muster up --port 8080 --home ~/second-stack
    """
    if stack == "containers":
        compose.up()
        talk.print(f"  {compose.read_env()['PUBLIC_URL']}")
        return
    from emulator.observe.logs import LogSettings
    from emulator.settings import SettingsError
    from muster_cli.stack.emulator import Again, Options, PostgresChoice, Started, run, start_detached

    if postgres not in ("embedded", "system"):
        raise UserError(f"--postgres is embedded or system, not {postgres!r}")
    try:
        LogSettings.from_env({**os.environ, "MUSTER_LOG_FORMAT": log_format, "MUSTER_LOG_REQUESTS": log_requests})
    except SettingsError as error:
        raise UserError(str(error), 2) from error
    found = find_home(home)
    choice: PostgresChoice = "system" if postgres == "system" else "embedded"
    options = Options(
        found,
        port=port,
        postgres=choice,
        database_url=database_url,
        seed=seed,
        web=web,
        host=host,
        workers=workers,
        public_url=public_url,
        log_format=log_format,
        log_requests=log_requests,
    )
    if detach:
        arguments = ["--home", str(found.path), "--port", str(port), "--postgres", postgres]
        arguments += ["--host", host, *(["--public-url", public_url] if public_url else [])]
        arguments += ["--workers", str(workers), "--log-format", log_format, "--log-requests", log_requests]
        arguments += ["--seed" if seed else "--no-seed", "--web" if web else "--no-web"]
        if database_url:
            os.environ["MUSTER_DATABASE_URL"] = database_url  # not an argument: the process list shows those
        state = start_detached(options, arguments)
        _welcome(state, found)
        return
    began = time.monotonic()

    def ready(started: Started) -> None:
        _welcome(started.state, found)
        talk.print(f"  Ready in {time.monotonic() - began:.1f} s. Ctrl-C stops everything.")

    try:
        run(options, ready)
    except Again:
        talk.print("  Starting again.")
        os.execv(sys.executable, [sys.executable, "-m", "muster_cli", *sys.argv[1:]])
    talk.print("  Stopped.")


@app.command()
def down(home: HomeOption = None, stack: StackOption = "emulator") -> None:
    """Stop the stack; its data stays.

    Example: ./muster down
    """
    if stack == "containers":
        compose.down()
        return
    found = find_home(home)
    state = found.running()
    if state is None:
        talk.print("  Nothing runs.")
        return
    with suppress(ProcessLookupError):
        os.kill(state.pid, signal.SIGTERM)
    deadline = time.monotonic() + 30
    while found.is_held():
        if time.monotonic() > deadline:
            raise UserError(f"process {state.pid} does not stop; its log is in {found.logs}")
        time.sleep(0.05)
    talk.print("  Stopped.")


@app.command()
def restart(home: HomeOption = None, stack: StackOption = "emulator") -> None:
    """Stop the stack and start it again with the options it was started with. Requests in hand are finished first.

    Example: ./muster restart
    """
    if stack == "containers":
        compose.run("restart")
        return
    from muster_cli.stack.restart import restart as begin_again

    found = find_home(home)
    if found.running() is None:
        raise UserError(f"nothing runs in {found.path}: ./muster up starts it", EXIT_NOT_RUNNING)
    _welcome(begin_again(found), found)


@app.command()
def status(
    home: HomeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")] = False,
    as_env: Annotated[bool, typer.Option("--env", help="NAME='value' lines for a shell on stdout.")] = False,
) -> None:
    """Say whether the stack runs, and where. Exit code 3 when it does not.

    Example: eval "$(./muster status --env)"
    """
    found = find_home(home)
    state = found.running()
    if state is None:
        if as_json:
            print_json({"running": False, "home": str(found.path)})
        else:
            talk.print(f"  Nothing runs in {found.path}. ./muster up starts it.")
        raise typer.Exit(EXIT_NOT_RUNNING)
    values = environment(state, found.secrets())
    if as_env:
        sys.stdout.write("".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items()))
    elif as_json:
        facts = vars(state) | {"has_demo": demo_holds(state, found.secrets())}
        print_json({"running": True, "healthy": healthy(state), "home": str(found.path), **facts, "env": values})
    else:
        _welcome(state, found)
        word = "healthy" if healthy(state) else "NOT healthy"
        out.print(f"  Running since {state.started_at} as process {state.pid}, {word}.")


def environment(state: RunState, secrets: Secrets) -> dict[str, str]:
    """The names that the official CLI's `status -o env` uses, and the demo accounts."""
    return {
        "API_URL": state.url,
        "REST_URL": f"{state.url}/rest/v1",
        "FUNCTIONS_URL": f"{state.url}/functions/v1",
        "DB_URL": f"postgresql://postgres:{secrets.postgres_password}@127.0.0.1:{state.database_port}/postgres",
        "MAILPIT_URL": f"{state.url}/mail",
        "INBUCKET_URL": f"{state.url}/mail",
        "PUBLISHABLE_KEY": secrets.publishable_key,
        "SECRET_KEY": secrets.secret_key,
        "ANON_KEY": secrets.anon_key,
        "SERVICE_ROLE_KEY": secrets.service_role_key,
        "JWT_SECRET": secrets.jwt_secret,
        "DEMO_ADMIN_EMAIL": ADMIN_EMAIL,
        "DEMO_MEMBER_EMAIL": MEMBER_EMAIL,
        "DEMO_PASSWORD": secrets.demo_password,
    }


def healthy(state: RunState) -> bool:
    """Whether the gateway and every service behind it answers."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{state.port}/healthz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def demo_holds(state: RunState, secrets: Secrets) -> bool:
    """Whether one can sign in as the demo member: a reset, a restore or a person may have changed that since the start.

    What the start found, while the database does not answer.
    """
    import bcrypt
    import psycopg

    try:
        with psycopg.connect(environment(state, secrets)["DB_URL"], connect_timeout=2) as connection:
            query = "select encrypted_password from auth.users where email = %s"
            row = connection.execute(query, (MEMBER_EMAIL,)).fetchone()
        return row is not None and bcrypt.checkpw(secrets.demo_password.encode(), row[0].encode())
    except (psycopg.Error, ValueError):
        return state.has_demo


def _welcome(state: RunState, home: Home) -> None:
    secrets = home.secrets()
    out.print()
    print_pairs(
        {
            "  Muster": f"[link={state.url}]{state.url}[/link]",
            "  Mailbox": f"{state.url}/mail",
            **(_demo_accounts(secrets) if demo_holds(state, secrets) else {}),
            "  Keys": f"{home.path / 'secrets.json'}  (or ./muster status --env)",
        }
    )
    out.print()


def _demo_accounts(secrets: Secrets) -> dict[str, str]:
    return {
        "  Member": f"{MEMBER_EMAIL}  {secrets.demo_password}",
        "  Admin": f"{ADMIN_EMAIL}  {secrets.demo_password}",
    }
