"""Hostile input in the admin area: scripts, formulas, endless words, text direction overrides."""

import csv
import io
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from playwright.sync_api import Page, Response, expect

from tests.support.admin_pages import close_dialog, menu, row_of, visit, wait_until_loaded
from tests.support.browser import resize
from tests.support.stack import RunningStack

pytestmark = pytest.mark.e2e

SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
RTL = "\u202eמחלקת כיבוי אש"
WORD = "W" * 5000
MARKDOWN = f"""# {RTL}

<script>window.hacked = 1</script>
<iframe src="javascript:window.hacked=1"></iframe>
<img src=x onerror="window.hacked=1">

[a](javascript:window.hacked=1) [b](JaVaScRiPt:window.hacked=1) [c](data:text/html,<script>1</script>)
![d](javascript:window.hacked=1)

{WORD}

| {"x" * 300} | b |
|---|---|
| 1 | {"y" * 300} |
"""
WIDTHS = (1280, 390)
FORMULAS = [
    '=HYPERLINK("https://evil.test")',
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1",
    " =1",
    "%0A=1",
    "＝1+1",
    "|calc",
    'a"=1',
    "a,=1",
    "a\r\n=1",
]


def expect_unharmed(page: Page, where: str) -> None:
    """Nothing was executed, and the page is no wider than its window."""
    assert page.evaluate("window.hacked") is None, where
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), where


@pytest.fixture
def stranger(stack: RunningStack) -> Iterator[str]:
    """A waitlist entry and feedback with hostile texts; yields the entry's address."""
    tag = uuid4().hex[:8]
    email = f"{tag}.{'e' * 180}@{'d' * 40}.example"
    with stack.connect() as connection:
        quiz = connection.execute(
            "insert into public.quiz_responses (firefighter_type, firefighter_type_other, years_of_service,"
            " current_rank, linkedin_missing) values ('other', %s, '6-10', %s, %s) returning id",
            (SCRIPT, RTL + "R" * 180, f'{{"connection_platforms": ["{"p" * 200}"], "platform_wishlist": "{WORD}"}}'),
        ).fetchone()
        assert quiz is not None
        connection.execute("insert into public.waitlist (email, quiz_response_id) values (%s, %s)", (email, quiz[0]))
        connection.execute(
            "insert into public.feedback (email, name, category, content)"
            " values (%s, %s, 'bug', %s), (%s, %s, 'bug', %s)",
            (email, RTL + SCRIPT[:80], f"{tag} {SCRIPT} {RTL}", email, "N" * 120, WORD),
        )
    yield email
    with stack.connect() as connection:
        connection.execute("delete from public.waitlist where email = %s", (email,))
        connection.execute("delete from public.feedback where email = %s", (email,))
        connection.execute("delete from public.quiz_responses where id = %s", (quiz[0],))


def test_hostile_input_is_shown_as_text(stack: RunningStack, admin_page: Page, stranger: str) -> None:
    """§2.42 §9.16: in lists and dialogs: shown as text, wrapped at the page's edge, never executed."""
    tag = stranger.split(".", 1)[0]
    visit(admin_page, stack, f"/waitlist?search={tag}")
    for width in WIDTHS:
        resize(admin_page, width)
        expect_unharmed(admin_page, f"waitlist, {width}")
        menu(admin_page, tag, "Quiz answers")
        expect(admin_page.get_by_role("dialog")).to_contain_text(SCRIPT)
        expect_unharmed(admin_page, f"answers, {width}")
        close_dialog(admin_page)
        menu(admin_page, tag, "Remove from waitlist")
        expect_unharmed(admin_page, f"question, {width}")
        close_dialog(admin_page)
    visit(admin_page, stack, "/feedback?category=bug")  # loaded as on a phone
    for width in reversed(WIDTHS):
        resize(admin_page, width)
        expect_unharmed(admin_page, f"feedback, {width}")
        admin_page.get_by_role("button", name=re.compile(f"^Read: {tag}")).click()
        expect(admin_page.get_by_role("dialog")).to_contain_text(SCRIPT)
        expect_unharmed(admin_page, f"feedback dialog, {width}")
        close_dialog(admin_page)
        admin_page.get_by_role("button", name=f"Read: {WORD[:100]}…").click()
        expect(admin_page.get_by_role("dialog")).to_contain_text(WORD)
        expect_unharmed(admin_page, f"long word, {width}")
        close_dialog(admin_page)


def test_a_department_of_one_word_widens_no_table(stack: RunningStack, admin_page: Page, newcomer: str) -> None:
    """§2.42 §9.16: the name of a department breaks where its column ends."""
    with stack.connect() as connection:
        connection.execute(
            "update public.profiles set department = %s where id = (select id from auth.users where email = %s)",
            ("W" * 100, newcomer),
        )
    visit(admin_page, stack, f"/users?search={newcomer}")
    for width in (1280, 1024, 390):
        resize(admin_page, width)
        expect(row_of(admin_page, newcomer)).to_contain_text("WWW")
        table = admin_page.get_by_role("table").locator("..")
        assert table.evaluate("(box) => box.scrollWidth <= box.clientWidth"), width
        expect_unharmed(admin_page, f"users, {width}")


