"""Every type of mail: escaped, on the site's origin, readable as text, with its preheader."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from uuid import UUID

import pytest

from muster_functions.emails.notification_mail import NotificationMail, Section
from muster_functions.emails.render import SETTINGS_PATH, load, own_path, render
from muster_functions.emails.unsubscribe_links import Subscription, link

SITE = "https://muster.test"
SECRET = "a-secret-of-more-than-thirty-two-characters"
SUBSCRIPTION = Subscription(UUID("7d4f0a5e-3a4b-4c56-9d0e-0f1a2b3c4d5e"), "messages")
HOSTILE = '"><script>alert(1)</script>&{{ 7*7 }}{% raw %}\r\nBcc: x@evil.test\u202e\x00\x1b[31m'
KINDS = sorted({name.split("/")[1] for name in load().list_templates() if name.startswith("notifications/")})
VARIANTS = {
    "reaction": ("post:useful", "post:thanks", "comment:respect"),
    "connection": ("request", "accepted"),
    "others": ("comment", "answer", ""),
}
CASES = [
    pytest.param(kind, variant, id=f"{kind} {variant}".strip())
    for kind in KINDS
    for variant in VARIANTS.get(kind, ("",))
]


def mail(kind: str, variant: str, text: str) -> NotificationMail:
    return NotificationMail(
        kind=kind, to="ben@muster.test", to_name=text, actor=text, text=text, title=text, author=text, variant=variant,
        rows=(("E-mail", text), ("Name", text)), path="/post/1",
        sections=(Section(text, ((text, text),), "/post/1", text),) if kind == "digest" else (),
        subscription=None if kind.startswith("admin") else SUBSCRIPTION,
    )  # fmt: skip


class Page(HTMLParser):
    """Tags, links and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.links: list[str] = []
        self.sources: list[str] = []
        self.html = html
        self.words = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        named = dict(attrs)
        if tag not in ("meta", "br"):
            self.open.append(tag)
        if "href" in named:
            self.links.append(named["href"] or "")
        self.sources += [value or "" for name, value in attrs if name in ("src", "background") or name.startswith("on")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "title"):
            self.words += data


@pytest.mark.parametrize(("kind", "variant"), CASES)
def test_hostile_text_stays_text(kind: str, variant: str) -> None:
    """HTML, template code, line ends and reordering marks in every field."""
    got = render(mail(kind, variant, HOSTILE), site_url=SITE, year=2026, secret=SECRET)
    page = Page(got.html)
    assert page.open == []
    assert "script" not in page.tags
    assert page.sources == []
    assert page.tags <= {
        "html", "head", "meta", "title", "style", "body", "div", "table", "tr", "td", "h1", "h2", "p", "a", "br",
        "strong",
    }  # fmt: skip
    for text in (got.subject, got.to_name):
        assert not re.search(r"[\x00-\x1f\u202e]", text)
    for text in (got.text, got.html):
        assert "49" not in text
        assert "\u202e" not in text
        assert "\x00" not in text
        assert "\x1b" not in text


def test_a_fact_keeps_its_lines() -> None:
    """In the text part a second line can't pass for another fact."""
    facts = replace(mail("admin_feedback", "", "x"), rows=(("You wrote", "One\r\nEntry: two"), ("Long", "x" * 500)))
    got = render(facts, site_url=SITE, year=2026, secret=SECRET)
    assert "You wrote: One\n  Entry: two\nLong: " in got.text
    assert "One<br>\nEntry: two</td>" in got.html
    assert "x" * 400 not in got.text


@pytest.mark.parametrize(("kind", "variant"), CASES)
def test_links_lead_to_the_site_and_the_text_has_them_too(kind: str, variant: str) -> None:
    got = render(mail(kind, variant, "https://evil.test"), site_url=SITE, year=2026, secret=SECRET)
    links = Page(got.html).links
    assert links[0] == f"{SITE}/post/1"
    assert all(link.startswith(f"{SITE}/") for link in links)
    assert all(link in got.text for link in links)
    assert (f"{SITE}{SETTINGS_PATH}" in links) is ("List-Unsubscribe" in got.headers)


