"""Query strings: every rule of the grammars as a row."""

import pytest

from emulator.errors import ApiError
from emulator.rest.api_request.query_params import QueryParameter, decode_pairs, parse, read_form, split_values
from emulator.rest.api_request.types import (
    Compare,
    EmbedItem,
    Field,
    FieldItem,
    Filter,
    FullText,
    InList,
    Is,
    JsonStep,
    Logic,
    OrderTerm,
    Placeholder,
    QueryParams,
    Range,
)


def read(query: str, *, is_call: bool = False) -> QueryParams:
    """Parse without placeholders, so that the values stay in place."""
    shape = tuple(QueryParameter(key, value) for key, value in decode_pairs(query.encode()))
    return parse(shape, is_call=is_call)


@pytest.mark.parametrize(
    ("raw", "want"),
    [
        pytest.param(b"a=1&b=2;c=3", [("a", "1"), ("b", "2"), ("c", "3")], id="semicolons separate too"),
        pytest.param(b"a&b=", [("b", "")], id="no equals sign, no parameter"),
        pytest.param(b"a=x=y", [("a", "x=y")], id="the first equals sign"),
        pytest.param(b"a+b=%C3%A9+%zz", [("a b", "é %zz")], id="decoding, and a bad escape"),
    ],
)
def test_query_strings_are_split_like_forms(raw: bytes, want: list[tuple[str, str]]) -> None:
    assert decode_pairs(raw) == want


def test_plain_values_are_parameters() -> None:
    form, values = split_values(b"id=eq.5&select=id&n=in.(1)", is_call=False)
    assert (form, values) == ((b"id=eq.&", b"select=id", b"n=in.(1)"), [b"5"])
    shape = read_form(form)
    assert shape == (QueryParameter("id", "eq.", 0), QueryParameter("select", "id"), QueryParameter("n", "in.(1)"))
    assert parse(shape, is_call=False).filters[0] == ((), Filter(Field("id"), Compare("eq", Placeholder(0))))


def test_arguments_of_calls_are_parameters() -> None:
    form, values = split_values(b"a=7&b=eq.1", is_call=True)
    params = parse(read_form(form), is_call=True)
    assert (values, params.arguments) == ([b"7", b"1"], (("a", Placeholder(0)),))
    assert [found.field.name for _, found in params.filters] == ["b"]


@pytest.mark.parametrize(
    ("raw", "is_call", "form", "values"),
    [
        pytest.param(b"", False, (), [], id="nothing"),
        pytest.param(b"a=eq.1;b=lt.2&", False, (b"a=eq.&", b"b=lt.&"), [b"1", b"2"], id="both separators"),
        pytest.param(b"a&b=eq.1", False, (b"b=eq.&",), [b"1"], id="no equals sign, no parameter"),
        pytest.param(b"a=eq.", False, (b"a=eq.&",), [b""], id="an empty value"),
        pytest.param(b"a=eq.%C3%A9+%26", False, (b"a=eq.&",), ["é &".encode()], id="decoding"),
        pytest.param(b"a=eq.%ff\xfe", False, (b"a=eq.&",), ["\ufffd\ufffd".encode()], id="no UTF-8"),
        pytest.param(b"a-%3Eb=eq.1", False, (b"a-%3Eb=eq.&",), [b"1"], id="an encoded key"),
        pytest.param(b"order=eq.desc&x.limit=eq.1", False, (b"order=eq.desc", b"x.limit=eq.1"), [], id="keywords"),
        pytest.param(b"%6frder=eq.desc", False, (b"%6frder=eq.desc",), [], id="an encoded keyword"),
        pytest.param(b"a=e%71.5", False, (b"a=e%71.5",), [], id="an encoded operator stays"),
        pytest.param(b"a=e%71.5", True, (b"a=e%71.5",), [], id="an encoded operator is no argument"),
        pytest.param(b"a=%26", True, (b"a=&",), [b"&"], id="an argument that looks like a cut"),
    ],
)
def test_values_are_cut_out_of_query_strings(
    raw: bytes, is_call: bool, form: tuple[bytes, ...], values: list[bytes]
) -> None:
    assert split_values(raw, is_call=is_call) == (form, values)


