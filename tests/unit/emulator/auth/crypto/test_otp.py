"""One-time codes, their hashes, refresh tokens."""

from emulator.auth.crypto.otp import hash_otp, make_otp, make_refresh_token, matches


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
