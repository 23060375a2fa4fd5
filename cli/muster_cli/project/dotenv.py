"""The .env files of a project: which are read, in which order, and their grammar (godotenv's)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from muster_cli.output import UserError

_NAME = re.compile(r"[A-Za-z0-9_.]+")
_REFERENCE = re.compile(r"\\?\$(?:\{(?P<braced>[A-Za-z0-9_]+)\}|(?P<bare>[A-Za-z0-9_]+))")
_ESCAPES = {"n": "\n", "r": "\r", '"': '"', "\\": "\\", "$": "$", "!": "!", "`": "`"}


def project_environment(root: Path, outside: Mapping[str, str]) -> dict[str, str]:
    """The variables of `outside` and, behind them, those of the project's files. Raises UserError for a bad file."""
    env = dict(outside)
    for file in environment_files(root, outside.get("SUPABASE_ENV") or "development"):
        try:
            text = file.read_text("utf8")
        except UnicodeDecodeError as error:
            raise UserError(f"failed to parse environment file: {file}: it is no UTF-8 text") from error
        for name, value in parse(text, file).items():
            env.setdefault(name, value)
    return env


def environment_files(root: Path, name: str) -> Iterator[Path]:
    """The files that exist, the one that wins first: those of supabase/ before those of the root."""
    names = [f".env.{name}.local", *([] if name == "test" else [".env.local"]), f".env.{name}", ".env"]
    for folder in (root / "supabase", root):
        yield from (path for each in names if (path := folder / each).is_file())


def parse(text: str, file: Path) -> dict[str, str]:
    """Names and values. Raises UserError with the official CLI's words for what can't be a name."""
    found: dict[str, str] = {}
    rest = text.removeprefix("\ufeff").replace("\r\n", "\n")
    while rest := rest.lstrip():
        if rest.startswith("#"):
            rest = rest.partition("\n")[2]
            continue
        rest = re.sub(r"\Aexport[ \t]+", "", rest)
        name, after = _read_name(rest, file)
        value, rest = _read_value(after, found, file)
        found[name] = value
    return found


def _read_name(text: str, file: Path) -> tuple[str, str]:
    match = _NAME.match(text)
    end = match.end() if match else 0
    after = text[end:].lstrip(" \t")
    if match is None or not after.startswith(("=", ":")):
        wrong = (after or "\n")[0]
        raise UserError(f"failed to parse environment file: {file} (unexpected character {wrong!r} in variable name)")
    return match[0], after[1:].lstrip(" \t")


def _read_value(text: str, known: Mapping[str, str], file: Path) -> tuple[str, str]:
    quote = text[:1]
    if quote not in ("'", '"'):
        line, _, rest = text.partition("\n")
        return _expand(re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip(), known), rest
    match = re.match(r"'((?:[^'\\]|\\.)*)'" if quote == "'" else r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    if match is None:
        raise UserError(f"failed to parse environment file: {file} (unterminated quoted value)")
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
