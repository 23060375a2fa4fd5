"""Split a SQL file into its statements, as the official CLI does. Pure.

A semicolon ends a statement outside of quotes, dollar quotes, comments, parentheses and BEGIN ATOMIC ... END. Comments
stay with the statement that follows them.
"""

import re
from dataclasses import dataclass

# What a semicolon may stand in, and words; alternatives of a verbose regular expression.
LEXEMES = r"""
    --[^\n]*
  | /\*
  | [eE]'(?:[^'\\]|\\.|'')*(?:'|\Z)
  | '(?:[^']|'')*(?:'|\Z)
  | "(?:[^"]|"")*(?:"|\Z)
  | \$(?:[A-Za-z_\x80-\U0010ffff][A-Za-z0-9_\x80-\U0010ffff]*)?\$
  | [A-Za-z_\x80-\U0010ffff][A-Za-z0-9_$\x80-\U0010ffff]*
"""
_TOKEN = re.compile(rf"{LEXEMES} | [();]", re.VERBOSE | re.DOTALL)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_LEADING = re.compile(r"(?:\s+|--[^\n]*(?:\n|\Z))+")


@dataclass(frozen=True, slots=True)
class SqlStatement:
    """One statement without its final semicolon. `offset` counts characters from the start of the file."""

    text: str
    offset: int

    @property
    def body(self) -> str:
        """The statement without the comments before it; empty when it is nothing else."""
        return self.text[skip_comments(self.text) :]


def split_statements(script: str) -> list[SqlStatement]:
    """The statements of a file in order. Comments at its end are one, too; an empty file has none."""
    statements: list[SqlStatement] = []
    start = 0
    for end in _statement_ends(script):
        _append(statements, script, start, end)
        start = end + 1
    _append(statements, script, start, len(script))
    return statements


def skip_comments(script: str, start: int = 0) -> int:
    """Where the blanks and comments that begin at `start` end."""
    position = start
    while True:
        match = _LEADING.match(script, position)
        if match:
            position = match.end()
        elif script.startswith("/*", position):
            position = end_of_comment(script, position)
        else:
            return position


def _append(statements: list[SqlStatement], script: str, start: int, end: int) -> None:
    # The file's last character may be the semicolon of a comment, which the official CLI takes away, too.
    text = script[start:end].removesuffix(";").strip()
    if text:
        statements.append(SqlStatement(text, start + script[start:end].index(text)))


def _statement_ends(script: str) -> list[int]:
    """The positions of the semicolons that end statements."""
    ends = []
    position = parentheses = atomic = 0
    previous = ""
    while match := _TOKEN.search(script, position):
        token, position = match[0], match.end()
        word = token.lower()
        if token.startswith("--"):
            continue
        if token == "/*":
            position = end_of_comment(script, match.start())
            continue
        if token.startswith("$"):
            closing = script.find(token, position)
            position = len(script) if closing < 0 else closing + len(token)
        elif token == "(":
            parentheses += 1
        elif token == ")":
            parentheses = max(0, parentheses - 1)
        elif word == "atomic" and previous == "begin":
            atomic = 1
        elif atomic and word == "case":
            atomic += 1
        elif atomic and word == "end":
            atomic -= 1
        elif token == ";" and not parentheses and not atomic:
            ends.append(match.start())
        previous = word
    return ends


def end_of_comment(script: str, start: int) -> int:
    """Where the block comment that begins at `start` ends; comments nest."""
    depth, position = 1, start + 2
    while depth:
        match = _COMMENT_MARK.search(script, position)
        if match is None:
            return len(script)
        depth += 1 if match[0] == "/*" else -1
        position = match.end()
    return position
