"""Whether a member wants a mail: notification_settings judged (§3.11, §3.12, §3.13). Pure."""

from collections.abc import Mapping
from typing import Literal

Preference = Literal["messages", "connections", "mentions", "system"]

# Reactions and comments are, like mentions, about what people say: the settings know no finer word.
PREFERENCE_OF: Mapping[str, Preference] = {
    "message": "messages",
    "connection": "connections",
    "mention": "mentions",
    "reaction": "mentions",
    "others": "mentions",
    "system": "system",
}


def wants_email(settings: object, preference: Preference) -> bool:
    """Whether the settings let a mail of this kind out. What is missing or of a wrong type has its default."""
    settings = settings if isinstance(settings, Mapping) else {}
    if _flag(settings, "globalMute", False) or _flag(settings, "emailGlobalMute", False):
        return False
    preferences = settings.get("preferences")
    chosen = preferences.get(preference) if isinstance(preferences, Mapping) else None
    chosen = chosen if isinstance(chosen, Mapping) else {}
    return (
        _flag(chosen, "enabled", True)
        and not _flag(chosen, "muted", False)
        and _flag(chosen, "email_enabled", preference == "system")
    )


def _flag(settings: Mapping[str, object], name: str, default: bool) -> bool:
    value = settings.get(name)
    return value if isinstance(value, bool) else default
