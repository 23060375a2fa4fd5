"""muster seed: the demo community, or as many made-up members as asked."""

from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, StackOption, home_of, target
from muster_cli.db.connect import connect, one_line
from muster_cli.output import UserError, talk
from muster_cli.stack.install import progress

app = typer.Typer()


@app.callback(invoke_without_command=True)
def seed(
    context: typer.Context,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    members: Annotated[
        int | None, typer.Option(min=10, help="This many generated members, instead of the demo community.")
    ] = None,
    posts: Annotated[
        int | None, typer.Option(min=0, help="With --members: number of posts, five per member by default.")
    ] = None,
    messages: Annotated[
        int | None, typer.Option(min=0, help="With --members: number of messages, twenty per member by default.")
    ] = None,
) -> None:
    """Fill a database without accounts with the demo community, or with `buckets` the buckets of config.toml.

    Exit code 1 when there are accounts.

    With --members: a community of any size, for measuring, also in addition to existing rows. Its
    accounts are member1@scale.test and so on, with the demo password.

    Example: ./muster seed --stack containers
    """
    if context.invoked_subcommand is not None:
        return
    if members is None and (posts is not None or messages is not None):
        raise UserError("--posts and --messages need --members", 2)
    if members is not None:
        _seed_scale(stack, home, members, members * 5 if posts is None else posts, messages)
        return
    from muster_product.database.seed import load_seed

    found = target(stack, home)
    password = home_of(home).secrets().demo_password
    with connect(found.superuser_url()) as connection:
        if connection.execute("select from auth.users limit 1").fetchone() is not None:
            raise UserError("there are accounts already, and a seed needs an empty database: ./muster reset")
        with progress("Seed"):
            files = load_seed(connection, "dev", password)
    talk.print(f"  {len(files)} files loaded. Every demo account has the password {password}", markup=False)


def _seed_scale(stack: str, home: HomeOption, members: int, posts: int, messages: int | None) -> None:
    import bcrypt
    import psycopg

    from muster_product.database.scale import Scale, seed_scale

    found = target(stack, home)
    password = home_of(home).secrets().demo_password
    scale = Scale(members, posts, members * 20 if messages is None else messages)
    hashed = bcrypt.hashpw(password.encode(), bcrypt.gensalt(10)).decode()
    with progress("Members") as advance:
        total = sum(scale.rows().values())
        written: dict[str, int] = {}

        def report(what: str, done: int, _: int) -> None:
            written[what] = done
            advance(min(1.0, sum(written.values()) / max(total, 1)))

        try:
            rows = seed_scale(found.superuser_url(), scale, report, hashed)
        except psycopg.Error as error:
            raise UserError(f"the seed stopped: {one_line(error)} (./muster migrate first?)") from error
    talk.print(f"  {sum(rows.values())} rows written: {', '.join(f'{count} {what}' for what, count in rows.items())}")
