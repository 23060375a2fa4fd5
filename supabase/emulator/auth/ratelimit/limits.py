"""The token buckets of the service, one field per kind of request, as in GoTrue's LimiterOptions."""

from emulator.auth.conf.rates import RateSettings
from emulator.auth.ratelimit.guesses import PasswordGuesses
from emulator.rate_limit import Rate, RateLimiter

MAX_WRONG_CODES = 10  # of one code, and of one factor within the time
FACTOR_FAILURES_S = 300.0


class RateLimits:
    """Endpoints that share a setting still have buckets of their own.

    `email_sent` and `sms_sent` count for the whole process (the key is ""), `wrong_codes` per code, `factor_failures`
    per factor, the others per client address.
    """

    def __init__(self, rates: RateSettings, assertions: Rate) -> None:
        self.signup = RateLimiter(rates.otp)
        self.anonymous = RateLimiter(rates.anonymous)
        self.otp = RateLimiter(rates.otp)
        self.magic_link = RateLimiter(rates.otp)
        self.recover = RateLimiter(rates.otp)
        self.resend = RateLimiter(rates.otp)
        self.user = RateLimiter(rates.otp)
        self.verify = RateLimiter(rates.verify)
        self.token = RateLimiter(rates.token)
        self.oauth_registration = RateLimiter(rates.oauth_registration)
        self.sso = RateLimiter(rates.sso)
        self.saml_assertion = RateLimiter(assertions)
        self.web3 = RateLimiter(rates.web3)
        self.factor_challenge = RateLimiter(rates.mfa)
        self.factor_verify = RateLimiter(rates.mfa)
        self.passkey_registration = RateLimiter(rates.passkey)
        self.passkey_authentication = RateLimiter(rates.passkey)
        self.email_sent = RateLimiter(rates.email_sent)
        self.sms_sent = RateLimiter(rates.sms_sent)
        self.email_sent_unconfirmed = RateLimiter(_share(rates.email_sent, rates.email_unconfirmed_percent))
        self.dropped_mails = 0
        self.password_guesses = PasswordGuesses(rates.password_failures) if rates.password_failures else None
        self.wrong_codes = RateLimiter(Rate(0, 1, MAX_WRONG_CODES))
        self.factor_failures = RateLimiter(Rate(MAX_WRONG_CODES, FACTOR_FAILURES_S, MAX_WRONG_CODES))


def _share(rate: Rate, percent: int) -> Rate:
    """A part of a rate, one event at least where there are any."""
    return Rate(rate.events * percent / 100, rate.per_s, max(1, rate.burst * percent // 100) if rate.burst else 0)
