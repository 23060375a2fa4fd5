"""The token buckets of the service, one field per kind of request, as in GoTrue's LimiterOptions."""

from emulator.auth.conf.rates import RateSettings
from emulator.rate_limit import RateLimiter


class RateLimits:
    """Endpoints that share a setting still have buckets of their own.

    `email_sent` and `sms_sent` count for the whole process (the key is ""), `password_failures` per account, the
    others per client address.
    """

    def __init__(self, rates: RateSettings) -> None:
        self.signup = RateLimiter(rates.otp)
        self.anonymous = RateLimiter(rates.anonymous)
        self.otp = RateLimiter(rates.otp)
        self.magic_link = RateLimiter(rates.otp)
        self.recover = RateLimiter(rates.otp)
        self.resend = RateLimiter(rates.otp)
        self.user = RateLimiter(rates.otp)
        self.verify = RateLimiter(rates.verify)
        self.token = RateLimiter(rates.token)
        self.web3 = RateLimiter(rates.sso)
        self.factor_challenge = RateLimiter(rates.mfa)
        self.factor_verify = RateLimiter(rates.mfa)
        self.passkey_registration = RateLimiter(rates.passkey)
        self.passkey_authentication = RateLimiter(rates.passkey)
        self.email_sent = RateLimiter(rates.email_sent)
        self.sms_sent = RateLimiter(rates.sms_sent)
        self.password_failures = RateLimiter(rates.password_failures) if rates.password_failures else None