def test_an_article_runs_no_script(stack: RunningStack, admin_page: Page) -> None:
    """§2.42 §3.39: neither in the preview nor on the blog; overlong content wraps or scrolls in its own container."""
    title = f"Hostile {uuid4().hex[:8]} {'T' * 150}"
    visit(admin_page, stack, "/blog?article=new")
    admin_page.get_by_label("Title").fill(title)
    admin_page.get_by_label("Text (Markdown)").fill(MARKDOWN)
    preview = admin_page.get_by_role("group", name="Preview")
    expect(preview).to_contain_text(WORD)
    for width in WIDTHS:
        resize(admin_page, width)
        expect(preview.locator("[href^='javascript' i], [src^='javascript' i], script, iframe")).to_have_count(0)
        expect_unharmed(admin_page, f"preview, {width}")
    admin_page.get_by_role("button", name="Publish").click()
    expect(admin_page.get_by_text("Article published")).to_be_visible()
    admin_page.get_by_role("link", name="Open on the blog").click()
    expect(admin_page.get_by_role("heading", name=title, level=1)).to_be_visible()
    for width in reversed(WIDTHS):
        resize(admin_page, width)
        expect(admin_page.locator("article [href^='javascript' i], article iframe, article script")).to_have_count(0)
        expect_unharmed(admin_page, f"article, {width}")
    visit(admin_page, stack, "/blog")
    for width in WIDTHS:
        resize(admin_page, width)
        expect(admin_page.get_by_role("link", name=title)).to_be_visible()
        expect_unharmed(admin_page, f"list of articles, {width}")
    with stack.connect() as connection:
        connection.execute("delete from public.posts where title = %s", (title,))


def test_the_export_is_complete_and_runs_no_formula(stack: RunningStack, admin_page: Page) -> None:
    """§2.42: more entries than one response holds, each once, and no others; no cell that a spreadsheet would run."""
    tag = uuid4().hex[:8]
    with stack.connect() as connection:
        connection.execute(
            "insert into public.waitlist (email, created_at)"
            " select 'n' || n || '@' || %s || '.example', now() - make_interval(secs => n)"
            " from generate_series(1, 2300) as s (n)",
            (tag,),
        )
        for n, formula in enumerate(FORMULAS, 1):
            connection.execute(
                "with quiz as (insert into public.quiz_responses (firefighter_type, years_of_service, current_rank,"
                " linkedin_missing) values ('career', '6-10', %s, jsonb_build_object('platform_wishlist', %s::text))"
                " returning id) update public.waitlist set quiz_response_id = quiz.id from quiz where email = %s",
                (formula, formula, f"n{n}@{tag}.example"),
            )
    try:
        visit(admin_page, stack, f"/waitlist?search={tag}")
        expect(admin_page.get_by_text("1 to 25 of more than 2,000")).to_be_visible()
        with admin_page.expect_download() as download:
            admin_page.get_by_role("button", name="Export CSV").click()
        text = Path(download.value.path()).read_bytes().decode("utf-8-sig")
        head, *rows = list(csv.reader(io.StringIO(text, newline="")))
        assert head[:3] == ["email", "status", "joined"]
        assert text.startswith('"email","status","joined"')
        assert sorted(row[0] for row in rows) == sorted(f"n{n}@{tag}.example" for n in range(1, 2301))
        assert {len(row) for row in rows} == {len(head)}
        run = re.compile(r"^[\s\x00-\x1f]*[=+\-@|%＝＋－＠]")
        assert [cell for row in rows for cell in row if run.match(cell)] == []
        written = {cell.removeprefix("'") for row in rows for cell in row}
        assert set(FORMULAS) <= written
        assert '"\'=HYPERLINK(""https://evil.test"")"' in text
    finally:
        with stack.connect() as connection:
            connection.execute(
                "with gone as (delete from public.waitlist where email like %s returning quiz_response_id)"
                " delete from public.quiz_responses where id in (select quiz_response_id from gone)",
                (f"%@{tag}.example",),
            )


TERMS = ("%", "_", "'; drop table x; --", "(a,b)", 'q"', "\\", "*", "\u202e", "a" * 100)
# Never two of the same page in a row: it would be loaded instead of followed.
PLACES = (
    "?weeks=-1", "/users?page=-1&sort=drop&standing=<script>&order=x", "?from=2026-99-99&to=x", "/users?page=1e9",
    "?from=0001-01-01", "/blog?article=%27%20or%201=1", "?from=9999-12-31&to=0001-01-01",
    "/waitlist?page=0.5&status=nonsense&type=%27&years=%25", "/blog?article=00000000-0000-4000-8000-000000000000",
    "/feedback?page=NaN",
)  # fmt: skip


def asks_for(term: str) -> Callable[[Response], bool]:
    """Whether a response is that of the list to a search for this term."""
    return lambda answer: "/rpc/admin_" in answer.url and term in (answer.request.post_data_json or {}).values()


@pytest.mark.parametrize("place", ["/users", "/waitlist"])
def test_searches_accept_any_text(stack: RunningStack, admin_page: Page, place: str) -> None:
    """§2.42: the term is matched literally: a result, and never an error."""
    visit(admin_page, stack, place)
    for term in TERMS:
        with admin_page.expect_response(asks_for(term)) as answer:
            admin_page.get_by_role("searchbox").fill(term)
        assert answer.value.ok, term
        expect(admin_page).to_have_url(re.compile("search="))
        wait_until_loaded(admin_page)
        expect(admin_page.get_by_text("This could not be loaded.")).to_have_count(0)
        expect(admin_page.get_by_text("No one").or_(row_of(admin_page, "@")).first).to_be_visible()


def test_url_parameters_accept_any_text(stack: RunningStack, admin_page: Page) -> None:
    """§2.41 §2.42: invalid parameters fall back to valid ones, or show a message; the page works."""
    for place in PLACES:
        visit(admin_page, stack, place)
        expect(admin_page.get_by_text("Something went wrong")).to_have_count(0)
        expect_unharmed(admin_page, place)
