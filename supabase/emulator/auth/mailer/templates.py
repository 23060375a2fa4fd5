"""GoTrue's default mails, for operators without templates, in Go's template language: a link, and no code beside it.

Source: https://supabase.com/docs/guides/auth/auth-email-templates
"""

SUBJECTS = {
    "invite": "You've been invited",
    "confirmation": "Confirm your email address",
    "recovery": "Reset your password",
    "email_change": "Confirm your new email address",
    "magic_link": "Your sign-in link",
    "reauthentication": "{{ .Token }} is your verification code",
}


def _with_link(heading: str, sentence: str, label: str, *after: str) -> str:
    paragraphs = [sentence, f'<a href="{{{{ .ConfirmationURL }}}}">{label}</a>', *after]
    return f"<h2>{heading}</h2>\n\n" + "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


BODIES = {
    "invite": _with_link(
        "You've been invited",
        "You've been invited to create an account. Follow the link below to accept.",
        "Accept invitation",
    ),
    "confirmation": _with_link(
        "Confirm your email address",
        "Follow the link below to confirm this email address and finish signing up.",
        "Confirm email address",
    )
    + "\n",
    "recovery": _with_link(
        "Reset your password",
        "We received a request to reset your password. Follow the link below to choose a new one.",
        "Reset password",
        "If you didn't request this, you can safely ignore this email.",
    ),
    "email_change": _with_link(
        "Confirm your new email address",
        "Follow the link below to confirm {{ .NewEmail }} as your new email address.",
        "Confirm new email address",
        "If you didn't request this change, you can safely ignore this email.",
    ),
    "magic_link": _with_link(
        "Your sign-in link",
        "Follow the link below to sign in. This link expires shortly and can only be used once.",
        "Sign in",
    ),
    "reauthentication": (
        "<h2>Your verification code</h2>\n\n"
        "<p>Use the code below to verify your identity. It expires shortly.</p>\n<p>{{ .Token }}</p>"
    ),
}
