"""The coverage of docs/specification.md: every statement has a test, every number is a statement."""

from muster_product.specification import PAGE, owed, problems, statements

PAGE_OF_TWO = "- **§1.1** *(context)* These:\n- **§1.2** Members keep a profile.\n"


def test_a_statement_without_a_test_is_named() -> None:
    assert list(problems(PAGE_OF_TWO, [("a.py", "nothing")])) == ["no test names §1.2: Members keep a profile."]


def test_a_number_without_a_statement_is_named() -> None:
    unknown = "§" + "9.99"
    got = list(problems(PAGE_OF_TWO, [("a.py", f"§1.2 and {unknown}")]))
    assert got == [f"a.py names {unknown}, which docs/specification.md does not have"]


def test_context_owes_no_test() -> None:
    assert list(problems(PAGE_OF_TWO, [("a.py", "§1.2")])) == []


def test_the_page_is_read_whole() -> None:
    text = PAGE.read_text("utf8")
    assert len(statements(text)) == text.count("\n- **§")
    assert len(owed(text)) > 250
