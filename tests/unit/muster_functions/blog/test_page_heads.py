"""The heads of the site's own pages: the landing page keeps what the application expects, the others get theirs."""

from html import escape

import pytest

from muster_functions.blog.page_heads import PAGES, write_head

SITE = "https://muster.test"
DOCUMENT = b"<head><!-- head --><title>Built</title><!-- /head --></head>"


@pytest.mark.parametrize("path", PAGES)
def test_each_page_has_its_address_and_the_sites_picture(path: str) -> None:
    page = write_head(DOCUMENT, path, SITE).decode()
    assert f'<link rel="canonical" href="{SITE}{path}" data-served="{path}" />' in page
    assert f'<meta property="og:url" content="{SITE}{path}" />' in page
    assert f'content="{SITE}/share/site.png"' in page
    assert ("<title>Built</title>" in page) == (path == "/")
    assert (f"<title>{escape(PAGES[path].title)} | Muster</title>" in page) == (path != "/")


def test_a_document_without_the_marks_is_left_alone() -> None:
    assert write_head(b"<title>Muster</title>", "/quiz", SITE) == b"<title>Muster</title>"
