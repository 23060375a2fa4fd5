"""The designed mails of auth: GoTrue's templates, the same on both backends, readable once they are filled in."""

import re
import tomllib

import pytest

from emulator.auth.mailer.templatemailer import KINDS, MailContent, render_email
from emulator.mail.text import text_of
from emulator.paths import SUPABASE
from muster_cli.stack.services import read_variables
from muster_functions.emails.auth import AUTH_MAILS, render_template

URL = "https://muster.test/auth/v1/verify?token=abc&type=signup&redirect_to=https://muster.test"
HOSTILE = "<script>alert(1)</script>@x.test"


def content(kind: str, email: str = "ada@muster.test") -> MailContent:
    return MailContent(
        kind=kind, to="ada@muster.test", site_url="https://muster.test", email=email, token="123456", data={},
        confirmation_url=URL, token_hash="abc", new_email="new@muster.test",
    )  # fmt: skip


def test_every_mail_of_auth_is_designed() -> None:
    assert set(AUTH_MAILS) == set(KINDS)


@pytest.mark.parametrize("kind", AUTH_MAILS)
def test_what_is_checked_in_is_what_is_rendered(kind: str) -> None:
    """Else: ./muster config render."""
    assert (SUPABASE / "templates" / f"{kind}.html").read_text("utf8") == render_template(kind)


@pytest.mark.parametrize("backend", ["containers", "embedded"])
@pytest.mark.parametrize("kind", AUTH_MAILS)
def test_both_backends_and_the_official_cli_are_told_of_it(backend: str, kind: str) -> None:
    variables = read_variables(backend)["auth"]  # type: ignore[arg-type]
    assert variables[f"GOTRUE_MAILER_SUBJECTS_{kind.upper()}"] == AUTH_MAILS[kind].subject
    url = variables[f"GOTRUE_MAILER_TEMPLATES_{kind.upper()}"]
    assert url.endswith(f"/functions/v1/email-template/{kind}")
    declared = tomllib.loads((SUPABASE / "config.toml").read_text("utf8"))["auth"]["email"]["template"][kind]
    assert declared == {"subject": AUTH_MAILS[kind].subject, "content_path": f"./supabase/templates/{kind}.html"}


@pytest.mark.parametrize("kind", AUTH_MAILS)
def test_filled_in_it_has_the_link_and_the_code(kind: str) -> None:
    got = render_email(content(kind), AUTH_MAILS[kind].subject, render_template(kind))
    assert "{{" not in got.subject + got.html
    text = text_of(got.html)
    assert AUTH_MAILS[kind].headline in text
    has_code = kind != "invite"  # no page asks for it
    assert ("\n123456\n" in text) is has_code
    assert ("123456" in got.html) is has_code
    assert "within 24 hours" in text or kind == "reauthentication"
    assert re.search(r"\nYou’re getting this because .* Not (you|expecting it)\? ", text)
    if AUTH_MAILS[kind].label:
        assert URL in text
        assert f'href="{URL.replace("&", "&amp;")}"' in got.html
    assert "\u200c" not in text
    assert "prefers-color-scheme: dark" in got.html


def test_addresses_are_text() -> None:
    got = render_email(content("confirmation", HOSTILE), "", render_template("confirmation"))
    assert "<script" not in got.html
