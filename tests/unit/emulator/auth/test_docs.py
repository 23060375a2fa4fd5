"""docs/auth.md names every error code, setting and endpoint that there is."""

import re

from emulator.auth.api.router import ROUTES
from emulator.paths import CHECKOUT

FOLDER = CHECKOUT / "supabase" / "emulator" / "auth"
PAGE = (CHECKOUT / "docs" / "auth.md").read_text("utf8")


def test_every_code_is_documented_and_every_documented_code_exists() -> None:
    catalogue = (FOLDER / "errors.py").read_text("utf8")
    codes = set(re.findall(r'(?:ApiError|OAuthError|WeakPassword)\(\s*(?:status|\d+), "([a-z0-9_ ]+)"', catalogue))
    codes |= {
        f"mfa_{kind}_{step}_not_enabled" for kind in ("totp", "phone", "webauthn") for step in ("enroll", "verify")
    }
    codes |= {"current_password_required", "current_password_invalid"}
    codes |= set(re.findall(r'"(over_\w+_rate_limit)"', catalogue))
    assert len(codes) > 60
    assert set(re.findall(r"^\| `([a-z0-9_ ]+)` \|", PAGE, re.MULTILINE)) == codes


def test_every_setting_is_documented() -> None:
    source = "".join(path.read_text("utf8") for path in (FOLDER / "conf").glob("settings*.py"))
    names = set(
        re.findall(r'(?:env\.(?:text|flag|integer|seconds|items)|rate|_otp_length)\((?:env, )?"([A-Z_]+)"', source)
    )
    assert len(names) > 60
    assert sorted(name for name in names if f"`{name}`" not in PAGE) == []


def test_every_first_segment_is_documented() -> None:
    roots = {"/" + path.split("/")[1] for _, path, _ in ROUTES}
    assert sorted(root for root in roots - {"/oauth"} if root not in PAGE) == []
