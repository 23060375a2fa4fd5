"""muster bench: how fast this stack is on this machine, part by part."""

import importlib
import importlib.util
from typing import Annotated

import typer

from muster_cli.output import UserError

PARTS = ("rest", "auth", "realtime", "functions", "storage", "db", "web", "chaos", "attack", "platform", "branch")
app = typer.Typer()


@app.command("bench", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def bench(
    context: typer.Context,
    part: Annotated[str, typer.Argument(help=f"Which part: {', '.join(PARTS)}.")],
) -> None:
    """Measure one part of the stack; further arguments are the part's own. Results go to stdout and bench/results.

    Example: ./muster bench rest
    """
    if part not in PARTS or importlib.util.find_spec(f"bench.{part}") is None:
        known = [
            name for name in PARTS if importlib.util.find_spec("bench") and importlib.util.find_spec(f"bench.{name}")
        ]
        raise UserError(f"there is no benchmark {part!r}; there are {', '.join(known) or 'none'}", 2)
    importlib.import_module(f"bench.{part}").run(context.args)