@pytest.mark.parametrize(("kind", "variant"), CASES)
def test_a_members_mail_can_be_stopped_with_one_click(kind: str, variant: str) -> None:
    """RFC 8058: both headers, the link on the site's own origin; none on mails that no settings govern."""
    got = render(mail(kind, variant, "x"), site_url=SITE, year=2026, secret=SECRET)
    wanted = link(SUBSCRIPTION, site_url=SITE, secret=SECRET)
    if kind.startswith("admin"):
        assert got.headers == {}
        assert wanted not in got.html
    else:
        assert got.headers == {
            "List-Unsubscribe": f"<{wanted}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }  # fmt: skip
        assert wanted in Page(got.html).links
        assert wanted in got.text


@pytest.mark.parametrize(("kind", "variant"), CASES)
def test_html_and_text_say_the_same_headline_and_preheader_comes_first(kind: str, variant: str) -> None:
    got = render(mail(kind, variant, "Plain words"), site_url=SITE, year=2026, secret=SECRET)
    page = Page(got.html)
    assert got.text.startswith(f"{got.subject}\n")
    assert got.subject in page.words
    preheader = page.words.split("\u200c")[0].strip()
    assert preheader
    assert preheader in page.html.split("<h1")[0]
    assert "© 2026 Muster" in got.text
    assert "© 2026 Muster" in page.words
    assert "prefers-color-scheme: dark" in got.html
    assert "\n\n\n" not in got.text


@pytest.mark.parametrize(
    ("kind", "variant", "want"),
    [
        ("message", "", "Ada Stone sent you a message"),
        ("mention", "", "Ada Stone mentioned you in a comment"),
        ("reaction", "post:useful", "Ada Stone found your post useful"),
        ("reaction", "comment:respect", "Ada Stone shows respect for your comment"),
        ("connection", "accepted", "Ada Stone accepted your request"),
        ("others", "answer", "Ada Stone replied to your comment"),
        ("others", "", "Title"),
        ("system", "", "Title"),
        ("invitation", "", "Your invitation to Muster"),
    ],
)
def test_subjects(kind: str, variant: str, want: str) -> None:
    sample = NotificationMail(kind, "ben@muster.test", actor="Ada Stone", title="Title", text="Text", variant=variant)
    assert render(sample, site_url=SITE, year=2026, secret=SECRET).subject == want


def test_a_nameless_member_is_a_member() -> None:
    got = render(NotificationMail("message", "ben@muster.test", text="x"), site_url=SITE, year=2026, secret=SECRET)
    assert got.subject == "A member sent you a message"


def test_a_long_text_is_cut_and_a_preview_has_100_characters() -> None:
    """§9.16."""
    mail = NotificationMail("admin_feedback", "b@muster.test", text="word " * 2000)
    got = render(mail, site_url=SITE, year=2026, secret=SECRET)
    assert len(got.text) < 2500
    assert got.subject == f"New feedback: {('word ' * 20).rstrip()}…"


def test_the_member_named_is_set_off() -> None:
    sample = NotificationMail("mention", "ben@muster.test", "Ben <i>", text="Hey @Ben <i>, look\n@Ben <i>")
    html = render(sample, site_url=SITE, year=2026, secret=SECRET).html
    assert html.count(">@Ben &lt;i&gt;</strong>") == 2
    assert "<i>" not in html


@pytest.mark.parametrize(
    ("url", "want"),
    [
        pytest.param("/post/1?x=1&y=2#z", "/post/1?x=1&y=2#z", id="path"),
        pytest.param("https://muster.test/feed", "/feed", id="own origin"),
        pytest.param("https://muster.test", "/", id="own origin alone"),
        pytest.param("https://muster.test.evil.test/feed", "/", id="longer host"),
        pytest.param("https://muster.test@evil.test/", "/", id="user part"),
        pytest.param("https://evil.test/", "/", id="other origin"),
        pytest.param("https://muster.test//evil.test", "/", id="own origin, then two slashes"),
        pytest.param("//evil.test", "/", id="two slashes"),
        pytest.param("/\\evil.test", "/", id="backslash"),
        pytest.param("javascript:alert(1)", "/", id="script"),
        pytest.param("feed", "/", id="relative"),
        pytest.param("/a b", "/", id="space"),
        pytest.param("/a\r\nBcc: x", "/", id="line end"),
        pytest.param('/"><b>', "/%22%3E%3Cb%3E", id="markup"),
        pytest.param("/" + "a" * 600, "/", id="too long"),
        pytest.param(7, "/", id="number"),
        pytest.param(None, "/", id="nothing"),
    ],
)
def test_a_link_stays_on_the_site(url: object, want: str) -> None:
    assert own_path(url, SITE) == want


def test_a_kind_without_templates_is_refused() -> None:
    with pytest.raises(ValueError, match="no templates"):
        render(NotificationMail("../layout", "b@muster.test"), site_url=SITE, year=2026, secret=SECRET)
