"""The default mails, for operators without templates: plain, as GoTrue's own, in Go's template language.

GoTrue 2.197 mails the link alone; the code is in these too, as it was before, so that it can be typed where a link
can't be opened. Source: https://supabase.com/docs/guides/auth/auth-email-templates
"""

SUBJECTS = {
    "invite": "You've been invited",
    "confirmation": "Confirm your email address",
    "recovery": "Reset your password",
    "email_change": "Confirm your new email address",
    "magic_link": "Your sign-in link",
    "reauthentication": "{{ .Token }} is your verification code",
}


def _with_link(heading: str, sentence: str, label: str) -> str:
    return (
        f"<h2>{heading}</h2>\n\n<p>{sentence}</p>\n"
        f'<p><a href="{{{{ .ConfirmationURL }}}}">{label}</a></p>\n'
        "<p>Alternatively, enter the code:</p>\n<p>{{ .Token }}</p>\n"
    )


BODIES = {
    "invite": _with_link(
        "You've been invited", "You have been invited to create an account on {{ .SiteURL }}.", "Accept the invitation"
    ),
    "confirmation": _with_link(
        "Confirm your email address", "Follow this link to confirm {{ .Email }}:", "Confirm your email address"
    ),
    "recovery": _with_link(
        "Reset your password", "Follow this link to choose a new password for {{ .Email }}:", "Reset password"
    ),
    "email_change": _with_link(
        "Confirm your new email address",
        "Follow this link to change your email address from {{ .Email }} to {{ .NewEmail }}:",
        "Confirm new email address",
    ),
    "magic_link": _with_link("Your sign-in link", "Follow this link to sign in:", "Sign in"),
    "reauthentication": "<h2>Your verification code</h2>\n\n<p>Enter the code:</p>\n<p>{{ .Token }}</p>\n",
}
