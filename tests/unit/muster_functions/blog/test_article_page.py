"""What a crawler reads of an article: the article's own head, and text as text whatever an author wrote."""

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from muster_functions.blog.article_page import head_tags, write_list, write_page
from muster_functions.blog.feeds import Article, Listing, Writer

SITE = "https://muster.test"
WHEN = datetime(2026, 1, 5, 12, 30, tzinfo=UTC)
DOCUMENT = b"""<!doctype html><html><head>
    <!-- head -->
    <title>Landing</title>
    <!-- /head -->
    <script src="/boot.js"></script>
  </head>
  <body>
    <div id="root"></div>
    <noscript><p>JavaScript</p></noscript>
  </body></html>"""
HOSTILE = [
    '"><script>alert(1)</script>', "</title><script>alert(1)</script>", "{{ .Env }} {{httpInclude `/x`}}",
    "</script><script>alert(1)</script>", "<!-- /head --><!-- head -->", "' onload='alert(1)", "&lt;script&gt;",
    r"\g<0> \1", "\u202edlrow\u2028line", "nul\0 bell\a", "🔥 ünïcode",
]  # fmt: skip


@dataclass
class Read(HTMLParser):
    """A document as a crawler reads it."""

    scripts: list[dict[str, str | None]] = field(default_factory=list)
    metas: dict[str, str | None] = field(default_factory=dict)
    links: dict[str, str | None] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    inside: str = ""

    @classmethod
    def document(cls, document: bytes) -> "Read":
        made = cls()
        HTMLParser.__init__(made)
        made.feed(document.decode())
        return made

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.inside = tag
        if tag == "script":
            self.inside = str(found.get("type") or tag)
            self.scripts.append(found)
        elif tag == "meta":
            self.metas[str(found.get("name") or found.get("property"))] = found["content"]
        elif tag == "link":
            self.links[str(found["rel"])] = found["href"]

    def handle_endtag(self, _: str) -> None:
        self.inside = ""

    def handle_data(self, data: str) -> None:
        self.words[self.inside] = self.words.get(self.inside, "") + data


def article(**changes: object) -> Article:
    """A published article; `changes` replace what a test is about."""
    values = {
        "slug": "a-slug", "title": "A title", "summary": "In short.", "content": "Words. " * 100, "category": "Tactics",
        "author": "Ada Quinn", "created_at": WHEN, "updated_at": WHEN, **changes,
    }  # fmt: skip
    return Article(**values)  # type: ignore[arg-type]


def read(**changes: object) -> Read:
    return Read.document(write_page(DOCUMENT, article(**changes), SITE, "/blog/a-slug"))


def test_the_head_is_the_articles() -> None:
    got = read()
    assert got.words["title"] == "A title | Muster"
    assert got.links == {"canonical": f"{SITE}/blog/a-slug"}
    assert got.metas == {
        "description": "In short.", "og:site_name": "Muster", "og:title": "A title", "og:description": "In short.",
        "og:type": "article", "og:url": f"{SITE}/blog/a-slug", "og:image": f"{SITE}/share/blog/a-slug.png",
        "og:image:width": "1200", "og:image:height": "630", "og:image:alt": "A title",
        "article:published_time": "2026-01-05T12:30:00+00:00", "article:modified_time": "2026-01-05T12:30:00+00:00",
        "article:section": "Tactics", "twitter:card": "summary_large_image",
    }  # fmt: skip
    data = json.loads(got.words["application/ld+json"])
    assert (data["@type"], data["headline"], data["author"]["name"]) == ("BlogPosting", "A title", "Ada Quinn")


def test_nothing_of_the_landing_page_is_left() -> None:
    page = write_page(DOCUMENT, article(), SITE, "/blog/a-slug")
    assert b"Landing" not in page
    assert b"Words. Words.</p>\n</div></div></div></article>" in page
    assert b"</main></div>\n    <noscript><p>JavaScript</p></noscript>" in page
    assert b'<script src="/boot.js"></script>' in page


def test_a_document_without_the_marks_is_left_alone() -> None:
    assert write_page(b"<title>Muster</title>", article(), SITE, "/blog/a-slug") == b"<title>Muster</title>"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str) -> None:
    got = read(title=text, summary=text, category=text, author=text)
    want = text.replace("\0", "").replace("\a", "")
    assert got.words["title"] == f"{want} | Muster"
    assert got.metas["og:title"] == got.metas["description"] == want.strip()
    assert [script.get("type", "a file's") for script in got.scripts] == [
        "application/ld+json", "a file's", "application/json",
    ]  # fmt: skip
    assert json.loads(got.words["application/json"])["post"]["title"] == text
    assert json.loads(got.words["application/ld+json"])["headline"] == text


