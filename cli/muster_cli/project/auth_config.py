"""The section `auth` of a project's configuration. Defaults are the official CLI's. Pure."""

from typing import Annotated, Literal

from pydantic import AliasChoices, Field

from muster_cli.project.values import Duration, Flag, Port, Secret, Section, Text, Texts, Whole

# Both generations of the name: the provider as a whole, despite the older one.
Enabled = Field(validation_alias=AliasChoices("enabled", "enable_signup"))


class RateLimit(Section):
    """How often, in an hour (mails, SMS) or in five minutes."""

    email_sent: Whole = 2
    sms_sent: Whole = 30
    anonymous_users: Whole = 30
    token_refresh: Whole = 150
    sign_in_sign_ups: Whole = 30
    token_verifications: Whole = 30
    web3: Whole = 30


class Captcha(Section):
    """Whose CAPTCHA forms are sent with."""

    enabled: Flag = False
    provider: Literal["hcaptcha", "turnstile"] = "hcaptcha"
    secret: Secret = ""


class Hook(Section):
    """What is called at one point of a sign-in: a URL, or a function of the database."""

    enabled: Flag = False
    uri: Text = ""
    secrets: Secret = ""


class Hooks(Section):
    """The points at which something may be called."""

    mfa_verification_attempt: Hook = Hook()
    password_verification_attempt: Hook = Hook()
    custom_access_token: Hook = Hook()
    send_sms: Hook = Hook()
    send_email: Hook = Hook()
    before_user_created: Hook = Hook()


class Factor(Section):
    """One kind of second factor."""

    enroll_enabled: Flag = False
    verify_enabled: Flag = False


class PhoneFactor(Factor):
    """Codes by SMS as a second factor."""

    otp_length: Whole = 6
    template: Text = "Your code is {{ .Code }}"
    max_frequency: Duration = "5s"


class Mfa(Section):
    """Second factors."""

    max_enrolled_factors: Whole = 10
    totp: Factor = Factor()
    phone: PhoneFactor = PhoneFactor()
    web_authn: Factor = Factor()


class Passkey(Section):
    """Sign-in by passkey."""

    enabled: Flag = False


class Webauthn(Section):
    """The relying party of passkeys."""

    rp_display_name: Text = ""
    rp_id: Text = ""
    rp_origins: Texts = ()


class Sessions(Section):
    """How long a session lasts at most."""

    timebox: Duration = "0s"
    inactivity_timeout: Duration = "0s"


class Smtp(Section):
    """A mail server in the place of the local mailbox."""

    enabled: Flag = True
    host: Text = ""
    port: Port = 0
    user: Text = ""
    password: Secret = Field("", validation_alias=AliasChoices("pass", "password"))
    admin_email: Text = ""
    sender_name: Text = ""


class Template(Section):
    """One kind of mail. `content` inline is refused: a file is what is asked for."""

    subject: Text | None = None
    content_path: Text | None = None
    content: Text | None = None


class Notification(Template):
    """A mail that tells of a change."""

    enabled: Flag = False


class Email(Section):
    """Sign-in by mail, and its mails."""

    enabled: Annotated[Flag, Enabled] = True
    double_confirm_changes: Flag = True
    enable_confirmations: Flag = False
    secure_password_change: Flag = False
    require_current_password: Flag = False
    max_frequency: Duration = "1s"
    otp_length: Whole = 6
    otp_expiry: Whole = 3600
    smtp: Smtp | None = None
    template: dict[str, Template] = {}
    notification: dict[str, Notification] = {}


class Twilio(Section):
    """Account at Twilio."""

    enabled: Flag = False
    account_sid: Text = ""
    message_service_sid: Text = ""
    auth_token: Secret = ""


class Messagebird(Section):
    """Account at MessageBird."""

    enabled: Flag = False
    originator: Text = ""
    access_key: Secret = ""


class Textlocal(Section):
    """Account at Textlocal."""

    enabled: Flag = False
    sender: Text = ""
    api_key: Secret = ""


