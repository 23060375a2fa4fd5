"""notification_settings against every combination of what they can say (§3.11, §3.12, §3.13)."""

from itertools import product
from typing import Any, get_args

import pytest

from muster_functions.notifications.models import Notification
from muster_functions.notifications.preferences import PREFERENCE_OF, Preference, wants_email

FLAGS = (True, False, None, "yes")  # None: left out; "yes": of a wrong type, which counts as left out


def settings(names: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


@pytest.mark.parametrize("preference", get_args(Preference))
def test_every_combination(preference: Preference) -> None:
    """A mail goes out when nothing mutes it, the kind is enabled, and e-mail is on for it."""
    for values in product(FLAGS, repeat=5):
        mute, email_mute, enabled, muted, email = values
        chosen = settings(("enabled", "muted", "email_enabled"), (enabled, muted, email))
        given = settings(("globalMute", "emailGlobalMute"), (mute, email_mute)) | {"preferences": {preference: chosen}}
        is_on = email is True or (email is not False and preference == "system")
        want = is_on and mute is not True and email_mute is not True and enabled is not False and muted is not True
        assert wants_email(given, preference) is want, given


@pytest.mark.parametrize("given", [None, [], "x", 7, {}, {"preferences": None}, {"preferences": {"system": []}}])
def test_settings_of_a_wrong_shape_are_the_defaults(given: object) -> None:
    """§3.13: e-mail is off but for what the system has to say."""
    wanted = {preference for preference in get_args(Preference) if wants_email(given, preference)}
    assert wanted == {"system"}


def test_display_in_the_app_and_other_kinds_do_not_matter() -> None:
    """§3.12."""
    given = {"preferences": {"messages": {"email_enabled": True, "displayInApp": False}, "mentions": {"muted": True}}}
    assert wants_email(given, "messages")
    assert not wants_email(given, "connections")


def test_every_type_that_a_member_may_cause_has_its_preference() -> None:
    types = set(get_args(Notification.model_fields["type"].annotation))
    assert types - set(PREFERENCE_OF) == {"admin_waitlist", "admin_feedback", "invitation", "comment"}
