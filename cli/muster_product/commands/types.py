"""muster types: what the web application knows of the database, written from it."""

from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, StackOption, target
from muster_cli.db.connect import connect
from muster_cli.output import UserError, talk

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
    for usual, text in made.items():
        wanted = usual if folder is None else folder / usual.name
        known = wanted.read_text("utf8") if wanted.exists() else None
        if known == text:
            talk.print(f"  {wanted} is up to date.", markup=False)
        elif check:
            raise UserError(f"{wanted} is stale: ./muster types")
        else:
            wanted.write_text(text, "utf8")
            talk.print(f"  {wanted} written.", markup=False)