class Vonage(Section):
    """Account at Vonage. `from` is no name in Python."""

    enabled: Flag = False
    sender: Text = Field("", validation_alias="from")
    api_key: Text = ""
    api_secret: Secret = ""


class Sms(Section):
    """Sign-in by SMS."""

    enabled: Annotated[Flag, Enabled] = False
    enable_confirmations: Flag = False
    template: Text = "Your code is {{ .Code }}"
    max_frequency: Duration = "5s"
    test_otp: dict[str, Text] = {}
    twilio: Twilio = Twilio()
    twilio_verify: Twilio = Twilio()
    messagebird: Messagebird = Messagebird()
    textlocal: Textlocal = Textlocal()
    vonage: Vonage = Field(default_factory=lambda: Vonage.model_validate({}))


class External(Section):
    """One provider of identities."""

    enabled: Flag = False
    client_id: Text = ""
    secret: Secret = ""
    url: Text = ""
    redirect_uri: Text = ""
    skip_nonce_check: Flag = False
    email_optional: Flag = False


class Web3Chain(Section):
    """Sign-in with a wallet."""

    enabled: Flag = False


class Web3(Section):
    """The chains."""

    solana: Web3Chain = Web3Chain()
    ethereum: Web3Chain = Web3Chain()


class OauthServer(Section):
    """The service as a provider of identities for others."""

    enabled: Flag = False
    authorization_url_path: Text = "/oauth/consent"
    allow_dynamic_registration: Flag = False


class Firebase(Section):
    """Tokens of Firebase."""

    enabled: Flag = False
    project_id: Text = ""


class Auth0(Section):
    """Tokens of Auth0."""

    enabled: Flag = False
    tenant: Text = ""
    tenant_region: Text = ""


class Cognito(Section):
    """Tokens of Amazon Cognito."""

    enabled: Flag = False
    user_pool_id: Text = ""
    user_pool_region: Text = ""


class Clerk(Section):
    """Tokens of Clerk."""

    enabled: Flag = False
    domain: Text = ""


class Workos(Section):
    """Tokens of WorkOS."""

    enabled: Flag = False
    issuer_url: Text = ""


class ThirdParty(Section):
    """Whose tokens the API accepts beside its own."""

    firebase: Firebase = Firebase()
    auth0: Auth0 = Auth0()
    aws_cognito: Cognito = Cognito()
    clerk: Clerk = Clerk()
    workos: Workos = Workos()


class Auth(Section):
    """The auth service."""

    enabled: Flag = True
    site_url: Text = "http://127.0.0.1:3000"
    additional_redirect_urls: Texts = ("https://127.0.0.1:3000",)
    external_url: Text | None = None
    jwt_issuer: Text | None = None
    jwt_expiry: Annotated[Whole, Field(le=604800)] = 3600
    signing_keys_path: Text | None = None
    publishable_key: Secret | None = None
    secret_key: Secret | None = None
    jwt_secret: Secret | None = None
    anon_key: Secret | None = None
    service_role_key: Secret | None = None
    enable_signup: Flag = True
    enable_refresh_token_rotation: Flag = True
    refresh_token_reuse_interval: Whole = 10
    enable_anonymous_sign_ins: Flag = False
    enable_manual_linking: Flag = False
    minimum_password_length: Whole = 6
    password_requirements: Literal[
        "", "letters_digits", "lower_upper_letters_digits", "lower_upper_letters_digits_symbols"
    ] = ""
    rate_limit: RateLimit = RateLimit()
    captcha: Captcha | None = None
    hook: Hooks = Hooks()
    mfa: Mfa = Mfa()
    passkey: Passkey | None = None
    webauthn: Webauthn | None = None
    sessions: Sessions = Sessions()
    email: Email = Email()
    sms: Sms = Sms()
    external: dict[str, External] = {}
    web3: Web3 = Web3()
    oauth_server: OauthServer = OauthServer()
    third_party: ThirdParty = ThirdParty()
