"""The grammars of `select`, `order`, `columns` and `on_conflict`. Text in, values out. Pure."""

from typing import Literal

from emulator.rest.query_types import EmbedItem, Field, FieldItem, OrderTerm, SelectItem
from emulator.rest.scanner import Scanner

AGGREGATES = ("sum", "avg", "count", "max", "min")


def read_select(scanner: Scanner) -> tuple[SelectItem, ...]:
    """Read a list of select items, perhaps empty; what stands after it is left alone."""
    scanner.skip_blanks()
    if scanner.at_end() or scanner.peek() == ")":
        return ()
    items = [_read_item(scanner)]
    while scanner.take(","):
        scanner.skip_blanks()
        items.append(_read_item(scanner))
    return tuple(items)


def _read_item(scanner: Scanner) -> SelectItem:
    if scanner.take("..."):
        return _read_embed(scanner, is_spread=True)
    # Deciding by the opening parenthesis keeps deep nests linear: nothing is read twice.
    mark = scanner.pos
    alias = scanner.attempt(lambda: _read_alias(scanner))
    if _embed_follows(scanner):
        return _read_embed(scanner, is_spread=False, alias=alias)
    scanner.pos = mark
    return _read_field_item(scanner)


def _read_alias(scanner: Scanner) -> str:
    name = scanner.read_name()
    scanner.expect(":")
    if scanner.peek() == ":":
        raise scanner.failure("an alias")
    return name


def _embed_follows(scanner: Scanner) -> bool:
    start = scanner.pos
    name = scanner.attempt(scanner.read_name)
    follows = name is not None and name != "count" and scanner.peek() in ("(", "!")
    scanner.pos = start
    return follows


def _read_embed(scanner: Scanner, *, is_spread: bool, alias: str | None = None) -> EmbedItem:
    relation = scanner.read_name()
    hint: str | None = None
    join: Literal["inner", "left"] | None = None
    for _ in range(2):
        if not scanner.take("!"):
            break
        if scanner.take("left"):
            join = "left"
        elif scanner.take("inner"):
            join = "inner"
        else:
            hint = scanner.read_name()
    scanner.expect("(")
    scanner.descend()
    items = read_select(scanner)
    scanner.expect(")")
    scanner.ascend()
    scanner.skip_blanks()
    return EmbedItem(relation, alias, hint, join, items, is_spread)


def _read_field_item(scanner: Scanner) -> FieldItem:
    if scanner.take("*"):
        scanner.skip_blanks()
        _check_end(scanner)
        return FieldItem(Field("*"))
    alias = scanner.attempt(lambda: _read_alias(scanner))
    if scanner.take("count()"):
        cast = _read_cast(scanner)
        _check_end(scanner)
        return FieldItem(Field("*"), alias, None, "count", cast)
    field = scanner.read_field()
    cast = _read_cast(scanner)
    aggregate = aggregate_cast = None
    if scanner.take("."):
        aggregate = next((name for name in AGGREGATES if scanner.take(f"{name}()")), None)
        if aggregate is None:
            raise scanner.failure("aggregate function (sum, avg, count, max, min)")
        aggregate_cast = _read_cast(scanner)
    scanner.skip_blanks()
    _check_end(scanner)
    return FieldItem(field, alias, cast, aggregate, aggregate_cast)


def _read_cast(scanner: Scanner) -> str | None:
    return scanner.read_type() if scanner.take("::") else None


def _check_end(scanner: Scanner) -> None:
    if scanner.peek() not in ("", ",", ")"):
        raise scanner.failure('",", ")" or end of input', at_end=True)


def read_order(scanner: Scanner) -> tuple[OrderTerm, ...]:
    """Read `a.desc.nullslast,rel(b)`."""
    terms = [_read_order_term(scanner)]
    while scanner.take(","):
        terms.append(_read_order_term(scanner))
    return tuple(terms)


def _read_order_term(scanner: Scanner) -> OrderTerm:
    relation: str | None = None
    field = scanner.read_field()
    if not field.path and scanner.take("("):
        relation, field = field.name, scanner.read_field()
        scanner.expect(")")
    direction: Literal["ASC", "DESC"] | None = None
    nulls: Literal["NULLS FIRST", "NULLS LAST"] | None = None
    if scanner.take(".asc"):
        direction = "ASC"
    elif scanner.take(".desc"):
        direction = "DESC"
    if scanner.take(".nullsfirst"):
        nulls = "NULLS FIRST"
    elif scanner.take(".nullslast"):
        nulls = "NULLS LAST"
    elif direction is None and scanner.take("."):
        raise scanner.failure('"asc", "desc", "nullsfirst" or "nullslast"', found=_first_unlike(scanner, "asc"))
    scanner.skip_blanks()
    if scanner.peek() not in ("", ","):
        raise scanner.failure('"," or end of input', at_end=True)
    return OrderTerm(field, direction, nulls, relation)


def _first_unlike(scanner: Scanner, word: str) -> str:
    """Return the first character that is not as in `word`: the one a parser of words complains about."""
    found = scanner.text[scanner.pos : scanner.pos + len(word)]
    return next((char for char, want in zip(found, word, strict=False) if char != want), "")


def read_names(scanner: Scanner) -> tuple[str, ...]:
    """Read `a,"b c"`."""
    names = [scanner.read_name()]
    while scanner.take(","):
        names.append(scanner.read_name())
    return tuple(names)
