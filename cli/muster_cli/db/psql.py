"""The part of psql's language that tests are written in: SQL with backslash commands and variables. Pure.

The commands set, unset, echo, i, ir, gset, gexec, if and q are understood, settings of the output are passed over,
everything else is an error.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from emulator.db.sql_split import LEXEMES, end_of_comment

_TOKEN = re.compile(
    rf"""
    {LEXEMES}
  | ::
  | :(?P<variable>'\w+'|"\w+"|\w+)
  | \\(?P<command>[A-Za-z?!]+)[ \t]*(?P<rest>[^\n]*)
  | [();]
    """,
    re.VERBOSE | re.DOTALL,
)
_ARGUMENT = re.compile(r"'((?:[^'\\]|\\.|'')*)'|:'(\w+)'|:(\w+)|(\S+)")
_OUTPUT = frozenset({"pset", "t", "a", "f", "H", "x", "timing", "o", "C", "T", "encoding", "errverbose", "g"})


@dataclass(frozen=True)
class Sql:
    """A statement with the variables in it filled in. `line` counts from 1."""

    text: str
    line: int


@dataclass(frozen=True)
class Command:
    """A backslash command. `before` is the statement that it ends, where it ends one (gset, gexec)."""

    name: str
    arguments: tuple[str, ...]
    line: int
    before: str = ""


class PsqlError(Exception):
    """A backslash command that is unknown or wrongly written; one line."""


def scan(script: str, variables: Mapping[str, str]) -> Iterator[Sql | Command]:
    """The statements and commands of a script in order.

    `variables` is looked at when a statement or command is reached, so what runs a command may change it. A statement
    without a semicolon at the end is one, too.
    """
    piece: list[str] = []
    start = position = copied = parentheses = 0

    def line(offset: int) -> int:
        return script.count("\n", 0, offset) + 1

    while match := _TOKEN.search(script, position):
        token, position = match[0], match.end()
        if token == "/*":
            position = end_of_comment(script, match.start())
        elif token.startswith("$"):
            closing = script.find(token, position)
            position = len(script) if closing < 0 else closing + len(token)
        elif token == "(":
            parentheses += 1
        elif token == ")":
            parentheses = max(0, parentheses - 1)
        elif match["variable"]:
            piece.append(script[copied : match.start()])
            piece.append(_filled(match["variable"], variables))
            copied = position
        elif match["command"]:
            before = ("".join(piece) + script[copied : match.start()]).strip()
            ends = match["command"] in {"g", "gset", "gexec"}
            yield Command(
                match["command"], _arguments(match["rest"], variables), line(match.start()), before if ends else ""
            )
            if ends or not before:
                piece, start = [], position
            else:
                piece = [before, "\n"]
            copied = position
        elif token == ";" and not parentheses:
            text = "".join(piece) + script[copied : match.start()]
            if text.strip():
                yield Sql(text.strip(), line(start + len(script[start:]) - len(script[start:].lstrip())))
            piece, start, copied = [], position, position
    text = ("".join(piece) + script[copied:]).strip()
    if text and not all(part.strip().startswith("--") for part in text.splitlines() if part.strip()):
        yield Sql(text, line(start + len(script[start:]) - len(script[start:].lstrip())))


def is_output_setting(command: Command) -> bool:
    """Whether a command only says how results look."""
    return command.name in _OUTPUT and not (command.name == "g" and command.before)


def is_true(text: str) -> bool:
    """A boolean as the command `if` reads it. Raises PsqlError."""
    lowered = text.lower()
    if lowered in {"1", "on", "true", "t", "yes", "y"}:
        return True
    if lowered in {"", "0", "off", "false", "f", "no", "n"}:
        return False
    raise PsqlError(f'unrecognized value "{text}" for "\\if expression": Boolean expected')


def _filled(name: str, variables: Mapping[str, str]) -> str:
    bare = name.strip("'\"")
    value = variables.get(bare)
    if value is None:
        return f":{name}"
    if name.startswith("'"):
        return "'" + value.replace("'", "''") + "'"
    if name.startswith('"'):
        return '"' + value.replace('"', '""') + '"'
    return value


def _arguments(rest: str, variables: Mapping[str, str]) -> tuple[str, ...]:
    found = []
    for quoted, literal, variable, plain in _ARGUMENT.findall(rest):
        if literal:
            found.append(_filled(f"'{literal}'", variables))
        elif variable:
            found.append(variables.get(variable, f":{variable}"))
        elif plain:
            if plain.startswith("\\\\"):
                break
            found.append(plain.strip('"'))
        else:
            found.append(quoted.replace("''", "'").replace("\\n", "\n").replace("\\'", "'"))
    return tuple(found)
