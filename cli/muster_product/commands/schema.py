"""muster schema: sql/schema.sql, the page on which the present schema can be read."""

from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, StackOption, target
from muster_cli.db.connect import connect
from muster_product.commands.generated import write_or_check

app = typer.Typer()


@app.command("schema")
def schema(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit code 1 when the file is stale.")] = False,
) -> None:
    """Write sql/schema.sql: every table, function and policy that results from the migrations.

    Example: ./muster schema
    """
    from muster_product.database.schema import SCHEMA, render_schema

    with connect(target(stack, home).owner_url()) as connection:
        made = render_schema(connection)
    write_or_check({SCHEMA: made}, "./muster schema", is_check=check)
