"""muster waitlist: who waits, who is let in."""

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from muster_cli.commands.options import HomeOption, JsonOption, StackOption, target
from muster_cli.output import UserError, print_json, print_table, shown_time, talk

app = typer.Typer()
STATUSES = ("waitlist", "pending", "invited", "active")
COLUMNS = ("email", "status", "created_at", "updated_at")
# Those of the export in the admin area.
EXPORTED = ("email", "status", "joined", "type", "role", "years", "platforms", "frustrations", "wishlist")
StatusOption = Annotated[str | None, typer.Option(help=f"Only those of one status: {', '.join(STATUSES)}.")]


@app.command("list")
def list_waitlist(
    stack: StackOption = "emulator", home: HomeOption = None, status: StatusOption = None, as_json: JsonOption = False
) -> None:
    """List the waitlist, oldest first.

    Example: ./muster waitlist list --status waitlist
    """
    rows = _rows(stack, home, status)
    if as_json:
        print_json([{name: row[name] for name in COLUMNS} for row in rows])
    else:
        print_table(
            ("Email", "Status", "Joined", "Changed"),
            [
                [row["email"], row["status"], shown_time(row["created_at"]), shown_time(row["updated_at"])]
                for row in rows
            ],
        )


@app.command("invite")
def invite(
    emails: Annotated[list[str], typer.Argument(metavar="EMAIL...", help="Addresses on the waitlist.")],
    stack: StackOption = "emulator",
    home: HomeOption = None,
    mail: Annotated[bool, typer.Option(help="Send the invitation by mail.")] = True,
) -> None:
    """Invite people: mark their entries invited and mail them. Exit code 1 when one of them failed.

    Example: ./muster waitlist invite ada@example.org ben@example.org
    """
    from muster_product.admin_api import admin_api

    failed = 0
    with admin_api(*target(stack, home).api_access()) as api:
        for email in emails:
            try:
                api.invite(email)
                reason = api.mail_invitation(email) if mail else None
            except UserError as error:
                failed += 1
                talk.print(f"  {error if email in str(error) else f'{email}: {error}'}", style="red", markup=False)
                continue
            talk.print(f"  {email} is invited{f', but no mail was sent: {reason}' if reason else ''}.", markup=False)
    if failed:
        raise UserError(f"{failed} of {len(emails)} could not be invited")


@app.command("export")
def export(
    file: Annotated[
        Path | None, typer.Argument(help="The file to write; standard output by default, and for -.")
    ] = None,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    status: StatusOption = None,
) -> None:
    """Write the waitlist as CSV. A leading = + - or @ gets an apostrophe, so that spreadsheets read it as text.

    Example: ./muster waitlist export waitlist.csv --status waitlist
    """
    rows = _rows(stack, home, status)
    cells = [[_harmless(cell) for cell in exported(row)] for row in rows]
    if file is None or str(file) == "-":
        csv.writer(sys.stdout).writerows([EXPORTED, *cells])
        return
    with file.open("w", encoding="utf8", newline="") as handle:
        csv.writer(handle).writerows([EXPORTED, *cells])
    talk.print(f"  {len(rows)} written to {file}.", markup=False)


def exported(row: Mapping[str, Any]) -> list[str | None]:
    """A row of the waitlist as the export has it; an address without answers has empty cells."""
    answers: Mapping[str, Any] = row.get("answers") or {}
    try:
        said = json.loads(answers.get("linkedin_missing") or "{}")
    except ValueError:
        said = {}
    if not isinstance(said, dict):
        said = {}
    named = said.get("connection_platforms")
    platforms = [*(named if isinstance(named, list) else []), said.get("connection_platforms_other")]
    texts = (said.get("platform_frustrations"), said.get("platform_wishlist"))
    return [
        row["email"], row["status"], row["created_at"],
        answers.get("firefighter_type_other") or answers.get("firefighter_type"),
        answers.get("current_rank"), answers.get("years_of_service"),
        "; ".join(one for one in platforms if isinstance(one, str) and one),
        *(text if isinstance(text, str) else None for text in texts),
    ]  # fmt: skip


def _rows(stack: str, home: HomeOption, status: str | None) -> list[dict[str, Any]]:
    from muster_product.admin_api import admin_api

    if status is not None and status not in STATUSES:
        raise UserError(f"--status is one of {', '.join(STATUSES)}, not {status!r}", 2)
    with admin_api(*target(stack, home).api_access()) as api:
        return list(api.waitlist(status))


def _harmless(value: str | None) -> str:
    text = value or ""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
