"""muster status, and what every command says of a running stack: addresses, keys, what its start did."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

from muster_cli.commands.options import HomeOption
from muster_cli.extension import load_extension
from muster_cli.output import EXIT_NOT_RUNNING, UserError, out, print_json, print_pairs, talk
from muster_cli.project.constants import S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY
from muster_cli.project.declaration import read_declaration
from muster_cli.project.find import current
from muster_cli.stack.home import Home, RunState, find_home
from muster_cli.stack.secrets import Secrets
from muster_cli.stack.start_report import read_report

app = typer.Typer()

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
        welcome(state, found)
        word = "healthy" if healthy(state) else "NOT healthy"
        out.print(f"  Running since {state.started_at} as process {state.pid}, {word}.")


@app.command()
def dashboard(home: HomeOption = None) -> None:
    """Print the address of the stack's dashboard with the secret key in it: requests and their SQL, tables, jobs.

    Example: ./muster dashboard
    """
    found = find_home(home)
    state = found.running()
    if state is None:
        raise UserError(f"no stack is running in {found.path}; ./muster up starts it", EXIT_NOT_RUNNING)
    if not state.has_dashboard:
        raise UserError("this stack has no dashboard: it is for stacks of one process that only this machine reaches")
    sys.stdout.write(f"{state.api}/_muster#key={found.secrets().secret_key}\n")


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


def document(state: RunState | None, home: Home) -> dict[str, Any]:
    """What `up --json` prints: the names of `status --env`, and what the start did. Without a stack only the latter."""
    if state is None:
        return read_report(home.path)
    secrets = home.secrets()
    values = environment(state, secrets, has_seed=has_seed_accounts(state, secrets))
    return {**values, **read_report(home.path)}


def environment(state: RunState, secrets: Secrets, *, has_seed: bool) -> dict[str, str]:
    """The names that the official CLI's `status -o env` uses, and the seed's accounts where there are any."""
    accounts = load_extension().seed_accounts if has_seed else {}
    # The keys of a project's stack are public; those of other stacks are theirs.
    is_project = read_declaration(current()).configuration == "project"
    s3_keys = {
        "S3_PROTOCOL_ACCESS_KEY_ID": S3_ACCESS_KEY if is_project else secrets.s3_access_key_id,
        "S3_PROTOCOL_ACCESS_KEY_SECRET": S3_SECRET_KEY if is_project else secrets.s3_access_key_secret,
        "S3_PROTOCOL_REGION": S3_REGION,
    }
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
    import urllib.request  # the process that serves has no use for it

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


def welcome(state: RunState, home: Home) -> None:
    secrets = home.secrets()
    accounts = load_extension().seed_accounts if has_seed_accounts(state, secrets) else {}
    out.print()
    print_pairs(
        {
            "  Muster": state.url,
            **({"  Mailbox": f"{state.api}/mail"} if state.has_mailbox else {}),
            **({"  Dashboard": f"{state.api}/_muster  (key: ./muster dashboard)"} if state.has_dashboard else {}),
            **{f"  {role.capitalize()}": f"{email}  {secrets.demo_password}" for role, email in accounts.items()},
            "  Keys": f"{home.path / 'secrets.json'}  (or ./muster status --env)",
        }
    )
    out.print()
