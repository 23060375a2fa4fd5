"""Which stack of this person has a port: so that a start that finds it taken can say by whom."""

import os
from contextlib import suppress
from pathlib import Path

from muster_cli.project.find import owner_of
from muster_cli.stack.home import Home


def _folder() -> Path:
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "muster" / "ports"


def note_port(port: int, home: Home) -> None:
    """Leave a note of who serves at a port. Only a help for others: what can't be written is not."""
    with suppress(OSError, RuntimeError):  # RuntimeError: there is no home directory
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / str(port)).write_text(f"{home.path}\n", "utf8")


def stack_at(port: int) -> str | None:
    """What is said of the stack that has a port, as a database's or as its API's; None when none of ours is known."""
    with suppress(OSError, RuntimeError, UnicodeDecodeError):
        home = Home(Path((_folder() / str(port)).read_text("utf8").strip()))
        state = home.running()
        if state is not None and port in (state.port, state.database_port):
            project = owner_of(home.path)
            return f"the stack of {project or home.path} (muster stop --home {home.path})"
    return None
