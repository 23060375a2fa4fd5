"""docs/cli.md, written from the commands themselves: `python -m muster_cli.reference > docs/cli.md`."""

import sys
from collections.abc import Iterator
from typing import Any

from muster_cli.main import make_app

HEAD = """# The command line

Written by `python -m muster_cli.reference`; a test compares it with the code.

`./muster COMMAND --help` says the same. `--json` prints one JSON document to stdout and nothing else; everything meant
for people goes to stderr. `./muster --install-completion` completes commands in bash, zsh and fish.

Every command takes `--project DIR` (or `--workdir DIR`, `MUSTER_PROJECT`, `SUPABASE_WORKDIR`), the folder of the
project, which is the parent of `supabase/`. Without it that of the named state folder counts, then the first from the
current folder upward, then this checkout.

| exit code | meaning |
|---|---|
| 0 | done |
| 1 | it failed, or a check found a problem; one line on stderr says why |
| 2 | the command or an option is invalid |
| 3 | the stack does not run |
| 4 | data would have been destroyed, there was no terminal to ask, and `--yes` was not given |
| 130 | Ctrl-C |
"""


def reference() -> str:
    """The whole page."""
    return "\n".join([HEAD, *_sections(make_app(), "./muster")])


def _sections(command: Any, name: str) -> Iterator[str]:
    children = getattr(command, "commands", {})
    if not children or command.invoke_without_command:
        yield from _section(command, name)
    for child in sorted(children):
        if not children[child].hidden:
            yield from _sections(children[child], f"{name} {child}")


def _section(command: Any, name: str) -> Iterator[str]:
    arguments = [_argument(item) for item in command.params if item.param_type_name == "argument"]
    options = [item for item in command.params if item.param_type_name == "option" and item.name != "help"]
    yield f"## `{' '.join([name, *arguments])}`\n"
    talk, _, example = (command.help or "").partition("Example: ")
    yield f"{_flowing(talk)}\n"
    if example.strip():
        yield f"```sh\n{example.strip()}\n```\n"
    if options:
        yield "| option | | default |\n|---|---|---|"
        yield from (_row(option) for option in options)
        yield ""


def _argument(item: Any) -> str:
    text = (item.metavar or item.name.upper()).strip("[]")
    return text if item.required else f"[{text}]"


def _row(option: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*option.opts, *option.secondary_opts])
    said = option.help or ""
    if option.envvar:
        said = f"{said} Variable: `{option.envvar}`.".strip()
    default = option.show_default if isinstance(option.show_default, str) else option.default
    shown = "" if default in (None, "", False) or callable(default) else "on" if default is True else f"`{default}`"
    return f"| {names} | {said} | {shown} |"


def _flowing(text: str) -> str:
    """Paragraphs without the line ends of the source."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.strip().split("\n\n"))


if __name__ == "__main__":
    sys.stdout.write(reference())
