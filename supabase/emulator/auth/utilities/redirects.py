"""Redirect URLs: which are allowed by SITE_URL and URI_ALLOW_LIST, and how results are added to them."""

import ipaddress
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit, urlunsplit

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_HOSTNAME = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,62}\.?)*", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x20\x7f\\]")


def choose_redirect(candidates: Sequence[str | None], site_url: str, allow_list: Sequence[str]) -> str:
    """The first allowed candidate, else SITE_URL. One that is not allowed is never an error."""
    return next((url for url in candidates if url and is_allowed(url, site_url, allow_list)), site_url)


def is_allowed(url: str, site_url: str, allow_list: Sequence[str]) -> bool:
    """Same origin as SITE_URL (any port on loopback names), or a match of the allow list."""
    parts, site = _parsed(url), _parsed(site_url)
    if parts is None or _CONTROL.search(url):
        return False
    if site is not None and _same_site(parts, site):
        return True
    host = parts.hostname or ""
    if host.isdecimal():
        return False
    address = _address(host)
    if address is not None and not address.is_loopback:
        return False
    if address is not None:
        return parts.scheme in ("http", "https")
    if parts.scheme in ("http", "https") and _HOSTNAME.fullmatch(host) is None:
        return False
    bare = url.partition("#")[0]
    return any(_glob(pattern).fullmatch(bare) is not None for pattern in allow_list)


def _parsed(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts if parts.scheme and (parts.username is None and parts.password is None) else None


def _same_site(parts: SplitResult, site: SplitResult) -> bool:
    if parts.scheme != site.scheme or parts.hostname != site.hostname or not parts.hostname:
        return False
    return parts.port == site.port or parts.hostname in LOOPBACK_NAMES


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_pattern(pattern: str) -> bool:
    """Whether every class and every choice of a glob is closed."""
    bare = re.sub(r"\\.", "", pattern)
    without_classes = re.sub(r"\[[^\]]+\]", "", bare)
    return "[" not in without_classes and without_classes.count("{") == without_classes.count("}")


@lru_cache(maxsize=256)
def _glob(pattern: str) -> re.Pattern[str]:
    """A glob of github.com/gobwas/glob with the separators "." and "/"; a malformed one matches nothing."""
    try:
        return re.compile(_glob_regex(pattern), re.DOTALL)
    except re.error:
        return re.compile(r"(?!)")


def _glob_regex(pattern: str) -> str:
    out, at, depth = [], 0, 0
    while at < len(pattern):
        char = pattern[at]
        if pattern.startswith("**", at):
            out.append(".*")
            at += 1
        elif char == "*":
            out.append("[^./]*")
        elif char == "?":
            out.append("[^./]")
        elif char == "[" and (end := pattern.find("]", at + 2)) > 0:
            inner = pattern[at + 1 : end]
            negated, inner = (True, inner[1:]) if inner.startswith("!") else (False, inner)
            out.append(f"[{'^' if negated else ''}{re.escape(inner).replace(chr(92) + '-', '-')}]")
            at = end
        elif char == "{":
            out.append("(?:")
            depth += 1
        elif char == "}" and depth:
            out.append(")")
            depth -= 1
        elif char == "," and depth:
            out.append("|")
        elif char == "\\" and at + 1 < len(pattern):
            at += 1
            out.append(re.escape(pattern[at]))
        else:
            out.append(re.escape(char))
        at += 1
    return "".join(out)


def with_query(url: str, items: Mapping[str, str]) -> str:
    """The URL with items set in its query, sorted by key."""
    parts = urlsplit(url)
    merged = {**dict(parse_qsl(parts.query, keep_blank_values=True)), **items}
    return urlunsplit(parts._replace(query=_encoded(merged)))


def with_fragment(url: str, items: Mapping[str, str]) -> str:
    """The URL with items as its fragment, sorted by key; `sb=` is GoTrue's mark."""
    return f"{url}#{_encoded({**items, 'sb': ''})}"


def with_escaped_fragment(url: str, items: Mapping[str, str]) -> str:
    """The same where GoTrue sets the fragment of a parsed URL: Go escapes each "%" of it once more."""
    return f"{url}#{_encoded({**items, 'sb': ''}).replace('%', '%25')}"


def _encoded(items: Mapping[str, str]) -> str:
    return urlencode(sorted(items.items()))


def mail_link(external_url: str, path: str, token_hash: str, kind: str, redirect_to: str) -> str:
    """The link of a mail. An absolute path replaces that of the external URL."""
    base = urlsplit(external_url)
    if path.startswith("/"):
        target = urlunsplit((base.scheme, base.netloc, path, "", ""))
    elif "://" in path:
        target = path
    else:
        target = external_url.rstrip("/") + "/" + path
    onward = quote(redirect_to, safe="") if any(char in redirect_to for char in "&=#") else redirect_to
    return f"{target}?token={token_hash}&type={kind}&redirect_to={onward}"
