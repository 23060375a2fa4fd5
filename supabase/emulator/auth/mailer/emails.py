"""What mails say: subject, text and HTML of every kind, from our templates or the operator's. Pure.

Operators write Go templates ({{ .ConfirmationURL }}); the small part of that language that mails use is translated.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import Any

from jinja2 import DictLoader, PackageLoader, TemplateError
from jinja2.sandbox import SandboxedEnvironment

KINDS = ("invite", "confirmation", "recovery", "email_change", "magic_link", "reauthentication")
SUBJECTS = {
    "invite": "You've been invited",
    "confirmation": "Confirm your email address",
    "recovery": "Reset your password",
    "email_change": "Confirm your new email address",
    "magic_link": "Your sign-in link",
    "reauthentication": "{{ .Token }} is your verification code",
}
_ACTION = re.compile(r"{{-?\s*(.*?)\s*-?}}", re.DOTALL)
_FIELD = re.compile(r"\.[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")
_own = SandboxedEnvironment(
    loader=PackageLoader("emulator.auth.mailer", "templates"),
    autoescape=lambda name: bool(name and name.endswith(".html")),
)
_html = SandboxedEnvironment(loader=DictLoader({}), autoescape=True)
_plain = SandboxedEnvironment(loader=DictLoader({}), autoescape=False)


@dataclass(frozen=True)
class Email:
    """A mail ready to send."""

    to: str
    subject: str
    text: str
    html: str


@dataclass(frozen=True)
class MailContent:
    """What a template may mention; the names are GoTrue's."""

    kind: str
    to: str
    site_url: str
    email: str
    token: str
    data: Mapping[str, Any]
    confirmation_url: str = ""
    token_hash: str = ""
    redirect_to: str = ""
    new_email: str = ""
    sending_to: str = ""
    extra: Mapping[str, str] = field(default_factory=dict)

    def variables(self) -> dict[str, Any]:
        """As templates spell them."""
        return {
            "SiteURL": self.site_url, "ConfirmationURL": self.confirmation_url, "Email": self.email,
            "Token": self.token, "TokenHash": self.token_hash, "Data": dict(self.data),
            "RedirectTo": self.redirect_to, "NewEmail": self.new_email, "SendingTo": self.sending_to, **self.extra,
        }  # fmt: skip


def render_email(content: MailContent, subject: str = "", template: str = "") -> Email:
    """The mail. `subject` and `template` are the operator's Go templates; empty or broken ones give way to ours."""
    variables = content.variables()
    line = _rendered(subject, variables, _plain) or _rendered(SUBJECTS[content.kind], variables, _plain) or content.kind
    line = _CONTROL.sub(" ", line).strip()[:250]
    html = _rendered(template, variables, _html)
    if html is not None:
        return Email(content.to, line, text_of(html), html)
    names = {"title": SUBJECTS[content.kind] if "{{" not in SUBJECTS[content.kind] else "Your verification code"}
    return Email(
        content.to,
        line,
        _own.get_template(f"{content.kind}.txt").render(variables, **names).strip() + "\n",
        _own.get_template(f"{content.kind}.html").render(variables, **names),
    )


def _rendered(source: str, variables: Mapping[str, Any], environment: SandboxedEnvironment) -> str | None:
    if not source:
        return None
    try:
        return environment.from_string(translate(source)).render(variables)
    except TemplateError:
        return None


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


def text_of(html: str) -> str:
    """A readable text of an HTML mail: links keep their address."""
    body = re.sub(r"(?is)<(style|script|head|title)\b.*?</\1>", "", html)
    body = re.sub(r'(?is)<a\b[^>]*?href="([^"]*)"[^>]*>(.*?)</a>', r"\2 ( \1 )", body)
    body = re.sub(r"(?i)<br\s*/?>|</(p|div|tr|h[1-6]|li)>", "\n", body)
    lines = [" ".join(line.split()) for line in unescape(re.sub(r"<[^>]+>", " ", body)).splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip() + "\n"
