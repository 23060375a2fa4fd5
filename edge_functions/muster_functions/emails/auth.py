"""The designed mails of auth: templates for GoTrue, rendered from the layout of all other mails.

GoTrue fills them in (`{{ .ConfirmationURL }}`); it fetches them from the function email-template. What is checked in at
supabase/templates/ is the same text, for the official CLI.
"""

from dataclasses import dataclass

from muster_functions.emails.render import load

# The 24 hours that the template names are GOTRUE_MAILER_OTP_EXP, which no stack sets.
CONFIRMATION_URL = "{{ .ConfirmationURL }}"


@dataclass(frozen=True)
class AuthMail:
    """`subject` is a Go template, too; `label` is the button's; none: the mail has a code and no link.

    `has_code`: whether the application has a place where the mail's code is typed. `reason`: why it came, and what to
    do if it should not have.
    """

    subject: str
    headline: str
    sentence: str
    label: str = ""
    has_code: bool = True
    reason: str = (
        "You’re getting this because someone entered your address at {{ .SiteURL }}. Not you? Ignore this email, and"
        " nothing changes."
    )


AUTH_MAILS = {
    "invite": AuthMail(
        "You've been invited", "You’ve been invited", "You’ve been invited to create an account on {{ .SiteURL }}.",
        "Accept the invitation", has_code=False,
        reason="You’re getting this because the people who run {{ .SiteURL }} invited your address. Not expecting it?"
        " Ignore this email, and nothing changes.",
    ),
    "confirmation": AuthMail(
        "Confirm your email address", "Confirm your email address",
        "Confirm {{ .Email }} and your Muster account is ready.", "Confirm your email address",
    ),
    "recovery": AuthMail(
        "Reset your password", "Reset your password",
        "Someone (we hope you) asked to reset the password for {{ .Email }} on Muster.", "Choose a new password",
    ),
    "magic_link": AuthMail(
        "Your sign-in link", "Your sign-in link", "Here’s the link that signs you in as {{ .Email }}. It works once.",
        "Sign in",
    ),
    "email_change": AuthMail(
        "Confirm your new email address", "Confirm your new email address",
        "Confirm that you want to change your email from {{ .Email }} to {{ .NewEmail }}.", "Confirm the change",
        reason="You’re getting this because someone signed in as {{ .Email }} asked for it at {{ .SiteURL }}. Not you?"
        " Don’t confirm it, and change your password.",
    ),
    "reauthentication": AuthMail(
        "{{ .Token }} is your verification code", "Your verification code", "Confirm that it’s you.",
        reason="You’re getting this because someone signed in to your account at {{ .SiteURL }} wants to change how you"
        " sign in. Not you? Tell nobody the code, and change your password.",
    ),
}  # fmt: skip


def render_template(kind: str) -> str:
    """The Go template of a kind of mail. Raises KeyError for one that auth does not send."""
    mail = AUTH_MAILS[kind]
    html = (
        load()
        .get_template("auth/layout.html")
        .render(
            headline=mail.headline,
            sentence=mail.sentence,
            link=CONFIRMATION_URL if mail.label else "",
            label=mail.label,
            code_sentence="Or enter this code where Muster asks for it:" if mail.label else "Enter this code:",
            code="{{ .Token }}" if mail.has_code else "",
            deadline=_deadline(mail),
            reason=mail.reason,
            text="",
            settings_link="",
            year="",
        )
    )
    return f"{html}\n"


def _deadline(mail: AuthMail) -> str:
    if not mail.label:
        return "It works for 24 hours."
    return f"The link {'and the code work' if mail.has_code else 'works'} once, within 24 hours."
