"""The grammars of `select`, `order`, `columns` and `on_conflict`. Pure."""

import re
from typing import Literal

from emulator.rest.api_request.lexer import (
    between_blanks,
    look_ahead,
    nested,
    read_delimiter,
    read_field,
    read_name,
    read_type,
    take_comma,
)
from emulator.rest.api_request.scanner import Scanner
from emulator.rest.api_request.types import EmbedItem, Field, FieldItem, OrderTerm, SelectItem

_EmbedHead = tuple[str | None, str, str | None, Literal["inner", "left"] | None]
_ALIAS = re.compile(r'(?:"[^\\"]*(?:\\.[^\\"]*)*"|[\w $]+(?:-(?!>)[\w $]+)*):(?!:)', re.DOTALL)


def read_select(scanner: Scanner) -> tuple[SelectItem, ...]:
    """Read a list of select items, which may be empty; what follows it is ignored, as in PostgREST."""
    items = scanner.optional(lambda: scanner.separated(lambda: _read_item(scanner), lambda: take_comma(scanner)))
    return tuple(items or ())


def _read_item(scanner: Scanner) -> SelectItem:
    return scanner.choose(
        lambda: _read_embed(scanner, is_spread=True),
        lambda: _read_embed(scanner, is_spread=False),
        lambda: _read_field_item(scanner),
    )


def _read_embed(scanner: Scanner, *, is_spread: bool) -> SelectItem:
    alias, relation, hint, join = scanner.attempt(
        lambda: between_blanks(scanner, lambda: _read_embed_head(scanner, is_spread=is_spread))
    )
    scanner.count("embedded_resources")
    scanner.word("(")
    items = nested(scanner, lambda: read_select(scanner))
    scanner.word(")")
    return EmbedItem(relation, alias, hint, join, items, is_spread)


def _read_embed_head(scanner: Scanner, *, is_spread: bool) -> _EmbedHead:
    alias = None
    if is_spread:
        scanner.word("...")
    else:
        alias = _read_alias(scanner)
    relation = read_name(scanner)
    if relation == "count" and not is_spread:
        raise scanner.error()
    hint: str | None = None
    join: Literal["inner", "left"] | None = None
    for _ in range(2):
        if not scanner.try_word("!"):
            break
        if scanner.try_word("left"):
            join = join or "left"
        elif scanner.try_word("inner"):
            join = join or "inner"
        else:
            name = read_name(scanner)
            hint = name if hint is None else hint
    look_ahead(scanner, "(")
    return alias, relation, hint, join


def _read_alias(scanner: Scanner) -> str | None:
    if not _ALIAS.match(scanner.text, scanner.pos):
        return None
    name = read_name(scanner)
    scanner.word(":")
    return name


def _read_field_item(scanner: Scanner) -> FieldItem:
    return between_blanks(
        scanner,
        lambda: (
            scanner.optional(lambda: scanner.attempt(lambda: _read_star(scanner)))
            or scanner.optional(lambda: scanner.attempt(lambda: _read_count(scanner)))
            or _read_column(scanner)
        ),
    )


def _read_star(scanner: Scanner) -> FieldItem | None:
    if not scanner.try_word("*"):
        return None
    scanner.count("selected_columns")
    _check_end(scanner)
    return FieldItem(Field("*"))


def _read_count(scanner: Scanner) -> FieldItem | None:
    start = scanner.pos
    alias = _read_alias(scanner)
    if not scanner.try_word("count()"):
        scanner.pos = start
        return None
    scanner.count("selected_columns")
    cast = _read_cast(scanner)
    _check_end(scanner)
    return FieldItem(Field("*"), alias, None, "count", cast)


def _read_column(scanner: Scanner) -> FieldItem:
    scanner.count("selected_columns")
    alias = _read_alias(scanner)
    field = read_field(scanner)
    cast = _read_cast(scanner)
    aggregate = scanner.optional(lambda: scanner.attempt(lambda: _read_aggregate(scanner)))
    aggregate_cast = _read_cast(scanner)
    _check_end(scanner)
    return FieldItem(field, alias, cast, aggregate, aggregate_cast)


def _read_aggregate(scanner: Scanner) -> str | None:
    if not scanner.try_word("."):
        return None
    name = scanner.choose(
        lambda: scanner.word("sum"),
        lambda: scanner.word("avg"),
        lambda: scanner.word("count"),
        lambda: scanner.attempt(lambda: scanner.word("max")),
        lambda: scanner.attempt(lambda: scanner.word("min")),
    )
    scanner.word("()")
    return name


def _read_cast(scanner: Scanner) -> str | None:
    return read_type(scanner) if scanner.optional(lambda: scanner.word("::")) else None


def _check_end(scanner: Scanner) -> None:
    look_ahead(scanner, ")", ",", or_end=True)


def read_order(scanner: Scanner) -> tuple[OrderTerm, ...]:
    """Read `a.desc.nullslast,rel(b)`."""

    def term() -> OrderTerm:
        scanner.count("keys_of_orders")
        return scanner.choose(
            lambda: scanner.attempt(lambda: _read_order_term(scanner, is_related=True)),
            lambda: _read_order_term(scanner, is_related=False),
        )

    return tuple(scanner.separated(lambda: between_blanks(scanner, term), lambda: scanner.try_word(",")))


def _read_order_term(scanner: Scanner, *, is_related: bool) -> OrderTerm:
    relation: str | None = None
    if is_related:
        relation = read_name(scanner)
        scanner.word("(")
    field = read_field(scanner)
    if is_related:
        scanner.word(")")
    direction = _take_suffix(scanner, "asc") or _take_suffix(scanner, "desc")
    nulls = _take_suffix(scanner, "nullsfirst") or _take_suffix(scanner, "nullslast")
    look_ahead(scanner, ",", or_end=True)
    return OrderTerm(
        field,
        {"asc": "ASC", "desc": "DESC"}.get(direction or ""),  # type: ignore[arg-type]
        {"nullsfirst": "NULLS FIRST", "nullslast": "NULLS LAST"}.get(nulls or ""),  # type: ignore[arg-type]
        relation,
    )


def _take_suffix(scanner: Scanner, word: str) -> str | None:
    def suffix() -> str:
        read_delimiter(scanner)
        return scanner.word(word)

    return scanner.optional(lambda: scanner.attempt(suffix))


def read_names(scanner: Scanner) -> tuple[str, ...]:
    """Read `a,"b c"`."""

    def name() -> str:
        scanner.count("names")
        return read_name(scanner)

    return tuple(scanner.separated(name, lambda: take_comma(scanner)))
