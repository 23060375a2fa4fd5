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
    "password_changed_notification": "Your password was changed",
    "email_changed_notification": "Your email address was changed",
    "phone_changed_notification": "Your phone number was changed",
    "identity_linked_notification": "A new sign-in method was linked to your account",
    "identity_unlinked_notification": "A sign-in method was removed from your account",
    "mfa_factor_enrolled_notification": "A new verification method was added to your account",
    "mfa_factor_unenrolled_notification": "A verification method was removed from your account",
}


def _with_link(heading: str, sentence: str, label: str, *after: str) -> str:
    paragraphs = [sentence, f'<a href="{{{{ .ConfirmationURL }}}}">{label}</a>', *after]
    return f"<h2>{heading}</h2>\n\n" + "\n".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)


def _of_change(heading: str, sentence: str, then: str = "contact support immediately") -> str:
    return f"<h2>{heading}</h2>\n\n<p>{sentence}</p>\n<p>If you didn't make this change, {then}.</p>\n"


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
    "password_changed_notification": _of_change(
        "Your password was changed",
        "The password for your account was recently changed.",
        "reset your password and contact support immediately",
    ),
    "email_changed_notification": _of_change(
        "Your email address was changed",
        "The email address for your account was changed from {{ .OldEmail }} to {{ .Email }}.",
    ),
    "phone_changed_notification": _of_change(
        "Your phone number was changed",
        "The phone number for your account was changed from {{ .OldPhone }} to {{ .Phone }}.",
    ),
    "identity_linked_notification": _of_change(
        "A new sign-in method was linked",
        "Your {{ .Provider }} account was linked as a new sign-in method for {{ .Email }}.",
    ),
    "identity_unlinked_notification": _of_change(
        "A sign-in method was removed",
        "Your {{ .Provider }} account was removed as a sign-in method for {{ .Email }}.",
    ),
    "mfa_factor_enrolled_notification": _of_change(
        "A new verification method was added",
        "Sign-in verification method {{ .FactorType }} was added to your account.",
    ),
    "mfa_factor_unenrolled_notification": _of_change(
        "A verification method was removed",
        "Sign-in verification method {{ .FactorType }} was removed from your account.",
    ),
}
