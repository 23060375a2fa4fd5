"""muster keys: the secrets of a stack, shown and rotated."""

import time
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, JsonOption, LocalStackOption, YesOption, confirm, home_of
from muster_cli.output import UserError, out, print_json, talk
from muster_cli.project.declaration import is_configured_by_services

app = typer.Typer()
SHOWN = ("anon_key", "service_role_key", "publishable_key", "secret_key", "jwt_secret")


@app.command("show")
def show(stack: LocalStackOption = "emulator", home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Print the API keys and the secret they are signed with.

    Example: ./muster keys show --json
    """
    if stack == "containers":
        from muster_cli.stack.compose import read_env

        env = read_env()
        values = {name: env[name.upper()] for name in SHOWN}
    else:
        secrets = home_of(home).secrets()
        values = {name: getattr(secrets, name) for name in SHOWN}
    if as_json:
        print_json(values)
    else:
        for name, value in values.items():
            out.print(f"{name:<18}{value}", markup=False, soft_wrap=True)


@app.command("rotate")
def rotate(
    stack: LocalStackOption = "emulator",
    home: HomeOption = None,
    database: Annotated[
        bool, typer.Option("--database", help="Also change the passwords of the database's roles (the stack must run).")
    ] = False,
    yes: YesOption = False,
) -> None:
    """Generate new keys: every API key and session stops being valid. A running stack restarts with them at once.

    Example: ./muster keys rotate --yes
    """
    from muster_cli.db.rotate import rotate_containers, rotate_emulator

    if stack == "emulator" and not is_configured_by_services():
        raise UserError(
            "a project's stack has the keys of every local project; set your own in "
            "config.toml (auth.jwt_secret, auth.publishable_key, auth.secret_key, auth.signing_keys_path)"
        )
    confirm("Every API key and every session of this stack will stop being valid. Continue?", yes)
    if stack == "containers":
        rotate_containers(int(time.time()), database)
        talk.print("  New keys are in .env. The containers keep the OLD ones until you run:", style="yellow")
        talk.print("  docker compose up --detach --force-recreate")
        return
    found = home_of(home)
    rotate_emulator(found, int(time.time()), database)
    if found.running() is None:
        talk.print("  New keys are saved; the next start uses them.")
        return
    from muster_cli.stack.restart import restart

    restart(found)
    talk.print("  The new keys are active.")
