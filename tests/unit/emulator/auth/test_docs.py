"""docs/auth.md names every error code, setting and endpoint that there is."""

import re
from collections.abc import Iterator

from emulator.auth.api.router import ROUTES
from emulator.auth.conf.metrics import MetricsSettings
from emulator.auth.conf.settings import AuthSettings
from emulator.paths import CHECKOUT
from emulator.settings import Settings

FOLDER = CHECKOUT / "supabase" / "emulator" / "auth"
PAGE = (CHECKOUT / "docs" / "auth.md").read_text("utf8")


def test_every_code_is_documented_and_every_documented_code_exists() -> None:
    catalog = (FOLDER / "errors.py").read_text("utf8")
    codes = set(re.findall(r'(?:ApiError|OAuthError|WeakPassword)\(\s*(?:status|\d+), "([a-z0-9_ ]+)"', catalog))
    codes |= {
        f"mfa_{kind}_{step}_not_enabled" for kind in ("totp", "phone", "webauthn") for step in ("enroll", "verify")
    }
    codes |= {"current_password_required", "current_password_invalid"}
    codes |= set(re.findall(r'"(over_\w+_rate_limit)"', catalog))
    assert len(codes) > 60
    assert set(re.findall(r"^\| `([a-z0-9_ ]+)` \|", PAGE, re.MULTILINE)) == codes


def test_every_setting_is_documented() -> None:
    groups: list[type[Settings]] = [*groups_of(AuthSettings), MetricsSettings]
    variables = {name for group in groups for names in group.variables().values() for name in names}
    names = {name.removeprefix("GOTRUE_") for name in variables}
    assert len(names) > 60
    assert sorted(name for name in names if f"`{name}`" not in PAGE) == []


def groups_of(settings: type[Settings]) -> Iterator[type[Settings]]:
    """A group of settings, and those within it."""
    yield settings
    for field in settings.model_fields.values():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Settings):
            yield from groups_of(field.annotation)


def test_every_first_segment_is_documented() -> None:
    roots = {"/" + row.path.split("/")[1] for row in ROUTES}
    assert sorted(root for root in roots - {"/oauth"} if root not in PAGE) == []
