"""Mails from GoTrue's variables: subject, HTML and text of every kind, from the operator's templates or ours."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from jinja2 import TemplateError

from emulator.auth.mailer import gotemplate
from emulator.auth.mailer.templates import BODIES, SUBJECTS
from emulator.mail.email import Email
from emulator.mail.text import text_of

KINDS = tuple(BODIES)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


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
    """The mail. `subject` and `template` are the operator's Go templates; empty or broken ones give way to ours.

    GoTrue sends HTML alone; the text part is made of it, for readers and filters that want one.
    """
    variables = content.variables()
    line = _render_first(subject, SUBJECTS[content.kind], variables, escapes=False)
    html = _render_first(template, BODIES[content.kind], variables, escapes=True)
    return Email(content.kind, content.to, _CONTROL.sub(" ", line).strip()[:250], text_of(html), html)


def _render_first(given: str, default: str, variables: Mapping[str, Any], *, escapes: bool) -> str:
    if given:
        try:
            return gotemplate.render(given, variables, escapes=escapes)
        except TemplateError:
            pass
    return gotemplate.render(default, variables, escapes=escapes)
