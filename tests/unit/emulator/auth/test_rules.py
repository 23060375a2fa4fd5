"""The pure rules: Go's JSON and durations, passwords, addresses, hashes, buckets, times, settings."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from emulator.auth import errors
from emulator.auth.conf.env import parse_duration_s
from emulator.auth.conf.settings import PasswordSettings, Rate
from emulator.auth.conf.settings_from_env import read_settings
from emulator.auth.crypto.otp import hash_otp, make_otp, make_refresh_token, matches
from emulator.auth.crypto.password import find_weakness, is_supported_hash
from emulator.auth.models.payloads import time_text
from emulator.auth.ratelimit.limiter import MAX_KEYS, Limiter, Pauses
from emulator.auth.utilities.addresses import format_phone, validate_email, validate_phone
from emulator.auth.utilities.go_json import GoJsonError, decode
from emulator.errors import ApiError
from emulator.settings import SettingsError


@dataclass(frozen=True)
class Inner:
    flag: bool = False


@dataclass(frozen=True)
class Params:
    name: str = ""
    maybe: str | None = None
    count: int = 0
    flag: bool = False
    data: dict[str, Any] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    inner: Inner = field(default_factory=Inner)
    anything: Any = None


@pytest.mark.parametrize(
    ("body", "want"),
    [
        (b"{}", Params()),
        (b"null", Params()),
        (b' {"NAME":"x","unknown":{"a":[1]}} ', Params(name="x")),
        (b'{"name":null,"data":null,"inner":null}', Params()),
        (b'{"maybe":""}', Params(maybe="")),
        (b'{"count":3,"flag":true,"names":["a"]}', Params(count=3, flag=True, names=["a"])),
        (b'{"inner":{"flag":true},"anything":[1]}', Params(inner=Inner(True), anything=[1])),
        (b'{"data":{"deep":null}}', Params(data={"deep": None})),
        (b'{"name":"a","name":"b"}', Params(name="b")),
        (b'{"name":"\xff"}', Params(name="\ufffd")),
    ],
)
def test_accepted_bodies(body: bytes, want: Params) -> None:
    assert decode(Params, body) == want


@pytest.mark.parametrize(
    "body",
    [
        b'{"flag":1}', b'{"flag":"true"}', b'{"count":1.5}', b'{"count":true}', b'{"names":[1]}', b'{"names":"a"}',
        b'{"inner":[]}', b'{"data":[]}', b'"x"', b"5", b"tru", b"{}x", b'{"a":1e999}', b'{"a":}',
    ],
)  # fmt: skip
def test_refused_bodies(body: bytes) -> None:
    with pytest.raises(GoJsonError):
        decode(Params, body)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body: bytes) -> None:
    said = None
    try:
        decode(Params, body)
    except GoJsonError as error:
        said = str(error)
    assert said != ""


@pytest.mark.parametrize(
    ("text", "want"),
    [("24h", 86400.0), ("1h30m", 5400.0), ("300ms", 0.3), ("1.5s", 1.5), ("-5s", -5.0), ("0", 0.0), ("+1m", 60.0)],
)
def test_durations(text: str, want: float) -> None:
    assert parse_duration_s(text) == pytest.approx(want)


@pytest.mark.parametrize("text", ["", "1", "3d", "h", "1 h", "1h-1m", "none"])
def test_no_durations(text: str) -> None:
    with pytest.raises(ValueError, match="invalid duration"):
        parse_duration_s(text)


@pytest.mark.parametrize("address", ["a@b", "A.b+c@sub.example.com", "x!#$%&'*+/=?^_`{|}~-@h-y.co"])
def test_addresses(address: str) -> None:
    assert validate_email(address) == address.lower()


@pytest.mark.parametrize(
    "address",
    ["", "a", "a@", "@b", "a b@c", "a@b..c", "a@-b.c", "a@b.c\n", " a@b.c", "a@b.c>", "ä@b.c", f"a@{'b' * 64}"],
)
def test_no_addresses(address: str) -> None:
    with pytest.raises(ApiError):
        validate_email(address)


def test_phones() -> None:
    assert validate_phone("+1 555 010 0200") == "15550100200" == format_phone("15550100200")
    for bad in ("", "+", "0123", "1" * 16, "12a", "+1+2", "１２３"):
        with pytest.raises(ApiError):
            validate_phone(bad)


def test_weaknesses() -> None:
    rules = PasswordSettings(8, ("abc", "01"))
    assert find_weakness("a1234567", rules) is None
    weak = find_weakness("zz", rules)
    assert isinstance(weak, errors.WeakPassword)
    assert weak.reasons == ("length", "characters")
    assert find_weakness("éééé", PasswordSettings(6)) is None  # bytes count, as in Go
    strict = find_weakness("12345", PasswordSettings(1))
    assert strict is not None
    assert strict.message == "Password should be at least 6 characters."


def test_supported_hashes() -> None:
    assert is_supported_hash("$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy")
    for bad in ("", "x", "$2a$04$short", "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"):
        assert not is_supported_hash(bad)


def test_codes_and_hashes() -> None:
    assert make_otp(6, lambda _: 42) == "000042"
    assert len(make_otp(10)) == 10
    digest = hash_otp("a@b.co", "123456")
    assert len(digest) == 56
    assert matches(digest, "a@b.co", "123456")
    assert matches(f"pkce_{digest}", "a@b.co", "123456")
    assert not matches("", "a@b.co", "")
    assert not matches(None, "", "")
    assert not matches(digest, "b@b.co", "123456")
    tokens = {make_refresh_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(token) == 12 for token in tokens)


def test_bucket_empties_and_refills() -> None:
    limiter = Limiter(Rate(events=2, per_s=10, burst=2))
    assert [limiter.allow("a", 0), limiter.allow("a", 0), limiter.allow("a", 0)] == [True, True, False]
    assert limiter.allow("b", 0)
    assert not limiter.allow("a", 4)
    assert limiter.allow("a", 5)
    assert limiter.exhausted("a", 5)
    assert not limiter.exhausted("a", 10)
    assert not limiter.exhausted("c", 0)
    assert not Limiter(Rate(0, 3600, 0)).allow("", 0)


@pytest.mark.parametrize(
    ("moment", "want"),
    [
        (datetime(2026, 8, 20, 10, 11, 12, 500000, UTC), "2026-08-20T10:11:12.5Z"),
        (datetime(2026, 8, 20, 10, 11, 10, 0, UTC), "2026-08-20T10:11:10Z"),
        (datetime(2026, 8, 20, 10, 11, 12, 1), "2026-08-20T10:11:12.000001Z"),
    ],
)
def test_times(moment: datetime, want: str) -> None:
    assert time_text(moment) == want


REQUIRED = {
    "GOTRUE_DB_DATABASE_URL": "postgresql://x", "API_EXTERNAL_URL": "http://a", "GOTRUE_SITE_URL": "http://b",
    "GOTRUE_JWT_SECRET": "a-secret-that-is-long-enough",
}  # fmt: skip


def test_defaults_are_gotrues() -> None:
    settings = read_settings(REQUIRED)
    assert (settings.jwt.exp_s, settings.mailer.otp_exp_s, settings.sms.otp_exp_s) == (3600, 86400, 60)
    assert settings.jwt.admin_roles == ("service_role", "supabase_admin")
    assert settings.email_enabled
    assert not settings.phone_enabled
    assert not settings.anonymous_enabled
    assert settings.mfa.totp_enroll
    assert settings.security.rotation
    assert settings.security.reuse_interval_s == 0
    assert (settings.rates.token, settings.rates.email_sent) == (Rate(150, 300, 30), Rate(30, 3600, 30))
    assert REQUIRED["GOTRUE_JWT_SECRET"] not in repr(settings.database_url)


def test_given_values() -> None:
    more = {
        "GOTRUE_SMS_TEST_OTP": "+15550001111:123456, 1555:1", "GOTRUE_RATE_LIMIT_VERIFY": "5/1h",
        "GOTRUE_EXTERNAL_FLY_ENABLED": "true", "GOTRUE_EXTERNAL_FLY_CLIENT_ID": "a,b",
        "GOTRUE_PASSWORD_REQUIRED_CHARACTERS": r"ab:\:", "GOTRUE_SMTP_MAX_FREQUENCY": "5s",
        "GOTRUE_MAILER_AUTOCONFIRM": "1", "GOTRUE_EXTERNAL_FLOW_STATE_EXPIRY_DURATION": "1s",
    }  # fmt: skip
    settings = read_settings({**REQUIRED, **more})
    assert settings.sms.test_otps == {"15550001111": "123456", "1555": "1"}
    assert settings.rates.verify == Rate(5, 3600, 5)
    assert settings.providers["fly"].client_ids == ("a", "b")
    assert "email" not in settings.providers
    assert settings.password.required_characters == ("ab", ":")
    assert settings.smtp.max_frequency_s == 5
    assert settings.mailer.autoconfirm
    assert settings.flow_state_expiry_s == 300


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GOTRUE_JWT_SECRET", "short"), ("GOTRUE_SITE_URL", ""), ("GOTRUE_JWT_EXP", "1h"),
        ("GOTRUE_DISABLE_SIGNUP", "maybe"), ("GOTRUE_SMTP_MAX_FREQUENCY", "soon"), ("GOTRUE_JWT_KEYS", "[]"),
        ("GOTRUE_JWT_KEYS", "{"), ("GOTRUE_RATE_LIMIT_OTP", "x"), ("GOTRUE_SMS_TEST_OTP_VALID_UNTIL", "later"),
    ],
)  # fmt: skip
def test_unusable_settings_are_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings({**REQUIRED, name: value})
    assert name in str(caught.value)


def test_switches_without_effect_are_named() -> None:
    """An operator who turned a protection on that is lacking hears of it."""
    more = {
        "GOTRUE_PASSWORD_HIBP_ENABLED": "true", "GOTRUE_SAML_ENABLED": "false",
        "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION": "2",
    }  # fmt: skip
    want = ("GOTRUE_PASSWORD_HIBP_ENABLED", "GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION")
    assert read_settings({**REQUIRED, **more}).without_effect == want
    assert read_settings(REQUIRED).without_effect == ()


def test_pauses_hold_for_every_key_or_none() -> None:
    pauses = Pauses()
    mail, other = ("signup", "a@b.co"), ("recovery", "a@b.co")
    assert pauses.left_s([mail], 100.0, 60.0) == 0.0
    assert pauses.left_s([mail, other], 130.0, 60.0) == 30.0
    assert pauses.left_s([other], 130.0, 60.0) == 0.0, "a refused request starts no pause"
    assert pauses.left_s([mail], 160.0, 60.0) == 0.0
    assert pauses.left_s([mail], 160.0, 0.0) == 0.0


def test_pauses_are_forgotten_before_they_fill_the_memory() -> None:
    pauses = Pauses()
    for number in range(MAX_KEYS + 10):
        pauses.left_s([("signup", str(number))], 0.0, 60.0)
    assert len(pauses.last) == MAX_KEYS
