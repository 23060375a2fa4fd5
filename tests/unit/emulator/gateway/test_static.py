"""The site's files: pages fall back to app.html, assets do not, and nothing outside the folder is served."""

from pathlib import Path

import pytest

from emulator.asgi.headers import chosen_coding
from emulator.gateway.static import IMMUTABLE, REVALIDATE, Site, headers_of


@pytest.fixture
def root(tmp_path: Path) -> Path:
    site = tmp_path / "dist"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html>the landing page" + "x" * 600)
    (site / "app.html").write_text("<!doctype html>the application" + "x" * 600)
    (site / "assets" / "app-1a2b.js").write_text("let x = 1;\n" * 100)
    (tmp_path / "secret.txt").write_text("no")
    return site


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/", b"the landing page"),
        ("/feed", b"the application"),
        ("/profile/1f0e", b"the application"),
        ("/blog/a-slug", b"the application"),
    ],
)
def test_every_page_but_the_first_is_the_application(root: Path, path: str, page: bytes) -> None:
    found = Site(root).find(path)
    assert found is not None
    assert page in found.body
    assert found.media_type == b"text/html; charset=utf-8"
    assert found.cache_control == REVALIDATE


@pytest.mark.parametrize(
    "path", ["/assets/gone.js", "/favicon.png", "/../secret.txt", "/%00", "/a\0b.txt", "/assets/../../secret.txt"]
)
def test_what_is_not_there_is_not_found(root: Path, path: str) -> None:
    found = Site(root).find(path)
    assert found is None or found.body.startswith(b"<!doctype html>")
    assert found is None or found.body != b"no"


@pytest.mark.parametrize("path", ["/.muster-inputs", "/.vite/manifest.json", "/assets/.keep", "/.git/config"])
def test_what_tools_leave_in_a_build_is_not_served(root: Path, path: str) -> None:
    file = root / path.lstrip("/")
    file.parent.mkdir(exist_ok=True)
    file.write_text("internal")
    assert Site(root).find(path) is None


def test_what_is_meant_to_be_well_known_is(root: Path) -> None:
    (root / ".well-known").mkdir()
    (root / ".well-known" / "security.txt").write_text("Contact: mailto:ops@example.org")
    assert Site(root).find("/.well-known/security.txt") is not None


@pytest.mark.parametrize("path", ["/" + "y" * 256, "/assets/" + "y" * 5000, "/x/" * 3000])
def test_a_name_that_no_file_can_have_is_not_found(root: Path, path: str) -> None:
    found = Site(root).find(path)
    assert found is None or b"the application" in found.body


def test_named_assets_are_kept_for_ever_and_compressed(root: Path) -> None:
    found = Site(root).find("/assets/app-1a2b.js")
    assert found is not None
    assert found.cache_control == IMMUTABLE
    assert b"gzip" in found.encoded
    assert (b"content-encoding", b"gzip") in headers_of(found, b"gzip")
    assert (b"content-encoding", b"gzip") not in headers_of(found)


def test_the_service_worker_is_asked_for_each_time_and_never_a_page(root: Path) -> None:
    """§17.1 §17.4: a worker that a cache kept would keep the old version; a page in its place would not be one."""
    assert Site(root).find("/sw.js") is None
    (root / "sw.js").write_text("self")
    (root / "index.html").write_text("another build")
    found = Site(root).find("/sw.js")
    assert found is not None
    assert found.cache_control == b"no-cache"
    assert found.media_type == b"application/javascript; charset=utf-8"
    policy = dict(headers_of(found))[b"content-security-policy"]
    assert b"worker-src 'self'; manifest-src 'self'" in policy


def test_pages_forbid_inline_scripts_and_strangers(root: Path) -> None:
    found = Site(root).find("/")
    assert found is not None
    policy = dict(headers_of(found))[b"content-security-policy"]
    assert b"script-src 'self';" in policy
    assert b"frame-ancestors 'none'" in policy


def test_without_a_build_there_is_no_site() -> None:
    assert Site(None).find("/") is None


def test_a_new_build_is_served_without_a_restart(root: Path) -> None:
    """What the old build lacked is looked for again; while the next one is being made, the last one is served."""
    site = Site(root)
    assert site.find("/assets/app-3c4d.js") is None
    (root / "assets" / "app-3c4d.js").write_text("let y = 2;")
    (root / "app.html").write_text("<!doctype html>the next one")
    (root / "index.html").write_text("<!doctype html>the next landing page")
    page, asset = site.find("/feed"), site.find("/assets/app-3c4d.js")
    assert page is not None
    assert page.body == b"<!doctype html>the next one"
    assert asset is not None
    (root / "index.html").unlink()
    assert site.find("/feed") == page


PAGES = ["/feed", "/post/*", "/settings/a.b"]


@pytest.mark.parametrize(
    ("path", "is_page"),
    [("/", True), ("/feed", True), ("/FEED", False), ("/Post/x", False), ("/post/1f0e", True), ("/post/1f/0e", False),
     ("/post/", False), ("/feed/x", False), ("/feed/", False), ("/none", False), ("/settings/a-b", False),
     ("/post/a\n", True)],
)  # fmt: skip
def test_only_declared_paths_are_pages(root: Path, path: str, is_page: bool) -> None:
    assert (Site(root, PAGES).find(path) is not None) == is_page


@pytest.mark.parametrize(
    ("path", "want"),
    [("/feed/", "/feed"), ("/post/a\r\nb/", "/post/a%0D%0Ab"), ("/feed", None), ("/", None), ("//feed/", None),
     ("/none/", None), ("/feed//", None), ("/Feed", "/feed"), ("/POST/Ab/", "/post/Ab"), ("/post/Ab", None),
     ("/POST/", None), ("/Settings/A.b", "/settings/a.b"), ("/None", None)],
)  # fmt: skip
def test_a_page_has_one_address(root: Path, path: str, want: str | None) -> None:
    assert Site(root, PAGES).other_address(path) == want
    assert Site(root).other_address(path) is None


@pytest.mark.parametrize(
    ("accepted", "want"),
    [(b"gzip, deflate, br", b"br"), (b"gzip", b"gzip"), (b"br;q=0, GZIP;q=0.5", b"gzip"), (b"*", b"br"), (b"", None),
     (b"identity", None), (b"br;q=0.0,gzip;q=0", None), (b"brr", None), (b";;,,q=", None)],
)  # fmt: skip
def test_the_smallest_coding_that_the_client_accepts_is_sent(root: Path, accepted: bytes, want: bytes | None) -> None:
    (root / "assets" / "app-1a2b.js.br").write_bytes(b"compressed by the build")
    found = Site(root).find("/assets/app-1a2b.js")
    assert found is not None
    assert chosen_coding(found.encoded, accepted) == want
