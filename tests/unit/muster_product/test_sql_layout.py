"""The SQL files' layout: what has passed as it is, under the same rules, is not looked at again."""

from pathlib import Path

import pytest

from muster_product.sql_layout import check


class Linter:
    """Notes what it is asked for; `code` is its exit code."""

    def __init__(self) -> None:
        self.code, self.asked = 0, list[list[str]]()

    def __call__(self, names: list[str]) -> int:
        self.asked.append(names)
        return self.code


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("sql/a.sql", "sql/seeds/b.sql", "supabase/migrations/c.sql"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("select 1;\n")
    (tmp_path / ".sqlfluff").write_text("[sqlfluff]\n")
    return tmp_path


def test_only_what_has_changed_is_looked_at(checkout: Path) -> None:
    linter = Linter()
    assert [check(checkout, linter) for _ in range(2)] == [0, 0]
    (checkout / "sql/a.sql").write_text("select 2;\n")
    (checkout / "sql/seeds/b.sql").rename(checkout / "sql/b.sql")
    assert check(checkout, linter) == 0
    assert linter.asked == [["sql/a.sql", "sql/seeds/b.sql", "supabase/migrations/c.sql"], ["sql/a.sql", "sql/b.sql"]]


@pytest.mark.parametrize("name", [".sqlfluff", ".sqlfluffignore", "sql/seeds/.sqlfluff"])
def test_other_rules_are_for_all_files(checkout: Path, name: str) -> None:
    linter = Linter()
    check(checkout, linter)
    (checkout / name).write_text("# other\n")
    check(checkout, linter)
    assert linter.asked[0] == linter.asked[1]


def test_what_failed_is_looked_at_until_it_passes(checkout: Path) -> None:
    linter = Linter()
    linter.code = 1
    assert [check(checkout, linter) for _ in range(2)] == [1, 1]
    assert linter.asked[0] == linter.asked[1]
