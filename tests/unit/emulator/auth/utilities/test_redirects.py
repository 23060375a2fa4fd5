"""Which redirects are allowed, and the URLs that are built: SITE_URL, globs, fragments, mail links."""

import pytest

from emulator.auth.utilities.redirects import choose_redirect, is_allowed, mail_link, with_fragment, with_query

SITE = "https://muster.example/app"


@pytest.mark.parametrize(
    ("url", "allowed", "want"),
    [
        pytest.param("https://muster.example/anything?x=1#y", [], True, id="same-origin"),
        pytest.param("https://muster.example:444/", [], False, id="other-port"),
        pytest.param("http://muster.example/", [], False, id="other-scheme"),
        pytest.param("https://muster.example.evil.test/", [], False, id="prefix-of-host"),
        pytest.param("https://muster.example@evil.test/", [], False, id="userinfo"),
        pytest.param("https://evil.test\\@muster.example/", [], False, id="backslash"),
        pytest.param("//evil.test/", [], False, id="no-scheme"),
        pytest.param("/relative", [], False, id="relative"),
        pytest.param("javascript:alert(1)", [], False, id="javascript"),
        pytest.param("javascript://127.0.0.1/%0aalert(1)", [], False, id="javascript-on-loopback"),
        pytest.param("data:text/html,x", [], False, id="data"),
        pytest.param("http://127.0.0.1:9/", [], True, id="loopback"),
        pytest.param("http://[::1]:9/", [], True, id="loopback-6"),
        pytest.param("http://10.0.0.1/", ["http://10.0.0.1/**"], False, id="other-ip-even-if-listed"),
        pytest.param("http://2130706433/", ["http://2130706433/**"], False, id="decimal-host"),
        pytest.param("https://a.example.com/x/y", ["https://*.example.com/**"], True, id="one-label"),
        pytest.param("https://a.b.example.com/x", ["https://*.example.com/**"], False, id="two-labels"),
        pytest.param("http://web:3000/x", ["http://web:3000/*"], True, id="star"),
        pytest.param("http://web:3000/x/y", ["http://web:3000/*"], False, id="star-stops-at-slash"),
        pytest.param("http://web:3000/x.html", ["http://web:3000/*"], False, id="star-stops-at-dot"),
        pytest.param("http://web:3000/cb?x=1", ["http://web:3000/cb"], False, id="query-counts"),
        pytest.param("http://web:3000/cb#x", ["http://web:3000/cb"], True, id="fragment-does-not"),
        pytest.param("http://web:3000/ab", ["http://web:3000/{ab,cd}"], True, id="alternatives"),
        pytest.param("http://web:3000/b", ["http://web:3000/[a-c]"], True, id="class"),
        pytest.param("http://web:3000/b", ["http://web:3000/[!a-c]"], False, id="negated-class"),
        pytest.param("http://web:3000/b", ["http://web:3000/?"], True, id="question-mark"),
        pytest.param("http://WEB:3000/b", ["http://web:3000/b"], False, id="case-counts"),
        pytest.param("myapp://callback", ["myapp://callback"], True, id="own-scheme"),
        pytest.param("http://web:3000/x\r\nset-cookie: a=b", ["http://web:3000/**"], False, id="line-break"),
        pytest.param("http://web:99999/", ["http://web:99999/"], False, id="impossible-port"),
        pytest.param("http://web/x", ["http://web/["], False, id="broken-pattern"),
    ],
)
def test_is_allowed(url: str, allowed: list[str], want: bool) -> None:
    assert is_allowed(url, SITE, allowed) is want


def test_localhost_on_any_port() -> None:
    assert is_allowed("http://localhost:5173/x", "http://localhost:3000", [])


def test_the_first_allowed_wins_and_site_url_is_last() -> None:
    assert choose_redirect(["https://evil.test", "", None, f"{SITE}/x"], SITE, []) == f"{SITE}/x"
    assert choose_redirect(["https://evil.test"], SITE, []) == SITE


def test_urls() -> None:
    assert with_query("http://a/b?x=1#f", {"code": "c d"}) == "http://a/b?code=c+d&x=1#f"
    assert with_fragment("http://a/b", {"b": "2", "a": "1"}) == "http://a/b#a=1&b=2&sb="
    link = mail_link("http://h/auth/v1", "/verify", "t", "signup", "http://a/?x=1&y=2")
    assert link == "http://h/verify?token=t&type=signup&redirect_to=http%3A%2F%2Fa%2F%3Fx%3D1%26y%3D2"
    assert mail_link("http://h", "/auth/v1/verify", "t", "x", "http://a/b").endswith("&redirect_to=http://a/b")
