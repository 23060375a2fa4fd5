"""The text part of a mail that was written as HTML alone. Pure."""

import re
from html import unescape

_INVISIBLE = re.compile(r'(?is)<!--.*?-->|<(style|script|head|title)\b.*?</\1>|<div style="display:none.*?</div>')
_LINK = re.compile(r'(?is)<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)</a>')
_LINE_END = re.compile(r"(?i)<br\s*/?>|</(p|div|tr|h[1-6]|li)>")
_TAG = re.compile(r"<[^>]+>")


def text_of(html: str) -> str:
    """The visible text, line by line; links keep their address. Comments and hidden previews are left out."""
    body = _LINE_END.sub("\n", _LINK.sub(r"\2 ( \1 )", _INVISIBLE.sub("", html)))
    lines = [" ".join(line.split()) for line in unescape(_TAG.sub(" ", body)).splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
