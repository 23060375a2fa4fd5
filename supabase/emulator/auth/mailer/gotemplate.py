"""Go's template language, the small part of it that mails use, translated to Jinja2's and rendered in a sandbox.

https://pkg.go.dev/html/template
"""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2.sandbox import SandboxedEnvironment

_ACTION = re.compile(r"{{-?\s*(.*?)\s*-?}}", re.DOTALL)
_FIELD = re.compile(r"\.[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*")


class BrokenTemplate(Exception):
    """A template that can't be rendered, or uses what is not supported."""


def render(source: str, variables: Mapping[str, Any], *, escapes: bool) -> str:
    """A template with its variables; `escapes` them for HTML. Raises BrokenTemplate."""
    from jinja2 import TemplateError

    try:
        return _environment(escapes).from_string(translate(source)).render(variables)
    except TemplateError as error:
        raise BrokenTemplate(str(error)) from error


@cache
def _environment(escapes: bool) -> "SandboxedEnvironment":
    from jinja2 import DictLoader  # with the first mail: 2 MiB
    from jinja2.sandbox import SandboxedEnvironment

    return SandboxedEnvironment(loader=DictLoader({}), autoescape=escapes)


@lru_cache(maxsize=64)
def translate(source: str) -> str:
    """A Go template as a Jinja2 one: fields, if, else, else if, end. Raises BrokenTemplate for anything else."""
    literal = source.replace("{%", "{{ '{%' }}").replace("{#", "{{ '{#' }}")
    return _ACTION.sub(lambda match: _action(match.group(1)), literal)


def _action(text: str) -> str:
    if text.startswith("'") or text.startswith("/*"):
        return "{{ " + text + " }}" if text.startswith("'") else ""
    if _FIELD.fullmatch(text):
        return "{{ " + text[1:] + " }}"
    if text == "end":
        return "{% endif %}"
    if text == "else":
        return "{% else %}"
    for word, tag in (("if ", "if"), ("else if ", "elif")):
        condition = text.removeprefix(word).strip()
        if text.startswith(word) and _FIELD.fullmatch(condition):
            return "{% " + tag + " " + condition[1:] + " %}"
    raise BrokenTemplate(f"unsupported template action {text!r}")