def test_what_is_cut_out_fits_what_is_left() -> None:
    """Two query strings of one form mean the same but for their values, however they are encoded."""
    shape = read_form(split_values(b"a=in.(%26)&a=e%71.5&b=eq.1&c=gt.2", is_call=False)[0])
    assert [(found.value, found.placeholder) for found in shape] == [
        ("in.(&)", None), ("eq.5", None), ("eq.", 0), ("gt.", 1),
    ]  # fmt: skip


FILTERS = [
    pytest.param("a=eq.5", Filter(Field("a"), Compare("eq", "5")), id="eq"),
    pytest.param('a=eq."x"', Filter(Field("a"), Compare("eq", '"x"')), id="quotes stay at top level"),
    pytest.param("a=not.gte.5", Filter(Field("a"), Compare("gte", "5"), True), id="not"),
    pytest.param("a=like(all).{x,y}", Filter(Field("a"), Compare("like", "{x,y}", "all")), id="quantified"),
    pytest.param("a=in.(1, 2)", Filter(Field("a"), InList(("1", " 2"))), id="blanks after commas belong"),
    pytest.param('a=in.("a,b","c\\"d")', Filter(Field("a"), InList(("a,b", 'c"d'))), id="quoted elements"),
    pytest.param("a=in.()", Filter(Field("a"), InList(("",))), id="empty list"),
    pytest.param("a=in.(1)garbage", Filter(Field("a"), InList(("1",))), id="garbage after a list"),
    pytest.param("a=is.NULL", Filter(Field("a"), Is("NULL")), id="is, any case"),
    pytest.param("a=is.not_null", Filter(Field("a"), Is("NOT NULL")), id="is not_null"),
    pytest.param("a=is.nullxyz", Filter(Field("a"), Is("NULL")), id="no end check of is"),
    pytest.param("a=fts(english).cat", Filter(Field("a"), FullText("fts", "english", "cat")), id="text search"),
    pytest.param(
        "a->b->>0=eq.1",
        Filter(Field("a", (JsonStep("b", False, False), JsonStep("+0", True, True))), Compare("eq", "1")),
        id="json path",
    ),
    pytest.param(
        "a->>-1=eq.1", Filter(Field("a", (JsonStep("-1", True, True),)), Compare("eq", "1")), id="from the end"
    ),
    pytest.param("a->>1x=eq.1", Filter(Field("a", (JsonStep("1x", False, True),)), Compare("eq", "1")), id="no index"),
    pytest.param('"a.b"=eq.1', Filter(Field("a.b"), Compare("eq", "1")), id="quoted name"),
]


@pytest.mark.parametrize(("query", "want"), FILTERS)
def test_a_filter_is_parsed(query: str, want: Filter) -> None:
    assert read(query).filters == (((), want),)


def test_embeds_are_addressed_by_path() -> None:
    params = read("a.b.c=eq.1&a.order=x.desc&a.limit=3&a.b.or=(x.eq.1,y.is.null)&a.offset=2")
    assert params.filters[0][0] == ("a", "b")
    assert params.orders == ((("a",), (OrderTerm(Field("x"), "DESC"),)),)
    assert params.ranges == ((("a",), Range(2, 3)),)
    assert params.logic[0][0] == ("a", "b")


def test_logic_trees_nest_and_unquote() -> None:
    [(_, tree)] = read('not.or=(a.eq."x,y", not.and(b.cs.{1,2},c.in.(1,2)))').logic
    assert tree == Logic(
        "or",
        (
            Filter(Field("a"), Compare("eq", "x,y")),
            Logic("and", (Filter(Field("b"), Compare("cs", "{1,2}")), Filter(Field("c"), InList(("1", "2")))), True),
        ),
        True,
    )


SELECTS = [
    pytest.param("", (), id="nothing"),
    pytest.param("*,a", (FieldItem(Field("*")), FieldItem(Field("a"))), id="star"),
    pytest.param("x:a::text", (FieldItem(Field("a"), "x", "text"),), id="alias and cast"),
    pytest.param("a::int.sum()::text", (FieldItem(Field("a"), None, "int", "sum", "text"),), id="aggregate"),
    pytest.param("n:count()", (FieldItem(Field("*"), "n", None, "count"),), id="count of rows"),
    pytest.param("b:r!h!inner(c)", (EmbedItem("r", "b", "h", "inner", (FieldItem(Field("c")),)),), id="embed"),
    pytest.param("r!inner!h()", (EmbedItem("r", None, "h", "inner", ()),), id="either order"),
    pytest.param("...r(c)", (EmbedItem("r", None, None, None, (FieldItem(Field("c")),), True),), id="spread"),
    pytest.param('"a b",c d', (FieldItem(Field("a b")), FieldItem(Field("c d"))), id="blanks in names"),
]


