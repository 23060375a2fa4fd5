"""Mails as pure values: every kind, operators' Go templates, and hostile contents."""

from dataclasses import replace

import pytest

from emulator.auth.mailer.gotemplate import BrokenTemplate, translate
from emulator.auth.mailer.templatemailer import KINDS, MailContent, render_email

CONTENT = MailContent(
    kind="confirmation", to="ada@example.com", site_url="http://site", email="ada@example.com", token="123456",
    data={"name": "Ada"}, confirmation_url="http://h/verify?token=abc&type=signup&redirect_to=http://site",
    token_hash="abc", new_email="new@example.com",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_html_with_a_link_or_the_code(kind: str) -> None:
    email = render_email(replace(CONTENT, kind=kind))
    assert (email.to, email.text, email.headers) == ("ada@example.com", "", {})
    assert email.subject
    assert "{{" not in email.subject + email.html
    has_code = kind == "reauthentication"
    assert ("123456" in email.html, "123456" in email.subject) == (has_code, has_code)
    assert (CONTENT.confirmation_url.replace("&", "&amp;") in email.html) != has_code
    assert "<script" not in email.html
    assert "http://" not in email.html.replace(CONTENT.confirmation_url.replace("&", "&amp;"), "").replace(
        "http://site", ""
    )


def test_operators_template() -> None:
    template = "<p>Hi {{ .Data.name }}{{ if .Data.rank }} {{.Data.rank}}{{ else }}!{{ end }} {{ .ConfirmationURL }}</p>"
    email = render_email(CONTENT, "Welcome {{ .Email }}", template)
    assert email.subject == "Welcome ada@example.com"
    assert email.html == f"<p>Hi Ada! {CONTENT.confirmation_url.replace('&', '&amp;')}</p>"


def test_operators_headers_may_name_the_kind() -> None:
    headers = {"X-Kind": "a $messageType"}
    assert render_email(CONTENT, headers=headers).headers == {"X-Kind": "a confirmation"}
    assert render_email(replace(CONTENT, kind="reauthentication"), headers=headers).headers == {
        "X-Kind": "a reauthenticate"
    }


@pytest.mark.parametrize(
    "template", ["{{ range .Data }}x{{ end }}", "{{ .Token | printf }}", "{{ if }}", "{{ cycler }}"]
)
def test_unsupported_templates_give_way_to_ours(template: str) -> None:
    with pytest.raises(BrokenTemplate):
        translate(template)
    assert render_email(CONTENT, "", template).html == render_email(CONTENT).html
    assert render_email(CONTENT, "Welcome", template) == render_email(CONTENT), "the subject, too"


def test_templates_can_not_run_code() -> None:
    loop = "{% for x in [1, 2] %}x{% endfor %}"
    assert render_email(CONTENT, "", loop).html == loop.replace("'", "&#39;")
    inside = render_email(CONTENT, "{{ .Data.__class__ }}", "<p>{{ .Data.__class__.__base__ }}</p>")
    assert "class" not in inside.subject
    assert "object" not in inside.html


def test_metadata_is_text() -> None:
    hostile = replace(CONTENT, data={"name": "<script>alert(1)</script>\r\nBcc: x@y.z"})
    email = render_email(hostile, "Hi {{ .Data.name }}", "<p>{{ .Data.name }}</p>")
    assert "<script>" not in email.html
    assert "\r" not in email.subject
    assert "\n" not in email.subject
    assert len(email.subject) <= 250
