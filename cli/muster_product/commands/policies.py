"""muster policies: who may do what to which table, printed or checked."""

from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, JsonOption, home_of, target
from muster_cli.output import UserError, out, print_json, print_table, talk
from muster_cli.stack.install import progress

app = typer.Typer()


@app.command("policies")
def policies(
    tables: Annotated[list[str] | None, typer.Argument(help="Only these tables.")] = None,
    home: HomeOption = None,
    check: Annotated[
        bool, typer.Option("--check", help="Verify it against a scratch database of the running stack.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print who may do what to which table. Exit code 1 when --check finds a difference.

    Example: ./muster policies messages --check
    """
    from muster_product.database.policies import expected, rows_for_people
    from muster_product.database.policy_cases import MATRIX

    unknown = set(tables or ()) - set(MATRIX)
    if unknown:
        raise UserError(f"no such table: {', '.join(sorted(unknown))}; there are {', '.join(MATRIX)}", 2)
    wanted = tables or list(MATRIX)
    if check:
        _check_policies(wanted, home)
    elif as_json:
        print_json([{**vars(case), "action": case.action} for case in expected(wanted)])
    else:
        heading, *rows = rows_for_people(wanted)
        print_table(heading, rows)


def _check_policies(tables: list[str], home: HomeOption) -> None:
    import psycopg

    from muster_cli.db.scratch import scratch_database
    from muster_product.database.policies import add_block, expected, make_world, probe

    found, secrets = target("emulator", home), home_of(home).secrets()
    with (
        progress("Policies"),
        scratch_database(found.superuser_url(), secrets.postgres_password, "muster_policies") as dsn,
        psycopg.connect(dsn) as connection,
        connection.transaction(force_rollback=True),
    ):
        make_world(connection)
        add_block(connection)
        differences = list(probe(connection, expected(tables)))
    for difference in differences:
        out.print(str(difference), markup=False, soft_wrap=True)
    if differences:
        raise UserError(f"{len(differences)} differences")
    talk.print(f"  The database agrees, for {len(expected(tables))} statements as each actor.")
