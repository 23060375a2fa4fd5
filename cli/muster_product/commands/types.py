"""muster types: what the web application knows of the database, written from it."""

from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, StackOption, target
from muster_cli.db.connect import connect
from muster_product.commands.generated import write_or_check

app = typer.Typer()


@app.command("types")
def types(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    folder: Annotated[
        Path | None, typer.Option("--out", help="The folder to write to, instead of web/src/lib/supabase.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 when a file is stale.")] = False,
) -> None:
    """Write the TypeScript types of the database's tables and functions, and the kinds of notifications.

    Example: ./muster types
    """
    from muster_product.database.types import KINDS, TYPES, generate_types, render_notification_kinds

    owner_url = target(stack, home).owner_url()
    with connect(owner_url) as connection:
        made = {KINDS: render_notification_kinds(connection), TYPES: generate_types(owner_url)}
    files = {usual if folder is None else folder / usual.name: text for usual, text in made.items()}
    write_or_check(files, "./muster types", is_check=check)
