"""muster users: the accounts of a stack, over its API."""

import getpass
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from muster_cli.commands.options import HomeOption, JsonOption, StackOption, YesOption, confirm, target
from muster_cli.output import UserError, print_json, print_table, shown_time, talk
from muster_cli.stack.services import read_variables

if TYPE_CHECKING:
    from muster_product.admin_api import AdminApi

app = typer.Typer()
EmailArgument = Annotated[str, typer.Argument(metavar="EMAIL", help="The account's address.")]


@contextmanager
def _api(stack: str, home: HomeOption) -> Iterator["AdminApi"]:
    from muster_product.admin_api import admin_api  # imported late: httpx is slow to load, and `up` needs none of it

    with admin_api(*target(stack, home).api_access()) as api:
        yield api


@app.command("list")
def list_users(
    stack: StackOption = "emulator",
    home: HomeOption = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number, newest first.")] = 50,
    as_json: JsonOption = False,
) -> None:
    """List accounts.

    Example: ./muster users list --limit 10 --json
    """
    with _api(stack, home) as api:
        admins = api.admins()
        rows = [_row(user, user["id"] in admins) for user in api.users(limit)]
    if as_json:
        print_json(rows)
    else:
        print_table(
            ("Email", "Name", "Admin", "Confirmed", "Suspended", "Last sign-in"),
            [
                (
                    row["email"], row["name"], "yes" if row["admin"] else "", "yes" if row["confirmed"] else "no",
                    "yes" if row["suspended"] else "", shown_time(row["last_sign_in_at"]),
                )
                for row in rows
            ],
        )  # fmt: skip


@app.command("create")
def create_user(
    email: EmailArgument,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    name: Annotated[str, typer.Option(help="The member's full name.")] = "",
    admin: Annotated[bool, typer.Option("--admin", help="Make the member an administrator.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Create a confirmed account. The password is prompted for, or read from standard input if that is not a terminal.

    Example: printf %s "$PASSWORD" | ./muster users create ada@example.org --name "Ada Brand" --admin
    """
    if not is_address(email):
        raise UserError(f"{email!r} is not an email address", 2)
    password = _ask_password()
    with _api(stack, home) as api:
        made = api.create_user(email, password, {"full_name": name} if name else {})
        if admin:
            api.set_admin(made["id"], admin=True)
    if as_json:
        print_json(_row(made, admin))
    else:
        talk.print(f"  {made['email']} can sign in.", markup=False)


def is_address(text: str) -> bool:
    """Whether a text looks like an address: one @ with something on either side, and no blank."""
    return re.fullmatch(r"[^@\s]+@[^@\s]+", text) is not None


def _ask_password() -> str:
    """The new password: typed twice, or a line of standard input. Raises UserError."""
    if sys.stdin.isatty():
        password = getpass.getpass("Password: ")
        if password and getpass.getpass("Once more: ") != password:
            raise UserError("the two passwords don't match")
    else:
        password = sys.stdin.readline().rstrip("\n")
    if not password:
        raise UserError("no password was given")
    least = int(read_variables("embedded")["auth"]["GOTRUE_PASSWORD_MIN_LENGTH"])
    if len(password) < least:
        raise UserError(f"the password must have at least {least} characters")
    return password


@app.command("grant-admin")
def grant_admin(email: EmailArgument, stack: StackOption = "emulator", home: HomeOption = None) -> None:
    """Make a member an administrator.

    Example: ./muster users grant-admin ada@example.org
    """
    _set_admin(email, stack, home, admin=True)


@app.command("revoke-admin")
def revoke_admin(email: EmailArgument, stack: StackOption = "emulator", home: HomeOption = None) -> None:
    """Make an administrator a plain member.

    Example: ./muster users revoke-admin ada@example.org
    """
    _set_admin(email, stack, home, admin=False)


@app.command("suspend")
def suspend(
    email: EmailArgument,
    stack: StackOption = "emulator",
    home: HomeOption = None,
    lift: Annotated[bool, typer.Option("--lift", help="End the suspension instead.")] = False,
) -> None:
    """Block an account: it can't sign in, and tokens in use lose access at once. What its member wrote stays.

    Example: ./muster users suspend ada@example.org
    """
    with _api(stack, home) as api:
        user = api.user(email)
        if not lift:
            api.keep_an_admin(user["id"])
        api.suspend(user["id"], suspended=not lift)
    talk.print(f"  {email} {'can sign in again' if lift else 'is suspended'}.", markup=False)


@app.command("reset-second-factor")
def reset_second_factor(
    email: EmailArgument, stack: StackOption = "emulator", home: HomeOption = None, yes: YesOption = False
) -> None:
    """Remove a member's authenticator apps, passkeys and recovery codes, and end the sessions.

    It is the way back in for someone who lost all of them. Verify who is asking: afterward the password is enough.

    Example: ./muster users reset-second-factor ada@example.org --yes
    """
    with _api(stack, home) as api:
        user = api.user(email)
        confirm(f"Let {user['email']} sign in without a second factor?", yes)
        api.reset_second_factor(user["id"])
    talk.print(f"  {email} signs in without a second factor.", markup=False)


@app.command("admins-need-second-factor")
def admins_need_second_factor(
    needed: Annotated[
        Literal["on", "off"], typer.Argument(metavar="on|off", help="on to require it, off to make it optional.")
    ],
    stack: StackOption = "emulator",
    home: HomeOption = None,
) -> None:
    """Require a second factor of every administrator (asked again after 12 hours), or no longer.

    It is refused while no administrator has one. `off` is the way back in when they lost theirs.

    Example: ./muster users admins-need-second-factor on
    """
    with _api(stack, home) as api:
        api.demand_second_factor(needed == "on")
    talk.print(f"  Administrators {'need' if needed == 'on' else 'do not need'} a second factor.", markup=False)


@app.command("delete")
def delete_user(
    email: EmailArgument, stack: StackOption = "emulator", home: HomeOption = None, yes: YesOption = False
) -> None:
    """Delete an account with its profile, connections, messages and notifications. Posts stay, without a name.

    Example: ./muster users delete ada@example.org --yes
    """
    with _api(stack, home) as api:
        user = api.user(email)
        api.keep_an_admin(user["id"])
        confirm(f"Delete {user['email']} and all data of this member?", yes)
        api.delete_user(user["id"])
    talk.print(f"  {email} is deleted.", markup=False)


def _set_admin(email: str, stack: str, home: HomeOption, *, admin: bool) -> None:
    with _api(stack, home) as api:
        user = api.user(email)
        if not admin:
            api.keep_an_admin(user["id"])
        api.set_admin(user["id"], admin)
    talk.print(f"  {email} is {'an administrator now' if admin else 'no longer an administrator'}.", markup=False)


def _row(user: dict[str, Any], admin: bool) -> dict[str, Any]:
    """What an operator sees of GoTrue's user."""
    data = user.get("user_metadata") or {}
    return {
        "id": user["id"],
        "email": user.get("email"),
        "name": data.get("full_name") or data.get("name"),
        "admin": admin,
        "confirmed": bool(user.get("email_confirmed_at")),
        "suspended": bool(user.get("banned_until")),
        "created_at": user.get("created_at"),
        "last_sign_in_at": user.get("last_sign_in_at"),
    }
