"""Parser combinators with Parsec's error messages: where, what was found, what was expected. Pure.

Clients see these messages (`details` of PGRST100), so Parsec's rules for merging the failures of alternatives hold: the
furthest position wins, failures at one position are listed together, what was expected at a position that was passed
is dropped, and an alternative is tried only if the one before consumed nothing (`attempt` undoes what was consumed).
Source: the documentation of Haskell's parsec 3, modules Text.Parsec.Prim, Char, Combinator and Error.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Literal, NamedTuple, TypeVar

T = TypeVar("T")

Reader = Callable[[], T]
_Kind = Literal["found", "unexpected", "expected", "message"]


class Failure(NamedTuple):
    """Why parsing can't go on at a position (from 0). `messages` may have duplicates."""

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
        unexpected, found = self._texts("unexpected"), [text for kind, text in self.messages if kind == "found"]
        parts = []
        if unexpected:
            parts.append(f"unexpected {_listed(unexpected)}")
        elif found:
            parts.append(f"unexpected {found[0] or 'end of input'}")
        if expected := self._texts("expected"):
            parts.append(f"expecting {_listed(expected)}")
        parts.extend(self._texts("message"))
        return " ".join(parts) or "unknown parse error"

    def _texts(self, kind: _Kind) -> list[str]:
        return list(dict.fromkeys(text for found, text in self.messages if found == kind and text))


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


class ParseError(Exception):
    """A text that does not match the grammar."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class LimitReached(Exception):
    """More of something than a request may have. Not a ParseError: no alternative is tried. `str()` names the limit."""

    def __init__(self, position: int, text: str) -> None:
        super().__init__(text)
        self.position = position


class Limits:
    """Counts what the parameters of one request have together, against the most that they may have."""

    def __init__(self, **most: int) -> None:
        self._most = most
        self._counts = dict.fromkeys(most, 0)

    def count(self, kind: str, position: int) -> None:
        """Count one more. Raises LimitReached."""
        self._counts[kind] += 1
        if self._counts[kind] > self._most[kind]:
            raise LimitReached(position, f"more than {self._most[kind]} {kind.replace('_', ' ')}")


_quoted = lru_cache(json.dumps)


# What Haskell calls the characters below the blank.
_CONTROL = (
    "NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US"
).split()


def show_char(char: str, mark: str = '"') -> str:
    """Quote a character as Haskell's show does; an empty one stands for the end."""
    if not char:
        return ""
    code = ord(char)
    if code < len(_CONTROL):
        shown = f"\\{_CONTROL[code]}"
    elif code == 127:
        shown = "\\DEL"
    elif code > 127:
        shown = f"\\{code}"
    else:
        shown = f"\\{char}" if char in (mark, "\\") else char
    return f"{mark}{shown}{mark}"


