"""muster logs: what the services and PostgreSQL wrote."""

import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from muster_cli.commands.options import HomeOption, LocalStackOption, home_of
from muster_cli.output import UserError, out, talk

app = typer.Typer()
EMBEDDED = ("muster", "postgres")
POLL_S = 0.25


@app.command("logs")
def logs(
    service: Annotated[
        str | None, typer.Argument(help="muster or postgres (embedded), or a container's name; all by default.")
    ] = None,
    stack: LocalStackOption = "emulator",
    home: HomeOption = None,
    lines: Annotated[int, typer.Option("--lines", "-n", min=0, help="Number of lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Continue with new lines, until Ctrl-C.")] = False,
) -> None:
    """Print the last lines of the logs. A stack in the foreground writes its own to the terminal.

    Example: ./muster logs postgres --follow
    """
    if stack == "containers":
        options = ["--tail", str(lines), *(["--follow"] if follow else []), *([service] if service else [])]
        from muster_cli.stack import compose

        compose.run("logs", *options)
        return
    if service is not None and service not in EMBEDDED:
        raise UserError(f"the logs of the embedded stack are {' and '.join(EMBEDDED)}, not {service!r}", 2)
    folder = home_of(home).logs
    names = [service] if service else list(EMBEDDED)
    files = {name: folder / f"{name}.log" for name in names if (folder / f"{name}.log").exists()}
    if not files:
        talk.print(f"  There are no logs in {folder} yet.", markup=False)
        return
    for name, file in files.items():
        for line in last_lines(file, lines):
            _print(name, line, len(files))
    if follow:
        for name, line in _followed(files):
            _print(name, line, len(files))


def last_lines(file: Path, count: int) -> list[str]:
    """The last lines of a file."""
    with file.open(encoding="utf8", errors="replace") as handle:
        return [line.rstrip("\n") for line in deque(handle, maxlen=count)]


def _followed(files: dict[str, Path]) -> Iterator[tuple[str, str]]:
    """New lines as they come; a file that was started again is read from its start."""
    places = {name: file.stat().st_size for name, file in files.items()}
    while True:
        for name, file in files.items():
            size = file.stat().st_size
            with file.open(encoding="utf8", errors="replace") as handle:
                handle.seek(places[name] if size >= places[name] else 0)
                for line in handle:
                    yield name, line.rstrip("\n")
                places[name] = handle.tell()
        time.sleep(POLL_S)


def _print(name: str, line: str, files: int) -> None:
    out.print(f"{name:<9} {line}" if files > 1 else line, markup=False, soft_wrap=True)
