"""Mails from GoTrue's variables: subject and HTML of every kind, from the operator's templates or the default ones."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from emulator.auth.mailer import gotemplate
from emulator.auth.mailer.templates import BODIES, SUBJECTS
from emulator.mail.email import Email

KINDS = tuple(kind for kind in BODIES if not kind.endswith("_notification"))  # with a token; the others tell of changes
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


def render_email(
    content: MailContent, subject: str = "", template: str = "", headers: Mapping[str, str] | None = None
) -> Email:
    """The mail, as HTML alone. `subject` and `template` are the operator's Go templates, by default GoTrue's.

    Where one of them is broken, both are the default ones. `headers` may name the kind as `$messageType`.
    """
    variables = content.variables()
    try:
        line, html = _render_both(subject or SUBJECTS[content.kind], template or BODIES[content.kind], variables)
    except gotemplate.BrokenTemplate:
        line, html = _render_both(SUBJECTS[content.kind], BODIES[content.kind], variables)
    kind = "reauthenticate" if content.kind == "reauthentication" else content.kind
    more = {name: value.replace("$messageType", kind) for name, value in (headers or {}).items()}
    return Email(content.kind, content.to, _CONTROL.sub(" ", line).strip()[:250], "", html, headers=more)


def _render_both(subject: str, template: str, variables: Mapping[str, Any]) -> tuple[str, str]:
    return (
        gotemplate.render(subject, variables, escapes=False), gotemplate.render(template, variables, escapes=True)
    )  # fmt: skip