@pytest.mark.parametrize(("text", "want"), SELECTS)
def test_select_is_parsed(text: str, want: tuple[object, ...]) -> None:
    assert read(f"select={text}").select == want
    assert read("").select == (FieldItem(Field("*")),)


@pytest.mark.parametrize(
    ("text", "want"),
    [
        pytest.param("a", OrderTerm(Field("a")), id="plain"),
        pytest.param("a.desc.nullslast", OrderTerm(Field("a"), "DESC", "NULLS LAST"), id="both"),
        pytest.param("a.nullsfirst", OrderTerm(Field("a"), None, "NULLS FIRST"), id="nulls alone"),
        pytest.param("r(a).asc", OrderTerm(Field("a"), "ASC", None, "r"), id="related"),
        pytest.param("a->b.desc", OrderTerm(Field("a", (JsonStep("b", False, False),)), "DESC"), id="json"),
    ],
)
def test_order_is_parsed(text: str, want: OrderTerm) -> None:
    assert read(f"order={text}").orders == (((), (want,)),)


def test_repeated_parameters() -> None:
    params = read("order=a&order=b&limit=1&limit=2&select=x&select=y&offset=oops")
    assert [terms[0].field.name for _, terms in params.orders] == ["a", "b"]
    assert (params.root_range, params.select) == (Range(0, 2), (FieldItem(Field("x")),))
    assert read("limit=oops&offset=2").root_range == Range(2, 0)


ERRORS = [
    pytest.param("id=noop.0", '"failed to parse filter (noop.0)" (line 1, column 1)', id="operator"),
    pytest.param("id=is.noT_x", '"failed to parse filter (is.noT_x)" (line 1, column 8)', id="beginning of a word"),
    pytest.param("or=()", '"failed to parse logic tree (())" (line 1, column 4)', id="empty tree"),
    pytest.param(
        "select=data->>--34", '"failed to parse select parameter (data->>--34)" (line 1, column 9)', id="index"
    ),
    pytest.param("columns=", '"failed to parse columns parameter ()" (line 1, column 1)', id="columns"),
    pytest.param("order=a.sideways", '"failed to parse order (a.sideways)" (line 1, column 3)', id="order"),
    pytest.param("id=is.5", '"failed to parse filter (is.5)" (line 1, column 4)', id="is"),
]


@pytest.mark.parametrize(("query", "message"), ERRORS)
def test_a_parse_error_has_its_position(query: str, message: str) -> None:
    with pytest.raises(ApiError) as refused:
        read(query)
    assert (refused.value.code, refused.value.status, refused.value.message) == ("PGRST100", 400, message)


