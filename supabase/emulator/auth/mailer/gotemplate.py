"""Go's template language, the small part of it that mails use, translated to Jinja2's and rendered in a sandbox.

https://pkg.go.dev/html/template
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from jinja2 import DictLoader, TemplateError
from jinja2.sandbox import SandboxedEnvironment

_ACTION = re.compile(r"{{-?\s*(.*?)\s*-?}}", re.DOTALL)
_FIELD = re.compile(r"\.[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*")
_ENVIRONMENTS = {escapes: SandboxedEnvironment(loader=DictLoader({}), autoescape=escapes) for escapes in (True, False)}


def render(source: str, variables: Mapping[str, Any], *, escapes: bool) -> str:
    """A template with its variables; `escapes` them for HTML. Raises TemplateError for what is not supported."""
    return _ENVIRONMENTS[escapes].from_string(translate(source)).render(variables)


@lru_cache(maxsize=64)
def translate(source: str) -> str:
    """A Go template as a Jinja2 one: fields, if, else, else if, end. Raises TemplateError for anything else."""
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
    raise TemplateError(f"unsupported template action {text!r}")
