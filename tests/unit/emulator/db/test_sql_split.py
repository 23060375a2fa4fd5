"""Files are split into statements as the official CLI splits them."""

import pytest

from emulator.db.sql_split import split_statements

CASES = [
    pytest.param("", [], id="empty"),
    pytest.param(" \n\t", [], id="blanks"),
    pytest.param(";;\n;", [], id="semicolons"),
    pytest.param("-- nothing\n/* here */", ["-- nothing\n/* here */"], id="comments-only"),
    pytest.param("select 1;\n-- drop a;\n-- drop b;", ["select 1", "-- drop a;\n-- drop b"], id="commented-out"),
    pytest.param("select 1;\r\n-- b\r\nselect 2;", ["select 1", "-- b\r\nselect 2"], id="crlf"),
    pytest.param("select 1; select 2;", ["select 1", "select 2"], id="two"),
    pytest.param("select 1;\n-- the end\n", ["select 1", "-- the end"], id="trailing-comment"),
    pytest.param("-- why\nselect 1;", ["-- why\nselect 1"], id="comment-before"),
    pytest.param("select ';', \"a;b\", e'\\';', 'it''s;'", ["select ';', \"a;b\", e'\\';', 'it''s;'"], id="quotes"),
    pytest.param("select 'a\\'; select 2", ["select 'a\\'", "select 2"], id="backslash-is-plain"),
    pytest.param("do $$ begin; end $$; select 1", ["do $$ begin; end $$", "select 1"], id="dollar"),
    pytest.param("do $a$ $$; $b$; $a$; select 1", ["do $a$ $$; $b$; $a$", "select 1"], id="dollar-tags"),
    pytest.param("select $1; select a$b$ from c$b$; select 2", ["select $1", "select a$b$ from c$b$", "select 2"],
                 id="dollar-in-names"),
    pytest.param("select 1 /* a; /* b; */ c; */; select 2", ["select 1 /* a; /* b; */ c; */", "select 2"],
                 id="nested-comment"),
    pytest.param("create rule r as on insert to t do (select 1; select 2); select 3",
                 ["create rule r as on insert to t do (select 1; select 2)", "select 3"], id="parentheses"),
    pytest.param("create function f() returns int begin atomic select case when true then 1 end; select 2; end;"
                 "select 3",
                 ["create function f() returns int begin atomic select case when true then 1 end; select 2; end",
                  "select 3"], id="begin-atomic"),
    pytest.param("begin; select 1; end; select 2", ["begin", "select 1", "end", "select 2"], id="transaction"),
    pytest.param("select 'never closed; select 2", ["select 'never closed; select 2"], id="open-quote"),
    pytest.param("do $$ never closed; select 2", ["do $$ never closed; select 2"], id="open-dollar"),
    pytest.param("select 1 /* never closed; select 2", ["select 1 /* never closed; select 2"], id="open-comment"),
    pytest.param("select 1); select 2", ["select 1)", "select 2"], id="stray-parenthesis"),
]  # fmt: skip


@pytest.mark.parametrize(("script", "want"), CASES)
def test_a_file_is_split_into_its_statements(script: str, want: list[str]) -> None:
    got = split_statements(script)
    assert [statement.text for statement in got] == want
    assert all(script[statement.offset :].startswith(statement.text) for statement in got)


def test_the_body_of_a_statement_is_without_the_comments_before_it() -> None:
    (statement,) = split_statements("-- a\n/* b /* c */ */ -- d\n  select 1 -- e")
    assert statement.body == "select 1 -- e"


def test_a_file_of_many_statements_takes_time_in_proportion() -> None:
    """Two megabytes of rows with quotes; quadratic behavior would not end."""
    script = "insert into t values (1, 'a;b', $$c;d$$); -- e;\n" * 40_000
    assert len(split_statements(script)) == 40_001
