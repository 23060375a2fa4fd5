"""The grammar of .env files, godotenv's: the official CLI reads a project's and its functions' by it. Pure.

https://github.com/joho/godotenv
"""

import re
from collections.abc import Mapping

_NAME = re.compile(r"[A-Za-z0-9_.]+")
_REFERENCE = re.compile(r"\\?\$(?:\{(?P<braced>[A-Za-z0-9_]+)\}|(?P<bare>[A-Za-z0-9_]+))")
_ESCAPES = {"n": "\n", "r": "\r", '"': '"', "\\": "\\", "$": "$", "!": "!", "`": "`"}


class DotenvError(ValueError):
    """What is wrong with a file, in godotenv's words."""


def parse_dotenv(text: str) -> dict[str, str]:
    """Names and values; `$NAME` refers to lines above. Raises DotenvError."""
    found: dict[str, str] = {}
    rest = text.removeprefix("\ufeff").replace("\r\n", "\n")
    while rest := rest.lstrip():
        if rest.startswith("#"):
            rest = rest.partition("\n")[2]
            continue
        rest = re.sub(r"\Aexport[ \t]+", "", rest)
        name, after = _read_name(rest)
        value, rest = _read_value(after, found)
        found[name] = value
    return found


def _read_name(text: str) -> tuple[str, str]:
    match = _NAME.match(text)
    end = match.end() if match else 0
    after = text[end:].lstrip(" \t")
    if match is None or not after.startswith(("=", ":")):
        wrong = (after or "\n")[0]
        raise DotenvError(f"unexpected character {wrong!r} in variable name")
    return match[0], after[1:].lstrip(" \t")


def _read_value(text: str, known: Mapping[str, str]) -> tuple[str, str]:
    quote = text[:1]
    if quote not in ("'", '"'):
        line, _, rest = text.partition("\n")
        return _expand(re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip(), known), rest
    match = re.match(r"'((?:[^'\\]|\\.)*)'" if quote == "'" else r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if match is None:
        raise DotenvError("unterminated quoted value")
    rest = text[match.end() :].partition("\n")[2]
    if quote == "'":
        return match[1], rest
    return re.sub(r"\\([nr\"\\$!`])", lambda found: _ESCAPES[found[1]], _expand(match[1], known)), rest


def _expand(value: str, known: Mapping[str, str]) -> str:
    def replace(match: re.Match[str]) -> str:
        if match[0].startswith("\\"):
            return match[0]
        return known.get(match["braced"] or match["bare"], "")

    return _REFERENCE.sub(replace, value)
