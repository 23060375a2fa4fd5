"""The grammars of filters and logic trees: `eq.5`, `not.in.(1,2)`, `or=(a.eq.1,and(b.gt.2,c.is.null))`. Pure."""

import re
from collections.abc import Callable

from emulator.rest.api_request.lexer import (
    between_blanks,
    nested,
    read_delimiter,
    read_field,
    read_quoted,
    read_type,
    take_comma,
    take_delimiter,
)
from emulator.rest.api_request.scanner import Reader, Scanner, T
from emulator.rest.api_request.types import Compare, Condition, Filter, FullText, InList, Is, Logic, Operation

QUANTIFIABLE = ("eq", "gte", "gt", "lte", "lt", "like", "ilike", "match", "imatch")
SIMPLE = ("neq", "cs", "cd", "ov", "sl", "sr", "nxr", "nxl", "adj")
FULL_TEXT = ("fts", "plfts", "phfts", "wfts")
# PostgREST ignores what follows the keyword, as in `is.nullxyz`.
_IS_WORDS = {"null": "NULL", "not_null": "NOT NULL", "true": "TRUE", "false": "FALSE", "unknown": "UNKNOWN"}
_IS = re.compile("|".join(_IS_WORDS), re.IGNORECASE | re.ASCII)
# A fast path for the common conditions; everything else, and every error, takes the grammar below.
_COMMON = re.compile(rf"(not\.)?({'|'.join((*QUANTIFIABLE, *SIMPLE))})\.")

_ELEMENT = re.compile(r"[^,)]*")
_NO_ELEMENT_END = re.compile(r"[^,)]")
_NO_BRACES = re.compile(r"[^{}]*")
_REST = re.compile(r".*", re.DOTALL)

ReadValue = Callable[[Scanner], str]


def read_operation(scanner: Scanner, read_value: ReadValue) -> tuple[bool, Operation]:
    """Read `[not.]operator.value`; `read_value` knows where a value ends here."""
    common = _COMMON.match(scanner.text, scanner.pos)
    if common:
        scanner.word(common[0])
        return common[1] is not None, Compare(common[2], read_value(scanner))
    negated = _take_dotted(scanner, "not")
    operation = scanner.label(
        "operator (eq, gt, ...)",
        lambda: scanner.choose(
            lambda: _read_in(scanner),
            lambda: _read_is(scanner),
            lambda: _read_distinct(scanner, read_value),
            lambda: scanner.attempt(lambda: _read_full_text(scanner, read_value)),
            lambda: scanner.attempt(lambda: Compare(_read_one_of(scanner, SIMPLE), _read_dotted(scanner, read_value))),
            lambda: scanner.attempt(lambda: _read_quantifiable(scanner, read_value)),
        ),
    )
    return negated, operation


def _take_dotted(scanner: Scanner, word: str) -> bool:
    """Take a word and the dot behind it, or nothing."""
    start = scanner.pos
    if not scanner.try_word(word):
        return False
    if not take_delimiter(scanner):
        scanner.pos = start
        return False
    return True


def _expect_dotted(scanner: Scanner, word: str) -> None:
    if not _take_dotted(scanner, word):
        raise scanner.error()


def _read_dotted(scanner: Scanner, read_value: ReadValue) -> str:
    read_delimiter(scanner)
    return read_value(scanner)


def _read_one_of(scanner: Scanner, words: tuple[str, ...]) -> str:
    for word in words:
        if scanner.try_word(word):
            return word
    raise scanner.error()


def _read_in(scanner: Scanner) -> Operation:
    _expect_dotted(scanner, "in")
    between_blanks(scanner, lambda: scanner.word("("))
    values = scanner.separated(lambda: _read_element(scanner), lambda: scanner.try_word(","))
    between_blanks(scanner, lambda: scanner.word(")"))
    return InList(tuple(values))


def _read_element(scanner: Scanner) -> str:
    quoted = _take_quoted_element(scanner)
    return scanner.take(_ELEMENT) if quoted is None else quoted


