"""Commands that are imported when they are asked for: `muster --help` and completion need their names alone."""

from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from emulator.loading import load_named
from muster_cli.extension import CommandGroup


class LazyCommands(MutableMapping[str, Any]):
    """The commands of a group by name, in the order of their sources; reading one imports its modules.

    The command of a later source replaces one of the same name. Groups of one name become one, with the last line that
    is not empty, and do what the first callback does.
    """

    def __init__(self, sources: Sequence[CommandGroup]) -> None:
        self._sources: dict[str, list[CommandGroup]] = {}
        self.lines: dict[str, str] = {}
        self._loaded: dict[str, Any] = {}
        for source in sources:
            for name, line in source.lines.items():
                earlier = self._sources.get(name, [])
                joined = source.is_group and earlier and earlier[0].is_group
                self._sources[name] = [*earlier, source] if joined else [source]
                if line or not joined:
                    self.lines[name] = line

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def __setitem__(self, name: str, command: Any) -> None:
        self._loaded[name] = command

    def __delitem__(self, name: str) -> None:
        del self._sources[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sources)

    def __len__(self) -> int:
        return len(self._sources)

    def _load(self, name: str) -> Any:
        holder = typer.Typer(rich_markup_mode=None, add_completion=False)
        holder.callback()(_nothing)
        apps = [load_named(source.app, typer.Typer) for source in self._sources[name]]
        if not self._sources[name][0].is_group:
            holder.add_typer(apps[0])
        else:
            # A copy, so that a project's commands join this application and not the module's own group.
            own = next((app.registered_callback for app in apps if app.registered_callback), None)
            group = typer.Typer() if own else typer.Typer(help=self.lines[name], no_args_is_help=True)
            group.registered_callback = own  # what the bare name does; it has the help
            for app in apps:
                group.registered_commands += app.registered_commands
            holder.add_typer(group, name=name)
        return get_command(holder).commands[name]  # type: ignore[attr-defined]  # a group, because of its callback


def _nothing() -> None:
    """A callback, with which Typer makes a group of a single command, too."""


class LazyGroup(TyperGroup):
    """A group of LazyCommands, whose help imports none of them."""

    commands: LazyCommands

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # by its name
        """As Typer writes them, with the lines that are known without an import."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self.commands.lines.items()))
