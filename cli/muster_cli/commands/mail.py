"""muster mail: the e-mails that a development stack has caught instead of sending."""

import typer

from muster_cli.commands.options import HomeOption, JsonOption, StackOption, YesOption, confirm, target
from muster_cli.output import print_json, print_table, shown_time, talk

app = typer.Typer()


@app.command("inbox")
def inbox(stack: StackOption = "emulator", home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List the mails in the local mailbox of a development stack, newest first.

    Example: ./muster mail inbox --json
    """
    from muster_cli.mailbox import list_caught

    mails = list_caught(target(stack, home))
    if as_json:
        print_json([vars(mail) for mail in mails])
    else:
        print_table(
            ("Received", "To", "Subject"),
            [(shown_time(mail.received_at), ", ".join(mail.to), mail.subject) for mail in mails],
        )


@app.command("clear")
def clear(stack: StackOption = "emulator", home: HomeOption = None, yes: YesOption = False) -> None:
    """Delete every mail in the local mailbox of a development stack.

    Example: ./muster mail clear --yes
    """
    from muster_cli.mailbox import throw_away_caught

    found = target(stack, home)
    confirm("Delete every mail in the local mailbox?", yes)
    throw_away_caught(found)
    talk.print("  The mailbox is empty.")