def test_without_a_summary_the_content_speaks_without_its_marks() -> None:
    """§5.23: its first 150 characters, and an ellipsis."""
    content = "## Read **first**\n\n- [one](https://x.test) `two`\n\n```sh\nrm -rf /\n```\n" + "word " * 60
    got = read(summary=" ", content=content)
    assert str(got.metas["description"]).startswith("Read first one two word word")
    assert str(got.metas["description"]).endswith("word w\u2026")
    assert len(str(got.metas["description"])) <= 151


def test_what_the_application_takes_away_is_marked_with_its_page() -> None:
    marked = [line for line in head_tags(article(), SITE, "/blog/a-slug") if 'data-served="/blog/a-slug"' in line]
    assert len(marked) == 10
    assert not [line for line in marked if "og:title" in line or "<title>" in line]


def test_the_text_is_in_the_document_and_runs_nothing() -> None:
    content = (
        "# Raise it\n\nText **bold** ~~old~~.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n<script>alert(1)</script>\n\n"
        "[x](javascript:alert(1)) ![y](javascript:alert(1)) [out](https://x.example) <img src=x onerror=alert(1)>"
    )
    article = Article("ladders", 'L"<b>adders', "Sum & more", content, "Training", "Ada <i>Q</i>", WHEN, WHEN)
    page = write_page(DOCUMENT, article, SITE, "/blog/ladders").decode()
    root = page.split('<div id="root" data-slot="served">')[1]
    assert "<h2>Raise it</h2>" in root
    assert "<strong>bold</strong>" in root
    assert "<table>" in root
    assert 'href="https://x.example" target="_blank" rel="noreferrer nofollow ugc"' in root
    assert "L&quot;&lt;b&gt;adders</h1>" in root
    assert "Ada &lt;i&gt;Q&lt;/i&gt;" in root
    assert 'href="javascript' not in root
    assert 'src="javascript' not in root
    assert root.count("<script") == root.count('<script type="application/json" id="served-article">') == 1
    assert "<img" not in root


def test_the_build_makes_a_place_for_the_text_and_loads_its_scripts_late() -> None:
    document = DOCUMENT.replace(b'src="/boot.js"', b'src="/boot.js" data-path="/blog/"')
    document = document.replace(b'<div id="root">', b'<div id="root" data-slot="served"><main><!-- text --></main>')
    page = write_page(document, article(), SITE, "/blog/a-slug")
    assert b'data-path="/blog/a-slug"' in page
    assert b'<main><article class="' in page
    assert page.count(b"<main") == 1


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("A [link](https://x.example), **bold**.\n\n| a |\n|---|\n| b |", True),
        ("See https://x.example today", False),
        ("www.x.example", False),
        ("Write to ada@x.example", False),
        ("- [x] done", False),
        ("A note[^1]", False),
        ("```\ncode\n```", False),
    ],
)
def test_only_text_that_the_application_renders_alike_is_left_to_it_as_html(text: str, want: bool) -> None:
    page = write_page(DOCUMENT, article(content=text), SITE, "/blog/a-slug")
    assert (b'data-slot="whole"' in page) is want


def test_the_list_links_each_article_and_has_a_head_of_its_own() -> None:
    article = Article("ladders", "<b>Ladders", None, "How to *raise* them.", "Training", None, WHEN, WHEN)
    page = write_list(DOCUMENT, Listing([article], 1, []), SITE).decode()
    assert "<title>Blog: From the field | Muster</title>" in page
    assert f'<link rel="canonical" href="{SITE}/blog" data-served="/blog" />' in page
    assert 'href="/blog/ladders">&lt;b&gt;Ladders</a>' in page
    assert "How to raise them." in page
    assert "Landing" not in page


@pytest.mark.parametrize("text", HOSTILE)
def test_the_rows_of_the_list_come_with_it_and_end_nothing(text: str) -> None:
    """The texts as far as there is room; of the others what a list shows."""
    dana = Writer("d", None, "Captain", None)
    short = article(id="1", slug="short", title=text, content=text, category=text, writer=dana)
    long = article(id="2", slug="long", summary=None, content="word " * 10_000, writer=dana)
    page = write_list(DOCUMENT, Listing([short, long, *[article()] * 20], 40, ["Tactics", text]), SITE).decode()
    assert page.count("<script") == DOCUMENT.count(b"<script") + 1
    rows = json.loads(page.split('id="served-list">')[1].split("</script>")[0])
    assert (len(rows["posts"]), rows["total"], rows["topics"]) == (13, 40, ["Tactics", text])
    assert [one["id"] for one in rows["authors"]] == ["d"]
    first, second, *_ = rows["posts"]
    assert (first["title"], first["content"], first["reading_minutes"]) == (text, text, 1)
    assert (second["content"], second["reading_minutes"]) == (None, 50)
    assert second["summary"].startswith("word word")
    assert len(second["summary"]) < 200
