"""Filters and logic trees: `eq.5`, `not.in.(1,2)`, `or=(a.eq.1,and(b.gt.2,c.is.null))`. Text in, values out. Pure."""

from collections.abc import Callable
from typing import Literal

from emulator.rest.query_types import Compare, Condition, Filter, FullText, InList, Is, Logic, Operation, Quantifier
from emulator.rest.scanner import FIELD_NAME, Scanner

QUANTIFIABLE = frozenset({"eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch"})
SIMPLE = frozenset({"neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj"})
FULL_TEXT = frozenset({"fts", "plfts", "phfts", "wfts"})
# The longest first: `is.not_null` is not `is.n...`; what follows the word is not looked at.
_IS_WORDS: tuple[tuple[str, Literal["NULL", "NOT NULL", "TRUE", "FALSE", "UNKNOWN"]], ...] = (
    ("not_null", "NOT NULL"),
    ("null", "NULL"),
    ("true", "TRUE"),
    ("false", "FALSE"),
    ("unknown", "UNKNOWN"),
)
_OPERATOR = "operator (eq, gt, ...)"
_TREE = f"{FIELD_NAME}, negation operator (not) or logic operator (and, or)"


def read_operation(scanner: Scanner, read_value: Callable[[Scanner], str]) -> tuple[bool, Operation]:
    """Read `[not.]operator.value`; `read_value` knows where a value ends here."""
    negated = scanner.take("not.")
    start = scanner.pos
    word = scanner.take_while(lambda c: c.isascii() and c.islower())
    operation = _read_operation(scanner, word, read_value)
    if operation is None:
        scanner.pos = start
        raise scanner.failure(_OPERATOR if negated else f'"not" or {_OPERATOR}')
    return negated, operation


def _read_operation(scanner: Scanner, word: str, read_value: Callable[[Scanner], str]) -> Operation | None:
    if word == "in" and scanner.take("."):
        return InList(_read_list(scanner))
    if word == "is" and scanner.take("."):
        return _read_is(scanner)
    if word in FULL_TEXT:
        config = None
        if scanner.take("("):
            config = scanner.attempt(scanner.read_type)
            if config is None or not scanner.take(")"):
                return None
        return FullText(word, config, read_value(scanner)) if scanner.take(".") else None
    if word in SIMPLE or word == "isdistinct":
        return Compare(word, read_value(scanner)) if scanner.take(".") else None
    if word in QUANTIFIABLE:
        quantifier: Quantifier | None = "any" if scanner.take("(any)") else "all" if scanner.take("(all)") else None
        return Compare(word, read_value(scanner), quantifier) if scanner.take(".") else None
    return None


def _read_is(scanner: Scanner) -> Is:
    rest = scanner.text[scanner.pos : scanner.pos + 8].lower()
    for word, sql in _IS_WORDS:
        if rest.startswith(word):
            scanner.pos += len(word)
            return Is(sql)
    raise scanner.failure("isVal: (null, not_null, true, false, unknown)")


def _read_list(scanner: Scanner) -> tuple[str, ...]:
    scanner.expect("(")
    scanner.skip_blanks()
    elements = [_read_element(scanner)]
    while scanner.take(","):
        elements.append(_read_element(scanner))
    scanner.expect(")")
    scanner.skip_blanks()
    return tuple(elements)


def _read_element(scanner: Scanner) -> str:
    quoted = _attempt_quoted(scanner)
    return scanner.take_while(lambda c: c not in ",)") if quoted is None else quoted


def _attempt_quoted(scanner: Scanner) -> str | None:
    start = scanner.pos
    if scanner.peek() != '"':
        return None
    quoted = scanner.attempt(scanner.read_quoted)
    if quoted is None or scanner.peek() not in ("", ",", ")"):
        scanner.pos = start
        return None
    return quoted


def read_rest(scanner: Scanner) -> str:
    """Read a top-level value: everything that is left, verbatim."""
    rest = scanner.text[scanner.pos :]
    scanner.pos = len(scanner.text)
    return rest


def read_logic_value(scanner: Scanner) -> str:
    """Read a value inside a logic tree: quoted, a `{...}` without braces inside, or up to a comma or parenthesis."""
    quoted = _attempt_quoted(scanner)
    if quoted is not None:
        return quoted
    if scanner.peek() == "{":
        start = scanner.pos
        scanner.pos += 1
        inner = scanner.take_while(lambda c: c not in "{}")
        if scanner.take("}"):
            return "{" + inner + "}"
        scanner.pos = start
    return scanner.take_while(lambda c: c not in ",)")


def read_logic(scanner: Scanner) -> Condition:
    """Read one node of a logic tree."""
    start = scanner.pos
    found = scanner.attempt(lambda: _read_condition(scanner))
    if found is not None:
        return found
    negated = scanner.take("not.")
    if scanner.take("and"):
        operator: Literal["and", "or"] = "and"
    elif scanner.take("or"):
        operator = "or"
    else:
        if scanner.pos != start:
            raise scanner.failure("logic operator (and, or)")
        raise scanner.failure(_TREE)
    scanner.skip_blanks()
    scanner.expect("(")
    scanner.skip_blanks()
    scanner.descend()
    children = [read_logic(scanner)]
    while scanner.take(","):
        scanner.skip_blanks()
        children.append(read_logic(scanner))
    scanner.expect(")")
    scanner.skip_blanks()
    scanner.ascend()
    return Logic(operator, tuple(children), negated)


def _read_condition(scanner: Scanner) -> Filter:
    field = scanner.read_field()
    if not scanner.take("."):
        raise scanner.failure('letter, digit, "-", "->>", "->" or delimiter (.)')
    negated, operation = read_operation(scanner, read_logic_value)
    scanner.skip_blanks()
    return Filter(field, operation, negated)
