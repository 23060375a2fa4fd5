"""Files of database tests are run as psql runs them."""

from pathlib import Path

import pytest

from muster_cli.db.pgtap import find_tests, run_file
from muster_cli.output import UserError
from tests.support.postgres import Database


def test_a_file_with_commands_variables_and_includes(module_database: Database, tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "plan.sql").write_text("select '1..' || :total;")
    (tmp_path / "a_test.sql").write_text(
        "\\unset ECHO\n\\set QUIET 1\n\\pset tuples_only true\n\\set total 3\n"
        "begin;\n\\ir shared/plan.sql\n"
        "create function pg_temp.yes(n int) returns text return 'ok ' || n;\n"
        "select pg_temp.yes(1);\nselect 2 as next \\gset\nselect pg_temp.yes(:next);\n"
        "\\if false\nselect 'not ok';\n\\else\n\\echo ok :'total'\n\\endif\nrollback;\n"
    )
    lines: list[str] = []
    got = run_file(module_database.url(), tmp_path / "a_test.sql", lines.append)
    assert lines == ["1..3", "ok 1", "ok 2", "ok '3'"]
    assert (got.passed, got.problem) == (3, "")


@pytest.mark.parametrize(("script", "problem"), [
    pytest.param("select '1..1';\nselect 1 / 0;", "a.sql:2: division by zero (SQLSTATE 22012)", id="sql"),
    pytest.param("\\d users", "a.sql:1: \\d is a command of psql that is not supported here", id="command"),
    pytest.param("\\i", "a.sql:1: \\i needs the name of a file", id="no-file"),
    pytest.param("select 1 where false \\gset", "a.sql:1: \\gset needs one row, and there are 0", id="gset"),
    pytest.param("\\set ON_ERROR_STOP 0\nselect 1 / 0;\nselect '1..1';\nselect 'ok 1';", "", id="goes-on"),
    pytest.param("select '1..0';\n\\q\nselect 1 / 0;", "", id="quit"),
    pytest.param("\\ir a.sql", "a.sql:1: files include each other more than 50 deep", id="endless"),
])  # fmt: skip
def test_what_ends_a_file_is_one_line(module_database: Database, tmp_path: Path, script: str, problem: str) -> None:
    (tmp_path / "a.sql").write_text(script)
    assert run_file(module_database.url(), tmp_path / "a.sql").problem == problem


def test_tests_are_found_in_folders(tmp_path: Path) -> None:
    for name in ("b/c.pg", "a.sql", "b/a.sql", "b/readme.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    assert [path.relative_to(tmp_path).as_posix() for path in find_tests([tmp_path])] == ["a.sql", "b/a.sql", "b/c.pg"]
    with pytest.raises(UserError, match="no test at"):
        find_tests([tmp_path / "nowhere"])
