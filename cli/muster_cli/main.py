"""The command line's table of contents, and the one place where errors become lines."""

import errno
import sys

import typer

from muster_cli.commands import config, db, doctor, keys, logs, mail, stack
from muster_cli.extension import CommandGroup, load_extension
from muster_cli.output import EXIT_FAILED, UserError, talk

GROUPS = (
    CommandGroup(stack.app),
    CommandGroup(db.app),
    CommandGroup(mail.app, "mail"),
    CommandGroup(keys.app, "keys"),
    CommandGroup(logs.app),
    CommandGroup(doctor.app),
    CommandGroup(config.app, "config"),
)


def make_app() -> typer.Typer:
    """Every command: the general ones, and those that the project adds. Raises UserError."""
    app = typer.Typer(
        help="Muster: a Supabase-compatible backend on one machine, without containers.",
        no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
    )  # fmt: skip
    named: dict[str, typer.Typer] = {}
    for group in (*GROUPS, *load_extension().commands):
        if not group.name:
            app.add_typer(group.app)
        elif group.name in named:
            named[group.name].registered_commands += group.app.registered_commands
        else:
            # A copy, so that a project's commands join this application and not the module's own group.
            named[group.name] = typer.Typer(help=group.app.info.help, no_args_is_help=True)
            named[group.name].registered_commands += group.app.registered_commands
            app.add_typer(named[group.name], name=group.name)
    return app


def main() -> int:
    """Run one command; people's mistakes are one line and an exit code, never a trace."""
    try:
        make_app()(prog_name="muster")
    except UserError as error:
        return _refuse(str(error), error.exit_code)
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return _refuse("the disk is full: free some space and try again", EXIT_FAILED)
        raise
    return 0


def _refuse(message: str, code: int) -> int:
    talk.print(f"muster: {message}", style="red", markup=False, soft_wrap=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
