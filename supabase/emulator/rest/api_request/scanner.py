"""A backtracking text scanner that fails in Parsec's words: where, what was found, what was expected. Pure.

Clients are shown those words (`details` of PGRST100), so the rules by which Parsec merges the failures of alternatives
are followed: the furthest position wins, failures at one position are listed together, what a reader got past is
forgotten, and only a reader that took nothing lets the next alternative try (`attempt` gives back what was taken).
Source: the documentation of Haskell's parsec 3, modules Text.Parsec.Prim, Char, Combinator and Error.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T")

Reader = Callable[[], T]
_Kind = Literal["found", "unwelcome", "expected", "said"]


class Failure(NamedTuple):
    """What stands in the way at a position (from 0). `messages` may repeat themselves."""

    position: int
    messages: tuple[tuple[_Kind, str], ...] = ()

    def merged(self, other: "Failure") -> "Failure":
        """Join with a failure that came later: the further one, or both."""
        if not other.messages:
            return self if self.messages else other
        if not self.messages or other.position > self.position:
            return other
        return self if self.position > other.position else Failure(self.position, self.messages + other.messages)

    def expecting(self, name: str) -> "Failure":
        """Replace everything that was expected by one name."""
        return Failure(self.position, (*(m for m in self.messages if m[0] != "expected"), ("expected", name)))

    def __str__(self) -> str:
        unwelcome, found = self._texts("unwelcome"), [text for kind, text in self.messages if kind == "found"]
        parts = []
        if unwelcome:
            parts.append(f"unexpected {_listed(unwelcome)}")
        elif found:
            parts.append(f"unexpected {found[0] or 'end of input'}")
        if expected := self._texts("expected"):
            parts.append(f"expecting {_listed(expected)}")
        parts.extend(self._texts("said"))
        return " ".join(parts) or "unknown parse error"

    def _texts(self, wanted: _Kind) -> list[str]:
        return list(dict.fromkeys(text for kind, text in self.messages if kind == wanted and text))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class ParseError(Exception):
    """A text that makes no sense."""

    def __init__(self, trouble: Failure) -> None:
        super().__init__(str(trouble))
        self.trouble = trouble


_quoted = lru_cache(json.dumps)


def shown(char: str, mark: str = '"') -> str:
    """Quote a found character as Haskell does; an empty one stands for the end."""
    if not char:
        return ""
    if ord(char) > 126:
        return f"{mark}\\{ord(char)}{mark}"
    if char == mark:
        return f"{mark}\\{char}{mark}"
    if char == '"':
        return f"{mark}{char}{mark}"
    return f"{mark}{json.dumps(char)[1:-1]}{mark}"


class Scanner:
    """A position in a text, and the failures met there on the way; every reader either advances or raises."""

    __slots__ = ("_trouble", "depth", "pos", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.depth = 0
        self._trouble = Failure(0)

    def peek(self) -> str:
        """Return the next character, or an empty string at the end."""
        return self.text[self.pos : self.pos + 1]

    def failure(self, *messages: tuple[_Kind, str]) -> ParseError:
        """Return the error to raise here."""
        return ParseError(self._trouble.merged(Failure(self.pos, messages)))

    def _advance(self, length: int, trouble: Failure | None = None) -> None:
        self.pos += length
        self._trouble = trouble or Failure(self.pos)

    # characters and words

    def word(self, word: str) -> str:
        """Read exactly `word`. A failure is reported at its beginning, with the character that differs."""
        if self.text.startswith(word, self.pos):
            self._advance(len(word))
            return word
        same, messages = self._difference(word)
        if same == 0:
            raise self.failure(*messages)
        start = self.pos
        self.pos += same
        raise ParseError(Failure(start, messages))

    def try_word(self, word: str, name: str | None = None) -> bool:
        """Take `word` if it is next; else remember that it, or what it is called, would have been welcome."""
        if self.text.startswith(word, self.pos):
            self._advance(len(word))
            return True
        found, expected = self._difference(word)[1]
        self._note(found, ("expected", name) if name else expected)
        return False

    def follows(self, word: str) -> bool:
        """Return whether `word` is next, taking nothing; if not, remember that it would have been welcome."""
        if self.text.startswith(word, self.pos):
            return True
        self._note(*self._difference(word)[1])
        return False

    def missing(self, name: str) -> ParseError:
        """Return the error to raise where something called `name` should begin."""
        return self.failure(("found", shown(self.peek())), ("expected", name))

    def _difference(self, word: str) -> tuple[int, tuple[tuple[_Kind, str], tuple[_Kind, str]]]:
        rest = self.text[self.pos : self.pos + len(word)]
        same = next((at for at, char in enumerate(rest) if char != word[at]), len(rest))
        return same, (("found", shown(rest[same : same + 1])), ("expected", _quoted(word)))

    def take(self, pattern: re.Pattern[str], *expecting: str) -> str:
        """Read as many characters as a pattern matches, perhaps none; `expecting` names what might have gone on."""
        match = pattern.match(self.text, self.pos)
        taken = match[0] if match else ""
        end = self.pos + len(taken)
        stop = Failure(end, (("found", shown(self.text[end : end + 1])), *(("expected", name) for name in expecting)))
        if taken:
            self._advance(len(taken), stop)
        else:
            self._trouble = self._trouble.merged(stop)
        return taken

    def some(self, pattern: re.Pattern[str], *expecting: str) -> str:
        """Read at least one character that a pattern matches."""
        taken = self.take(pattern, *expecting)
        if not taken:
            raise ParseError(self._trouble)
        return taken

    def ends(self) -> bool:
        """Return whether nothing is left."""
        here = self.peek()
        self._note(("unwelcome", shown(here, "'")) if here else ("found", ""), ("expected", "end of input"))
        return not here

    def refuse(self, pattern: re.Pattern[str], *expecting: str) -> None:
        """Fail when a pattern matches the next character; `expecting` is how the pattern is called."""
        if self.peek() and pattern.match(self.text, self.pos):
            # Parsec has taken the character by then, and says so from behind it.
            said = Failure(self.pos + 1, (("unwelcome", shown(self.peek(), "'")),))
            raise ParseError(self._trouble.merged(said))
        self._note(("found", shown(self.peek())), *(("expected", name) for name in expecting))

    def _note(self, *messages: tuple[_Kind, str]) -> None:
        self._trouble = self._trouble.merged(Failure(self.pos, messages))

    # how readers are combined

    def attempt(self, read: Reader[T]) -> T:
        """Run a reader; when it fails, it has taken nothing."""
        start, before = self.pos, self._trouble
        try:
            return read()
        except ParseError as error:
            self.pos, self._trouble = start, before
            raise ParseError(before.merged(error.trouble)) from None

    def choose(self, *readers: Reader[T]) -> T:
        """Return what the first reader finds that takes anything or succeeds."""
        start = self.pos
        for read in readers[:-1]:
            try:
                return read()
            except ParseError as error:
                if self.pos > start:
                    raise
                self._trouble = error.trouble
        return readers[-1]()

    def optional(self, read: Reader[T]) -> T | None:
        """Return what a reader finds, or None when it fails without taking anything."""
        return self.choose(read, lambda: None)

    def named(self, name: str, read: Reader[T]) -> T:
        """Run a reader that is called `name` where it fails, or ends, without having taken anything."""
        start, before = self.pos, self._trouble
        self._trouble = Failure(start)
        try:
            found = read()
        except ParseError as error:
            if self.pos > start:
                raise
            raise ParseError(before.merged(error.trouble.expecting(name))) from None
        if self.pos == start:
            own = self._trouble.expecting(name) if self._trouble.messages else self._trouble
            self._trouble = before.merged(own)
        return found

    def separated(self, read: Reader[T], separate: Reader[bool]) -> list[T]:
        """Read one or more, with separators between; `separate` returns whether it took one."""
        found = [read()]
        while separate():
            found.append(read())
            self.forget()
        return found

    def forget(self) -> None:
        """Forget what would have been welcome here."""
        self._trouble = Failure(self.pos)
