"""What crawlers and feed readers fetch from the running product."""

from xml.etree import ElementTree as Xml

import httpx
import pytest

from tests.support.stack import PATIENCE_S, RunningStack

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("path", "media_type", "tag"),
    [("/feed.xml", "application/rss+xml", "guid"), ("/sitemap.xml", "application/xml", "loc")],
)
def test_published_articles_are_listed_and_no_other_post(
    stack: RunningStack, path: str, media_type: str, tag: str
) -> None:
    answer = httpx.get(stack.url + path, timeout=PATIENCE_S)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(media_type)
    found = {element.text for element in Xml.fromstring(answer.content).iter() if element.tag.endswith(tag)}
    with stack.connect() as connection:
        rows = connection.execute("select slug, is_public_blog from public.posts where is_blog_post").fetchall()
    listed = {slug for slug, _ in rows if f"{stack.url}/blog/{slug}" in found}
    assert listed == {slug for slug, public in rows if public}
    assert listed


def test_pages_carry_the_policies_of_the_house(stack: RunningStack) -> None:
    for path in ("/", "/feed", "/blog/anything", "/config.js"):
        headers = httpx.get(stack.url + path, timeout=PATIENCE_S).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
