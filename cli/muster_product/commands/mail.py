"""muster mail: the queue of the functions service, and what it could not send."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any
from uuid import UUID

import psycopg
import typer

from muster_cli.commands.options import HomeOption, JsonOption, StackOption, YesOption, confirm, target
from muster_cli.db.connect import connect
from muster_cli.output import UserError, print_json, print_table, talk

app = typer.Typer()
LimitOption = Annotated[int, typer.Option(min=1, help="Maximum number, oldest first.")]


@app.command("queue")
def queue(
    stack: StackOption = "emulator", home: HomeOption = None, limit: LimitOption = 100, as_json: JsonOption = False
) -> None:
    """List the mails that are waiting to be sent.

    Example: ./muster mail queue
    """
    from muster_functions.mailer.queue import list_queued

    with _database(stack, home) as connection:
        _show(list_queued(connection, limit), as_json)


@app.command("parked")
def parked(
    stack: StackOption = "emulator", home: HomeOption = None, limit: LimitOption = 100, as_json: JsonOption = False
) -> None:
    """List the mails that could not be sent, each with its reason.

    Example: ./muster mail parked --json
    """
    from muster_functions.mailer.queue import list_parked

    with _database(stack, home) as connection:
        _show(list_parked(connection, limit), as_json)


@app.command("retry")
def retry(
    mail: Annotated[UUID | None, typer.Argument(metavar="[ID]", help="A parked mail; all of them by default.")] = None,
    stack: StackOption = "emulator",
    home: HomeOption = None,
) -> None:
    """Put parked mails back into the queue; the service tries them within a minute.

    Example: ./muster mail retry
    """
    from muster_functions.mailer.queue import requeue

    with _database(stack, home) as connection:
        count = requeue(connection, mail)
    if mail is not None and count == 0:
        raise UserError(f"there is no parked mail {mail}")
    talk.print(f"  {count} put back in the queue.")


@app.command("discard")
def discard(
    mail: Annotated[UUID, typer.Argument(metavar="ID", help="A parked mail.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    yes: YesOption = False,
) -> None:
    """Delete a parked mail.

    Example: ./muster mail discard 7b0c0f0e-1111-4c1c-9d1a-000000000000 --yes
    """
    from muster_functions.mailer.queue import discard as throw_away

    with _database(stack, home) as connection:
        confirm(f"Delete the mail {mail}?", yes)
        if not throw_away(connection, mail):
            raise UserError(f"there is no parked mail {mail}")
    talk.print("  Discarded.")


@contextmanager
def _database(stack: str, home: HomeOption) -> Iterator["psycopg.Connection[tuple[Any, ...]]"]:
    with connect(target(stack, home).owner_url()) as connection:
        yield connection


def _show(mails: list[Any], as_json: bool) -> None:
    if as_json:
        print_json([vars(mail) for mail in mails])
        return
    columns = ("Id", "Kind", "To", "Subject", "Accepted", "Attempts", "Next", "Last error")
    print_table(
        columns,
        [
            (
                m.id, m.kind, m.recipient, m.subject, f"{m.accepted_at:%Y-%m-%d %H:%M}", m.attempts,
                "" if m.parked_at else f"{m.next_attempt_at:%H:%M:%S}", m.last_error,
            )
            for m in mails
        ],
    )  # fmt: skip