def _take_quoted_element(scanner: Scanner) -> str | None:
    """Take a quoted text if it is a whole element; `"a"b` is a plain one."""

    def element() -> str:
        quoted = read_quoted(scanner)
        scanner.not_followed_by(_NO_ELEMENT_END)
        return quoted

    return scanner.optional(lambda: scanner.attempt(element)) if scanner.follows('"') else None


def _read_is(scanner: Scanner) -> Operation:
    _expect_dotted(scanner, "is")
    match = _IS.match(scanner.text, scanner.pos)
    if match is None:
        # PostgREST compares character by character: the error is where the longest beginning of a word ends.
        text = scanner.text[scanner.pos :]
        beginnings = (word[:length] for word in _IS_WORDS for length in range(len(word)))
        scanner.pos += max(len(start) for start in beginnings if text[: len(start)].lower() == start)
        raise scanner.missing("isVal: (null, not_null, true, false, unknown)")
    return Is(_IS_WORDS[scanner.word(match[0]).lower()])  # type: ignore[arg-type]


def _read_distinct(scanner: Scanner, read_value: ReadValue) -> Operation:
    _expect_dotted(scanner, "isdistinct")
    return Compare("isdistinct", read_value(scanner))


def _read_full_text(scanner: Scanner, read_value: ReadValue) -> Operation:
    operator = _read_one_of(scanner, FULL_TEXT)
    config = scanner.optional(lambda: scanner.attempt(lambda: _read_parenthesized(scanner, lambda: read_type(scanner))))
    return FullText(operator, config, _read_dotted(scanner, read_value))


def _read_quantifiable(scanner: Scanner, read_value: ReadValue) -> Operation:
    operator = _read_one_of(scanner, QUANTIFIABLE)
    quantifier = scanner.optional(
        lambda: scanner.attempt(lambda: _read_parenthesized(scanner, lambda: _read_one_of(scanner, ("any", "all"))))
    )
    value = _read_dotted(scanner, read_value)
    return Compare(operator, value, "any" if quantifier == "any" else "all" if quantifier else None)


def _read_parenthesized(scanner: Scanner, read: Reader[T]) -> T:
    scanner.word("(")
    found = read()
    scanner.word(")")
    return found


def read_rest(scanner: Scanner) -> str:
    """Read the value of a top-level filter: everything that is left."""
    return scanner.take(_REST)


def read_logic_value(scanner: Scanner) -> str:
    """Read a value inside a logic tree: quoted, a `{...}` without braces inside, or up to a comma or parenthesis."""
    quoted = _take_quoted_element(scanner)
    if quoted is not None:
        return quoted
    array = scanner.optional(lambda: scanner.attempt(lambda: _read_array(scanner))) if scanner.follows("{") else None
    return scanner.take(_ELEMENT) if array is None else array


def _read_array(scanner: Scanner) -> str:
    return scanner.word("{") + scanner.take(_NO_BRACES) + scanner.word("}")


def read_logic(scanner: Scanner) -> Condition:
    """Read one node of a logic tree."""
    scanner.count("conditions")
    return scanner.choose(lambda: scanner.attempt(lambda: _read_condition(scanner)), lambda: _read_branch(scanner))


def _read_condition(scanner: Scanner) -> Condition:
    field = read_field(scanner)
    read_delimiter(scanner)
    negated, operation = read_operation(scanner, read_logic_value)
    return Filter(field, operation, negated)


def _read_branch(scanner: Scanner) -> Condition:
    negated = scanner.label("negation operator (not)", lambda: _take_dotted(scanner, "not"))
    operator = scanner.label(
        "logic operator (and, or)", lambda: "and" if scanner.try_word("and") else scanner.word("or")
    )
    between_blanks(scanner, lambda: scanner.word("("))
    children = nested(scanner, lambda: scanner.separated(lambda: read_logic(scanner), lambda: take_comma(scanner)))
    between_blanks(scanner, lambda: scanner.word(")"))
    return Logic("and" if operator == "and" else "or", tuple(children), negated)
