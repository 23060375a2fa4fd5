"""The language of psql, as far as tests of databases are written in it."""

import pytest

from muster_cli.db.psql import Command, PsqlError, Sql, is_true, scan


@pytest.mark.parametrize(("script", "want"), [
    pytest.param("select 1;\nselect 2", [Sql("select 1", 1), Sql("select 2", 2)], id="statements"),
    pytest.param("\\set QUIET 1\nselect 1;", [Command("set", ("QUIET", "1"), 1), Sql("select 1", 2)], id="command"),
    pytest.param("-- \\no\n/* \\no */ select '\\no';", [Sql("-- \\no\n/* \\no */ select '\\no'", 1)], id="quoted"),
    pytest.param("\\echo 'a b' :name :'name'", [Command("echo", ("a b", "o'k", "'o''k'"), 1)], id="arguments"),
    pytest.param("select :'name', :\"name\", :name, x::int, ':name';",
                 [Sql("select 'o''k', \"o'k\", o'k, x::int, ':name'", 1)], id="variables"),
    pytest.param("select :missing;", [Sql("select :missing", 1)], id="unset-variable"),
    pytest.param("select 1 as a \\gset p_\nselect 2;",
                 [Command("gset", ("p_",), 1, "select 1 as a"), Sql("select 2", 2)], id="gset"),
    pytest.param("do $$ begin \\x; :name; end $$;", [Sql("do $$ begin \\x; :name; end $$", 1)], id="dollar"),
    pytest.param("\\i a.sql\n\\ir b.sql", [Command("i", ("a.sql",), 1), Command("ir", ("b.sql",), 2)], id="include"),
    pytest.param("select a[1:2]; -- the end", [Sql("select a[1:2]", 1)], id="slice"),
    pytest.param("", [], id="empty"),
])  # fmt: skip
def test_a_script_is_read_as_psql_reads_it(script: str, want: list[object]) -> None:
    assert list(scan(script, {"name": "o'k"})) == want


def test_variables_count_from_where_they_are_set() -> None:
    variables: dict[str, str] = {}
    got = []
    for item in scan("select :a;\n\\set a 1\nselect :a;", variables):
        if isinstance(item, Command):
            variables[item.arguments[0]] = item.arguments[1]
        else:
            got.append(item.text)
    assert got == ["select :a", "select 1"]


def test_booleans_are_those_of_psql() -> None:
    assert (is_true("ON"), is_true("1"), is_true("off"), is_true("")) == (True, True, False, False)
    with pytest.raises(PsqlError):
        is_true("maybe")