class Scanner:
    """A position in a text, and the failures seen there. A reader returns what it read or raises ParseError."""

    __slots__ = ("_failure", "_limits", "depth", "pos", "text")

    def __init__(self, text: str, limits: Limits | None = None) -> None:
        self.text = text
        self._limits = limits
        self.pos = 0
        self.depth = 0
        self._failure = Failure(0)

    def peek(self) -> str:
        """Return the next character, or an empty string at the end."""
        return self.text[self.pos : self.pos + 1]

    def count(self, kind: str) -> None:
        """Count one more of a kind against the request's limits. Raises LimitReached."""
        if self._limits is not None:
            self._limits.count(kind, self.pos)

    def error(self, *messages: tuple[_Kind, str]) -> ParseError:
        """Return the error to raise here."""
        return ParseError(self._failure.merged(Failure(self.pos, messages)))

    def _advance(self, length: int, failure: Failure | None = None) -> None:
        self.pos += length
        self._failure = failure or Failure(self.pos)

    # Characters and words

    def word(self, word: str) -> str:
        """Read exactly `word`. A failure is reported at its beginning, with the character that differs."""
        if self.text.startswith(word, self.pos):
            self._advance(len(word))
            return word
        same, messages = self._difference(word)
        if same == 0:
            raise self.error(*messages)
        start = self.pos
        self.pos += same
        raise ParseError(Failure(start, messages))

    def try_word(self, word: str, name: str | None = None) -> bool:
        """Take `word` if it is next; else note that it, or what `name` calls it, was expected."""
        if self.text.startswith(word, self.pos):
            self._advance(len(word))
            return True
        found, expected = self._difference(word)[1]
        self._note(found, ("expected", name) if name else expected)
        return False

    def follows(self, word: str) -> bool:
        """Return whether `word` is next, taking nothing; if not, note that it was expected."""
        if self.text.startswith(word, self.pos):
            return True
        self._note(*self._difference(word)[1])
        return False

    def missing(self, name: str) -> ParseError:
        """Return the error to raise where something called `name` should begin."""
        return self.error(("found", show_char(self.peek())), ("expected", name))

    def _difference(self, word: str) -> tuple[int, tuple[tuple[_Kind, str], tuple[_Kind, str]]]:
        rest = self.text[self.pos : self.pos + len(word)]
        same = next((at for at, char in enumerate(rest) if char != word[at]), len(rest))
        return same, (("found", show_char(rest[same : same + 1])), ("expected", _quoted(word)))

    def take(self, pattern: re.Pattern[str], *expecting: str) -> str:
        """Read as many characters as a pattern matches, perhaps none; `expecting` names what could have followed."""
        match = pattern.match(self.text, self.pos)
        taken = match[0] if match else ""
        end = self.pos + len(taken)
        stop = Failure(
            end, (("found", show_char(self.text[end : end + 1])), *(("expected", name) for name in expecting))
        )
        if taken:
            self._advance(len(taken), stop)
        else:
            self._failure = self._failure.merged(stop)
        return taken

    def some(self, pattern: re.Pattern[str], *expecting: str) -> str:
        """Read at least one character that a pattern matches."""
        taken = self.take(pattern, *expecting)
        if not taken:
            raise ParseError(self._failure)
        return taken

    def ends(self) -> bool:
        """Return whether nothing is left."""
        here = self.peek()
        self._note(("unexpected", show_char(here, "'")) if here else ("found", ""), ("expected", "end of input"))
        return not here

    def not_followed_by(self, pattern: re.Pattern[str], *expecting: str) -> None:
        """Fail when a pattern matches the next character; `expecting` names what the pattern matches."""
        if self.peek() and pattern.match(self.text, self.pos):
            # Parsec has consumed the character by then and reports the position after it.
            failure = Failure(self.pos + 1, (("unexpected", show_char(self.peek(), "'")),))
            raise ParseError(self._failure.merged(failure))
        self._note(("found", show_char(self.peek())), *(("expected", name) for name in expecting))

    def _note(self, *messages: tuple[_Kind, str]) -> None:
        self._failure = self._failure.merged(Failure(self.pos, messages))

    # Combinators

    def attempt(self, read: Reader[T]) -> T:
        """Run a reader; when it fails, nothing was consumed (Parsec's `try`)."""
        start, before = self.pos, self._failure
        try:
            return read()
        except ParseError as error:
            self.pos, self._failure = start, before
            raise ParseError(before.merged(error.failure)) from None

    def choose(self, *readers: Reader[T]) -> T:
        """Return the result of the first reader that consumes anything or succeeds (`<|>`)."""
        start = self.pos
        for read in readers[:-1]:
            try:
                return read()
            except ParseError as error:
                if self.pos > start:
                    raise
                self._failure = error.failure
        return readers[-1]()

    def optional(self, read: Reader[T]) -> T | None:
        """Return the result of a reader, or None when it fails without consuming anything."""
        return self.choose(read, lambda: None)

    def label(self, name: str, read: Reader[T]) -> T:
        """Run a reader; where it fails or ends without consuming anything, `name` was expected (`<?>`)."""
        start, before = self.pos, self._failure
        self._failure = Failure(start)
        try:
            found = read()
        except ParseError as error:
            if self.pos > start:
                raise
            raise ParseError(before.merged(error.failure.expecting(name))) from None
        if self.pos == start:
            own = self._failure.expecting(name) if self._failure.messages else self._failure
            self._failure = before.merged(own)
        return found

    def separated(self, read: Reader[T], separate: Reader[bool]) -> list[T]:
        """Read one or more, with separators between; `separate` returns whether it took one."""
        found = [read()]
        while separate():
            found.append(read())
            self.clear_expected()
        return found

    def clear_expected(self) -> None:
        """Drop what was expected here."""
        self._failure = Failure(self.pos)
