"""muster init, functions new and serve, seed buckets, gen signing-key: a project's own files and buckets."""

import json
import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, home_of
from muster_cli.output import EXIT_NOT_RUNNING, UserError, out, talk
from muster_cli.project.find import require
from muster_cli.project.read import load
from muster_cli.project.scaffold import init_project, new_function

app = typer.Typer()
functions = typer.Typer()
seed = typer.Typer()
gen = typer.Typer()


@app.command("init")
def init(
    folder: Annotated[Path, typer.Argument(help="The project's folder.", show_default="here")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace an existing configuration.")] = False,
) -> None:
    """Write supabase/config.toml, which makes a folder a project.

    Example: ./muster init ~/shop
    """
    out.print(str(init_project(folder, force=force)), markup=False, soft_wrap=True)
    talk.print("  Finished supabase init.")


@functions.command("new")
def functions_new(slug: Annotated[str, typer.Argument(help="Its name, and the last part of its URL.")]) -> None:
    """Write a new function in TypeScript and its section of config.toml; its path goes to stdout.

    Example: ./muster functions new hello
    """
    out.print(str(new_function(require(), slug)), markup=False, soft_wrap=True)


@functions.command("serve")
def functions_serve(
    env_file: Annotated[Path | None, typer.Option("--env-file", help="Variables, instead of functions/.env.")] = None,
    import_map: Annotated[Path | None, typer.Option("--import-map", help="For all functions.")] = None,
    no_verify_jwt: Annotated[bool, typer.Option("--no-verify-jwt", help="Require no token for any call.")] = False,
    inspect: Annotated[bool, typer.Option("--inspect", help="Open Deno's inspector, and set no limits.")] = False,
    home: HomeOption = None,
) -> None:
    """Serve the functions of the running stack in this terminal, with their logs; the stack's own are paused meanwhile.

    Example: ./muster functions serve --env-file .env.local
    """
    from muster_cli.stack.functions import ServeOptions, serve_functions

    loaded = load(require(), os.environ)
    where = f"127.0.0.1:{loaded.config.edge_runtime.inspector_port}" if inspect else ""
    serve_functions(loaded, home_of(home), ServeOptions(env_file, import_map, not no_verify_jwt, where))


@seed.command("buckets")
def seed_buckets(home: HomeOption = None) -> None:
    """Create or update the buckets of config.toml in the running stack and upload their files; nothing is deleted.

    Example: ./muster seed buckets
    """
    from muster_cli.stack.buckets import seed_buckets as make

    found = home_of(home)
    state = found.running()
    if state is None:
        raise UserError(f"no stack is running in {found.path}: ./muster up starts it", EXIT_NOT_RUNNING)
    config = load(require(), os.environ).config
    made = make(config, state.api, found.secrets().service_role_key, lambda line: talk.print(line, markup=False))
    if not made:
        talk.print("  The configuration has no buckets.")


@gen.command("signing-key")
def signing_key(
    algorithm: Annotated[str, typer.Option(help="ES256 or RS256.")] = "ES256",
    append: Annotated[
        bool, typer.Option("--append", help="Add it to the file of auth.signing_keys_path, as the first.")
    ] = False,
) -> None:
    """Make a private key that can sign users' tokens: to stdout, or into the file that auth.signing_keys_path names.

    Example: ./muster gen signing-key > supabase/signing_keys.json
    """
    from muster_cli.stack.secrets import write_private
    from muster_cli.stack.signing_keys import generate_key

    key = generate_key(algorithm)
    if not append:
        sys.stdout.write(json.dumps([key], indent=2) + "\n")
        return
    config = load(require(), os.environ).config
    if config.auth.signing_keys_path is None:
        raise UserError("--append needs auth.signing_keys_path in the configuration", 2)
    file = config.root / config.auth.signing_keys_path
    write_private(file, json.dumps([key, *json.loads(file.read_text("utf8"))], indent=2) + "\n")
    talk.print(f"  A new key is the first in {file}.", markup=False)