@pytest.mark.parametrize(
    ("query", "column", "details"),
    [
        ("or=)(", 3, 'unexpected ")" expecting "("'),
        ("or=(ord(id.eq.1))", 6, 'unexpected "d" expecting "("'),
        ("and=(id.in.1,2)", 11, 'unexpected "1" expecting "("'),
        ("or=(id.eq.1,not.xor(id.eq.2,id.eq.3))", 16, 'unexpected "x" expecting logic operator (and, or)'),
        ("or=(id)", 6, 'unexpected ")" expecting letter, digit, "-", "->>", "->" or delimiter (.)'),
        ("select=data->>-78xy", 11, 'unexpected \'x\' expecting digit, "->", "::", ".", "," or end of input'),
        ("select=data->>--34", 9, 'unexpected "-" expecting digit'),
        (
            "select=id,clients(name[])",
            16,
            'unexpected \'[\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
        ),
        (
            "select=name!hint",
            5,
            'unexpected \'!\' expecting letter, digit, "-", "->>", "->", "::", ".", ")", "," or end of input',
        ),
        ("select=name::", 7, "unexpected end of input expecting letter or digit"),
        ("select=é,a::ü.x()", 8, 'unexpected "x" expecting "sum", "avg", "count", "max" or "min"'),
        ("order=id.ac", 4, 'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"'),
        ("order=id.descc", 8, "unexpected 'c' expecting delimiter (.), \",\" or end of input"),
        ("order=id.asc.nlsfst", 8, 'unexpected "l" expecting "nullsfirst" or "nullslast"'),
        ("order=id.desc.nullslasttt", 18, "unexpected 't' expecting \",\" or end of input"),
        (
            "order=clients(name,id)",
            8,
            'unexpected \'(\' expecting letter, digit, "-", "->>", "->", delimiter (.), "," or end of input',
        ),
        ("a=noop.0", 1, 'unexpected "o" expecting "not" or operator (eq, gt, ...)'),
        ("a=fts().value", 5, 'unexpected ")" expecting operator (eq, gt, ...)'),
        ("a=eq().value", 4, 'unexpected ")" expecting operator (eq, gt, ...)'),
        ("a=\x01", 1, 'unexpected "\\SOH" expecting "not" or operator (eq, gt, ...)'),
        ("a=\x1b", 1, 'unexpected "\\ESC" expecting "not" or operator (eq, gt, ...)'),
        ("a=\n", 1, 'unexpected "\\n" expecting "not" or operator (eq, gt, ...)'),
        ("a=\x7f", 1, 'unexpected "\\DEL" expecting "not" or operator (eq, gt, ...)'),
        ("a=ü", 1, 'unexpected "\\252" expecting "not" or operator (eq, gt, ...)'),
        ("a=is.ok", 4, 'unexpected "o" expecting isVal: (null, not_null, true, false, unknown)'),
        ("a=in.(1", 6, 'unexpected end of input expecting "," or ")"'),
        ("columns=", 1, "unexpected end of input expecting field name (* or [a..z0..9_$])"),
    ],
)
def test_a_parse_error_says_what_was_expected(query: str, column: int, details: str) -> None:
    """Parsec's position and message: most rows are examples of PostgREST's own documentation of its parsers."""
    with pytest.raises(ApiError) as refused:
        read(query)
    assert refused.value.details == details
    assert refused.value.message.endswith(f" (line 1, column {column})")


@pytest.mark.parametrize(
    ("at_most", "one", "join", "around", "kind"),
    [
        (400, "a", ",", "select={}", "selected columns"),
        (40, "a()", ",", "select={}", "embedded resources"),
        (100, "a", ",", "order={}", "keys of orders"),
        (100, "order=a", "&", "{}", "keys of orders"),
        (500, "a=eq.1", "&", "{}", "conditions"),
        (499, "a.eq.1", ",", "or=({})", "conditions"),
        (1000, "->a", "", "select=a{}", "steps of JSON paths"),
        (2000, "a", ",", "columns={}", "names"),
        (1000, "a=1", "&", "{}", "parameters"),
    ],
)
def test_a_request_may_ask_for_so_much(at_most: int, one: str, join: str, around: str, kind: str) -> None:
    """No more than is parsed and planned in some 40 ms, in which everybody else waits."""
    is_call = kind == "parameters"
    read(around.replace("{}", join.join([one] * at_most)), is_call=is_call)
    with pytest.raises(ApiError) as refused:
        read(around.replace("{}", join.join([one] * (at_most + 1))), is_call=is_call)
    assert refused.value.code == "PGRST100"
    assert str(refused.value.details).endswith(kind)


def test_logic_trees_nest_so_deep() -> None:
    read(f"or=({'and(' * 60}a.eq.1{')' * 60})")
    with pytest.raises(ApiError) as refused:
        read(f"or=({'and(' * 64}a.eq.1{')' * 64})")
    assert "more than 64 levels of nesting" in str(refused.value.details)


def test_a_bad_order_is_reported_before_a_bad_filter() -> None:
    with pytest.raises(ApiError, match="order"):
        read("id=noop.1&order=a.sideways")


def test_values_of_calls_are_arguments_unless_they_are_filters() -> None:
    params = read("a=x&b=eq.1&c=hello.world", is_call=True)
    assert params.arguments == (("a", "x"), ("c", "hello.world"))
    with pytest.raises(ApiError):
        read("a=in.x", is_call=True)
