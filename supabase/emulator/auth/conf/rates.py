"""How often clients may ask, and how many messages the process sends."""

from typing import Annotated

from pydantic import Field

from emulator.auth.conf.values import GoInt, GoTrueSettings, rate
from emulator.rate_limit import Rate
from emulator.settings import Variable

MESSAGES = rate(30, 3600, with_duration=True)


class RateSettings(GoTrueSettings):
    """Limits per client address (only if `header` is set), per process (mails, messages), per account (failures).

    `email_unconfirmed_percent` of the mails may go to addresses that nobody has confirmed; not in GoTrue.
    """

    header: Annotated[str, Variable("RATE_LIMIT_HEADER")] = ""
    otp: Annotated[Rate, Variable("RATE_LIMIT_OTP"), rate(30, 300, 30)] = Rate(30, 300, 30)
    verify: Annotated[Rate, Variable("RATE_LIMIT_VERIFY"), rate(30, 300, 30)] = Rate(30, 300, 30)
    token: Annotated[Rate, Variable("RATE_LIMIT_TOKEN_REFRESH"), rate(150, 300, 30)] = Rate(150, 300, 30)
    anonymous: Annotated[Rate, Variable("RATE_LIMIT_ANONYMOUS_USERS"), rate(30, 3600)] = Rate(30, 3600, 30)
    sso: Annotated[Rate, Variable("RATE_LIMIT_SSO"), rate(30, 300, 30)] = Rate(30, 300, 30)
    web3: Annotated[Rate, Variable("RATE_LIMIT_WEB3"), rate(30, 300, 30)] = Rate(30, 300, 30)
    oauth_registration: Annotated[Rate, Variable("RATE_LIMIT_OAUTH_DYNAMIC_CLIENT_REGISTER"), rate(10, 300, 30)] = Rate(
        10, 300, 30
    )
    passkey: Annotated[Rate, Variable("RATE_LIMIT_PASSKEY"), rate(30, 300, 30)] = Rate(30, 300, 30)
    mfa: Annotated[Rate, Variable("MFA_RATE_LIMIT_CHALLENGE_AND_VERIFY"), rate(15, 60, 30)] = Rate(15, 60, 30)
    email_sent: Annotated[Rate, Variable("RATE_LIMIT_EMAIL_SENT"), rate(30, 3600, with_duration=True)] = Rate(
        30, 3600, 30
    )
    email_unconfirmed_percent: Annotated[
        GoInt, Variable("RATE_LIMIT_EMAIL_UNCONFIRMED_PERCENT"), Field(ge=1, le=100)
    ] = 100
    sms_sent: Annotated[Rate, Variable("RATE_LIMIT_SMS_SENT"), MESSAGES] = Rate(30, 3600, 30)
    password_failures: Annotated[
        Rate | None, Variable("RATE_LIMIT_PASSWORD_FAILURES"), rate(0, 300, with_duration=True)
    ] = None
