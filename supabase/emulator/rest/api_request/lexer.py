"""The tokens that all grammars of the query string share: names, JSON paths, types, quoted texts. Pure."""

import re

from emulator.rest.api_request.scanner import Reader, Scanner, T
from emulator.rest.api_request.types import Field, JsonStep

FIELD_NAME = "field name (* or [a..z0..9_$])"
JSON_KEY = "any non reserved character different from: .,>()"
MAX_DEPTH = 64

_IDENTIFIER = re.compile(r"[\w $]+")
_DASHED = re.compile(r"[\w $]+(?:-(?!>)[\w $]+)*")
_DASHED_KEY = re.compile(r"[^(\-:.,>)]+(?:-(?!>)[^(\-:.,>)]+)*")
_KEY = re.compile(r"[^(\-:.,>)]+")
_QUOTED = re.compile(r'"[^\\"]*(?:\\.[^\\"]*)*', re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BLANKS = re.compile(r"[ \t]*")
_DIGITS = re.compile(r"[0-9]+")
_GREATER = re.compile(">")


def between_blanks(scanner: Scanner, read: Reader[T]) -> T:
    """Read something with blanks and tabs around it."""
    scanner.take(_BLANKS)
    found = read()
    scanner.take(_BLANKS)
    return found


def take_comma(scanner: Scanner) -> bool:
    """Take a comma with blanks around it, if there is one."""
    start = scanner.pos
    scanner.take(_BLANKS)
    if scanner.try_word(","):
        scanner.take(_BLANKS)
        return True
    if scanner.pos > start:
        raise scanner.error()
    return False


def nested(scanner: Scanner, read: Reader[T]) -> T:
    """Read one level deeper; fails beyond MAX_DEPTH, so that recursion is bounded."""
    scanner.depth += 1
    if scanner.depth > MAX_DEPTH:
        raise scanner.error(("message", f"more than {MAX_DEPTH} levels of nesting"))
    found = read()
    scanner.depth -= 1
    return found


def read_delimiter(scanner: Scanner) -> None:
    """Read the dot between the parts of a key or a value."""
    if not take_delimiter(scanner):
        raise scanner.error()


def take_delimiter(scanner: Scanner) -> bool:
    """Take the dot between the parts of a key or a value, if it is there."""
    return scanner.try_word(".", "delimiter (.)")


def read_quoted(scanner: Scanner) -> str:
    """Read `"..."`, where a backslash escapes the next character."""
    if not scanner.follows('"'):
        raise scanner.error()
    text = scanner.take(_QUOTED)
    scanner.try_word("\\")
    scanner.word('"')
    return _ESCAPED.sub(r"\1", text[1:])


def read_type(scanner: Scanner) -> str:
    """Read the type of a cast, or a text search configuration: a name without dashes, trimmed."""
    return scanner.some(_IDENTIFIER, "letter", "digit").strip()


def read_name(scanner: Scanner) -> str:
    """Read the name of a column, relation or function: quoted, or plain and trimmed, dashes allowed."""
    return _read_quoted_or_dashed(scanner, _DASHED, _IDENTIFIER, FIELD_NAME, ("letter", "digit"))


def _read_key(scanner: Scanner) -> str:
    return _read_quoted_or_dashed(scanner, _DASHED_KEY, _KEY, JSON_KEY, ())


def _read_quoted_or_dashed(
    scanner: Scanner, dashed: re.Pattern[str], part: re.Pattern[str], name: str, expecting: tuple[str, ...]
) -> str:
    if scanner.peek() == '"':
        return read_quoted(scanner)
    if not part.match(scanner.text, scanner.pos):
        raise scanner.missing(name)
    text = scanner.take(dashed, *expecting, '"-"')
    if scanner.peek() == "-" and not scanner.text.startswith("->", scanner.pos):
        scanner.word("-")
        scanner.not_followed_by(_GREATER, '">"')
        scanner.some(part, *expecting)
    return "-".join(found.strip() for found in text.split("-"))


def read_field(scanner: Scanner) -> Field:
    """Read a name and the JSON path behind it, with blanks around."""
    return between_blanks(scanner, lambda: Field(read_name(scanner), read_json_path(scanner)))


def read_json_path(scanner: Scanner) -> tuple[JsonStep, ...]:
    """Read any number of `->key`, `->>key`, `->0` steps."""
    steps: list[JsonStep] = []
    while (as_text := scanner.try_word("->>")) or scanner.try_word("->"):
        steps.append(_read_step(scanner, as_text))
        scanner.count("steps_of_JSON_paths")
        scanner.clear_expected()
    return tuple(steps)


def _read_step(scanner: Scanner, as_text: bool) -> JsonStep:
    index = scanner.optional(lambda: scanner.attempt(lambda: _read_index(scanner)))
    if index is not None:
        return JsonStep(index, True, as_text)
    return JsonStep(_read_key(scanner), False, as_text)


def _read_index(scanner: Scanner) -> str:
    """Read an index with its sign; digits that go on as a key (`1x`) are not one."""
    sign = "-" if scanner.try_word("-") else "+"
    digits = scanner.some(_DIGITS, "digit")
    look_ahead(scanner, "->", "::", ".", ",", or_end=True)
    return sign + digits


def look_ahead(scanner: Scanner, *words: str, or_end: bool = False) -> None:
    """Fail unless one of some words, or the end, is next; consumes nothing."""
    if not any(scanner.follows(word) for word in words) and not (or_end and scanner.ends()):
        raise scanner.error()
