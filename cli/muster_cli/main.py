"""The command line's table of contents. Only add_typer lines and the one place where errors become lines."""

import errno
import sys

import typer

from muster_cli.commands import config, db, doctor, keys, logs, mail, stack
from muster_cli.output import EXIT_FAILED, UserError, talk
from muster_product.commands import audit, bench, check, shots, types, users, waitlist

app = typer.Typer(
    help="Muster: a growth network for firefighters, and the backend it runs on.",
    no_args_is_help=True, add_completion=True, pretty_exceptions_enable=False, rich_markup_mode=None,
)  # fmt: skip
app.add_typer(stack.app)
app.add_typer(db.app)
app.add_typer(types.app)
app.add_typer(users.app, name="users")
app.add_typer(waitlist.app, name="waitlist")
app.add_typer(mail.app, name="mail")
app.add_typer(keys.app, name="keys")
app.add_typer(logs.app)
app.add_typer(doctor.app)
app.add_typer(bench.app)
app.add_typer(shots.app)
app.add_typer(config.app, name="config")
app.add_typer(check.app)
app.add_typer(audit.app)


def main() -> int:
    """Run one command; people's mistakes are one line and an exit code, never a trace."""
    try:
        app(prog_name="muster")
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
