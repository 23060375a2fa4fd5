"""The heads of the site's own pages, and what all heads share. Pure.

The titles and descriptions are the application's (web/src/features), which writes them again once it has loaded.
"""

import re
from dataclasses import dataclass
from html import escape

# The landing page's own tags, between the two comments of web/index.html.
_HEAD = re.compile(rb"<!-- head -->(.*?)<!-- /head -->", re.DOTALL)
PICTURE_ALT = "Muster, a growth network for firefighters"


@dataclass(frozen=True)
class PageHead:
    """A page of the site: its title, without the name of the site, and its description."""

    title: str
    description: str


PAGES = {
    "/": PageHead(
        "A growth network for firefighters",
        "Muster is the growth network for firefighters: connect nationwide, track your career, share lessons learned, "
        "find training and show the work you are proud of.",
    ),
    "/quiz": PageHead("Join Our Waitlist", "Seven short questions, about two minutes, and your name is on the list."),
    "/login": PageHead("Sign In", "Sign in to Muster, the growth network for firefighters."),
    "/register": PageHead("Register", "Create your account on Muster, the growth network for firefighters."),
    "/invitation": PageHead("Your seat is ready", "You’re invited to Muster, the growth network for firefighters."),
    "/guidelines": PageHead("Guidelines", "Five rules that keep this a place where crews can talk."),
    "/verify": PageHead(
        "Check a record",
        "Did someone give you a Muster record? Enter its code to see that it’s unchanged and what’s current today.",
    ),
    "/blog": PageHead("Blog: From the field", "Lessons, drills and careers, written by people who were there."),
}


def write_head(document: bytes, path: str, site_url: str) -> bytes:
    """The document for a page of PAGES.

    The landing page's tags are in the built document, where the application expects them: they stay.
    """
    page, url = PAGES[path], f"{site_url}{path}"
    own = [
        f"<title>{escape(page.title)} | Muster</title>",
        meta("name", "description", page.description),
        meta("property", "og:site_name", "Muster"),
        meta("property", "og:title", page.title),
        meta("property", "og:description", page.description),
        meta("property", "og:type", "website"),
    ]
    more = [
        meta("property", "og:url", url),
        *marked_tags(path, url, f"{site_url}/share/site.png", PICTURE_ALT),
    ]
    return replace_head(document, more if path == "/" else own + more, keep=path == "/")


def marked_tags(path: str, url: str, picture: str, alt: str) -> list[str]:
    """Tags that the application does not write. It removes them when another page than the marked one is shown."""
    here = served_on(path)
    return [
        f'<link rel="canonical" href="{escape(url)}"{here} />',
        meta("property", "og:image", picture, here),
        meta("property", "og:image:width", "1200", here),
        meta("property", "og:image:height", "630", here),
        meta("property", "og:image:alt", alt, here),
        meta("name", "twitter:card", "summary_large_image", here),
    ]


def write_missing_head(document: bytes) -> bytes:
    """The document for an address of the blog that has no article, which no index should keep."""
    return replace_head(
        document,
        [
            "<title>Blog post not found | Muster</title>",
            meta("property", "og:site_name", "Muster"),
            meta("name", "robots", "noindex"),
        ],
    )


def replace_head(document: bytes, lines: list[str], *, keep: bool = False) -> bytes:
    """The document with these tags between the two comments; `keep` leaves what is there before them."""

    def replaced(found: re.Match[bytes]) -> bytes:
        before = found[1].rstrip() if keep else b""
        return b"<!-- head -->" + before + "".join(f"\n    {line}" for line in lines).encode() + b"\n    <!-- /head -->"

    return _HEAD.sub(replaced, document, count=1)


def served_on(path: str) -> str:
    """The attribute that marks a tag as one of this path alone."""
    return f' data-served="{escape(path)}"'


def meta(kind: str, key: str, content: str, more: str = "") -> str:
    """A meta tag; `kind` is name or property."""
    return f'<meta {kind}="{key}" content="{escape(content)}"{more} />'
