"""muster types: the web application's row types, made from the database by the official CLI's generator."""

from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, StackOption, target
from muster_cli.output import UserError, talk

app = typer.Typer()


@app.command("types")
def types(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    file: Annotated[
        Path | None, typer.Option("--out", help="Where to write; web/src/lib/supabase/database.types.ts.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 when the file is stale.")] = False,
) -> None:
    """Write the TypeScript types of the database's tables and functions.

    Example: ./muster types
    """
    from muster_product.database.types import TYPES, generate_types

    wanted = file or TYPES
    made = generate_types(target(stack, home).owner_url())
    known = wanted.read_text("utf8") if wanted.exists() else None
    if check:
        if known != made:
            raise UserError(f"{wanted} is stale: ./muster types")
        talk.print(f"  {wanted} is up to date.", markup=False)
    elif known == made:
        talk.print(f"  {wanted} is up to date already.", markup=False)
    else:
        wanted.write_text(made, "utf8")
        talk.print(f"  {wanted} written.", markup=False)
