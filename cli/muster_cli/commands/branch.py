"""muster branch and muster snapshot: copies of a running stack's database, each with services of its own."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from muster_cli.commands.options import HomeOption, JsonOption, YesOption, confirm, home_of
from muster_cli.output import print_json, print_pairs, print_table, shown_time, talk
from muster_cli.stack.control import ask

branch = typer.Typer()
snapshot = typer.Typer()

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="1 to 40 of a-z, 0-9 and -.")]
_FROM = "A branch, or main: the stack's own database as it is now."


@branch.command("create")
def create_branch(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="1 to 40 of a-z, 0-9 and -.")] = None,
    source: Annotated[
        str | None, typer.Option("--from", help=_FROM, show_default="migrations and seeds, as the files are")
    ] = None,
    from_snapshot: Annotated[str | None, typer.Option("--snapshot", help="A snapshot.")] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make a branch: its own database, accounts, files and mails behind its own URL, with the stack's keys.

    Example: ./muster branch create pr-42
    """
    chosen = f"snapshot:{from_snapshot}" if from_snapshot is not None else _source(source)
    _print_branch(ask(home_of(home), "POST", "/branches", {"name": name, "from": chosen}), as_json)


@branch.command("list")
def list_branches(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List the branches.

    Example: ./muster branch list
    """
    found = ask(home_of(home), "GET", "/branches")["branches"]
    if as_json:
        print_json(found)
        return
    rows = [(each["name"], each["from"], shown_time(each["created_at"]), each["url"]) for each in found]
    print_table(("Name", "From", "Since", "URL"), rows)


@branch.command("reset")
def reset_branch(name: NameArgument, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Rebuild a branch from its source as that is now. Everything in the branch is lost.

    Example: ./muster branch reset pr-42
    """
    _print_branch(ask(home_of(home), "POST", f"/branches/{_quoted(name)}/reset"), as_json)


@branch.command("delete")
def delete_branch(name: NameArgument, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Delete a branch with everything in it.

    Example: ./muster branch delete pr-42
    """
    ask(home_of(home), "DELETE", f"/branches/{_quoted(name)}")
    _print_deleted("branch", name, as_json)


@snapshot.command("create")
def create_snapshot(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="1 to 40 of a-z, 0-9 and -.")] = None,
    of_branch: Annotated[
        str | None, typer.Option("--branch", help="Of a branch.", show_default="the stack's own database")
    ] = None,
    home: HomeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Keep a copy of a database and its files as they are now. Requests wait meanwhile, other sessions are ended.

    Example: ./muster snapshot create before-import
    """
    made = ask(home_of(home), "POST", "/snapshots", {"name": name, "of": _source(of_branch) or "main"})
    if as_json:
        print_json(made)
    else:
        talk.print(f"  Snapshot {made['name']} created.", markup=False)


@snapshot.command("list")
def list_snapshots(home: HomeOption = None, as_json: JsonOption = False) -> None:
    """List the snapshots.

    Example: ./muster snapshot list
    """
    found = ask(home_of(home), "GET", "/snapshots")["snapshots"]
    if as_json:
        print_json(found)
        return
    print_table(("Name", "Of", "Since"), [(each["name"], each["of"], shown_time(each["created_at"])) for each in found])


@snapshot.command("restore")
def restore_snapshot(
    name: NameArgument,
    to_branch: Annotated[
        str | None, typer.Option("--branch", help="Into a branch.", show_default="the stack's own database")
    ] = None,
    home: HomeOption = None,
    yes: YesOption = False,
    as_json: JsonOption = False,
) -> None:
    """Replace a database with a snapshot. What is in it now is lost.

    Example: ./muster snapshot restore before-import --yes
    """
    if to_branch is None:
        confirm("Everything in the stack's own database will be lost. Continue?", yes)
    done = ask(home_of(home), "POST", f"/snapshots/{_quoted(name)}/restore", {"to": to_branch or "main"})
    if as_json:
        print_json(done)
    else:
        talk.print(f"  {done['to']} is restored from snapshot {name}.", markup=False)


@snapshot.command("delete")
def delete_snapshot(name: NameArgument, home: HomeOption = None, as_json: JsonOption = False) -> None:
    """Delete a snapshot. Branches made from it stay.

    Example: ./muster snapshot delete before-import
    """
    ask(home_of(home), "DELETE", f"/snapshots/{_quoted(name)}")
    _print_deleted("snapshot", name, as_json)


def _source(name: str | None) -> str | None:
    return name if name in (None, "main") else f"branch:{name}"


def _quoted(name: str) -> str:
    return quote(name, safe="")


def _print_branch(made: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(made)
        return
    shown = {"Branch": "name", "From": "from", "API": "url", "Site": "site_url", "Mail": "mail_url"}
    print_pairs({**{label: made[key] for label, key in shown.items()}, "Database": made["database_url"]})


def _print_deleted(kind: str, name: str, as_json: bool) -> None:
    if as_json:
        print_json({"deleted": name})
    else:
        talk.print(f"  The {kind} {name} is deleted.", markup=False)
