"""A small backtracking text scanner with Parsec's way of reporting the furthest failure. Pure.

It knows the words every URL grammar of the dialect shares: names, JSON paths, types, list elements.
"""

import json
from collections.abc import Callable
from typing import TypeVar

from emulator.rest.query_types import Field, JsonStep

T = TypeVar("T")

FIELD_NAME = "field name (* or [a..z0..9_$])"
MAX_DEPTH = 64


class ParseError(Exception):
    """Where a text stopped making sense (`position`, from 0) and what would have been welcome there."""

    def __init__(self, position: int, expecting: str, found: str) -> None:
        super().__init__(expecting)
        self.position = position
        self.expecting = expecting
        self.found = found


class Scanner:
    """A position in a text; every `read_` method either advances or raises ParseError."""

    __slots__ = ("depth", "furthest", "pos", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.depth = 0
        self.furthest: ParseError | None = None

    def at_end(self) -> bool:
        """Whether nothing is left."""
        return self.pos >= len(self.text)

    def peek(self) -> str:
        """Return the next character, or an empty string at the end."""
        return self.text[self.pos : self.pos + 1]

    def take(self, word: str) -> bool:
        """Advance over `word` if it is next."""
        if self.text.startswith(word, self.pos):
            self.pos += len(word)
            return True
        return False

    def expect(self, word: str) -> None:
        """Advance over `word` or fail."""
        if not self.take(word):
            raise self.failure(f'"{word}"')

    def skip_blanks(self) -> None:
        """Advance over blanks and tabs."""
        while self.peek() in (" ", "\t"):
            self.pos += 1

    def take_while(self, accept: Callable[[str], bool]) -> str:
        """Advance over all characters that `accept` likes and return them."""
        start, text = self.pos, self.text
        end = start
        while end < len(text) and accept(text[end]):
            end += 1
        self.pos = end
        return text[start:end]

    def failure(self, expecting: str, *, found: str | None = None, at_end: bool = False) -> ParseError:
        """Return the error to raise here; the furthest one of all alternatives wins.

        `at_end`: the end was one of the expectations, which makes the found character stand in single quotes.
        """
        here = found if found is not None else self.peek()
        quoted = f"'{here}'" if at_end else json.dumps(here, ensure_ascii=False)
        error = ParseError(self.pos, expecting, quoted if here else "end of input")
        if self.furthest is None or error.position >= self.furthest.position:
            self.furthest = error
        return self.furthest

    def attempt(self, read: Callable[[], T]) -> T | None:
        """Run `read`; when it fails, go back to where it began and return None."""
        start, depth = self.pos, self.depth
        try:
            return read()
        except ParseError:
            self.pos, self.depth = start, depth
            return None

    def descend(self) -> None:
        """Count a level of nesting; raises when it is absurd."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.failure(f"at most {MAX_DEPTH} levels of nesting")

    def ascend(self) -> None:
        """Leave a level of nesting."""
        self.depth -= 1

    # words of the dialect

    def read_quoted(self) -> str:
        """Read `"..."`, where a backslash makes the next character plain."""
        self.expect('"')
        out: list[str] = []
        while True:
            out.append(self.take_while(lambda c: c not in '\\"'))
            if self.take('"'):
                return "".join(out)
            if not self.take("\\") or self.at_end():
                raise self.failure('"\\""')
            out.append(self.peek())
            self.pos += 1

    def read_name(self) -> str:
        """Read a column, relation or function name, quoted or plain (trimmed)."""
        self.skip_blanks()
        if self.peek() == '"':
            name = self.read_quoted()
        else:
            name = self._read_dashed(_is_name_char)
        self.skip_blanks()
        return name

    def read_type(self) -> str:
        """Read a type name of a cast, or a text search configuration."""
        name = self.take_while(_is_name_char).strip()
        if not name:
            raise self.failure('letter, digit, "_", " " or "$"')
        return name

    def read_field(self) -> Field:
        """Read a name and the JSON path behind it."""
        name = self.read_name()
        path = self.read_json_path()
        self.skip_blanks()
        return Field(name, path)

    def read_json_path(self) -> tuple[JsonStep, ...]:
        """Read any number of `->key`, `->>key`, `->0` steps."""
        steps: list[JsonStep] = []
        while self.take("->"):
            as_text = self.take(">")
            steps.append(self._read_step(as_text))
        return tuple(steps)

    def _read_step(self, as_text: bool) -> JsonStep:
        start = self.pos
        negative = self.take("-")
        digits = self.take_while(lambda c: c.isascii() and c.isdigit())
        if digits and self._index_ends():
            return JsonStep(f"-{digits}" if negative else f"+{digits}", True, as_text)
        if negative:
            if digits:
                raise self.failure('digit, "->", "::", ".", "," or end of input', at_end=True)
            raise self.failure("digit")
        self.pos = start
        if self.peek() == '"':
            return JsonStep(self.read_quoted(), False, as_text)
        key = self._read_dashed(lambda c: c not in "()-:.,>", "any non reserved character different from: .,>()")
        return JsonStep(key, False, as_text)

    def _index_ends(self) -> bool:
        rest = self.text
        return self.at_end() or rest.startswith(("->", "::", ".", ","), self.pos)

    def _read_dashed(self, accept: Callable[[str], bool], expecting: str = FIELD_NAME) -> str:
        parts = [self.take_while(accept)]
        if not parts[0]:
            raise self.failure(expecting)
        while self.peek() == "-" and not self.text.startswith("->", self.pos):
            mark = self.pos
            self.pos += 1
            part = self.take_while(accept)
            if not part:
                self.pos = mark
                raise self.failure(expecting)
            parts.append(part)
        return "-".join(parts).strip()


def _is_name_char(char: str) -> bool:
    return char.isalnum() or char in "_ $"
