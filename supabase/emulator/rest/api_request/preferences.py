"""The Prefer header (RFC 7240): which preferences are known, and which Preference-Applied repeats. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

_KNOWN = {
    "resolution": ("merge-duplicates", "ignore-duplicates"),
    "missing": ("default", "null"),
    "return": ("representation", "headers-only", "minimal"),
    "count": ("exact", "planned", "estimated"),
    "tx": ("commit", "rollback"),
    "handling": ("strict", "lenient"),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """The first known value of each preference; `invalid` has what is unknown."""

    resolution: Literal["merge-duplicates", "ignore-duplicates"] | None = None
    missing: Literal["default", "null"] | None = None
    representation: Literal["representation", "headers-only", "minimal"] | None = None
    count: Literal["exact", "planned", "estimated"] | None = None
    tx: Literal["commit", "rollback"] | None = None
    handling: Literal["strict", "lenient"] | None = None
    timezone: str | None = None
    max_affected: int | None = None
    invalid: tuple[str, ...] = ()

    @property
    def is_strict(self) -> bool:
        """Whether invalid preferences are an error and max-affected is enforced."""
        return self.handling == "strict"


def parse_preferences(lines: Iterable[str]) -> Preferences:
    """Parse all Prefer headers as one list."""
    items = [item.strip() for line in lines for item in line.split(",")]
    values: dict[str, str] = {}
    invalid: list[str] = []
    for item in items:
        name, _, value = item.partition("=")
        if value in _KNOWN.get(name, ()) or (name == "timezone" and value) or name == "max-affected":
            if name != "max-affected" or value.lstrip("-").isdigit():
                values.setdefault(name, value)
        elif item:
            invalid.append(item)
    max_affected = values.get("max-affected")
    return Preferences(
        values.get("resolution"),  # type: ignore[arg-type]
        values.get("missing"),  # type: ignore[arg-type]
        values.get("return"),  # type: ignore[arg-type]
        values.get("count"),  # type: ignore[arg-type]
        values.get("tx"),  # type: ignore[arg-type]
        values.get("handling"),  # type: ignore[arg-type]
        values.get("timezone"),
        int(max_affected) if max_affected and len(max_affected) < 19 else None,
        tuple(invalid),
    )


def applied(
    preferences: Preferences, *, resolution: bool, missing: bool, representation: bool, tx: bool, max_affected: bool
) -> str:
    """Return Preference-Applied: the preferences that had an effect; the flags say which can have had one."""
    parts = [
        f"resolution={preferences.resolution}" if preferences.resolution and resolution else "",
        f"missing={preferences.missing}" if preferences.missing and missing else "",
        f"return={preferences.representation}" if preferences.representation and representation else "",
        f"count={preferences.count}" if preferences.count else "",
        f"tx={preferences.tx}" if preferences.tx and tx else "",
        f"handling={preferences.handling}" if preferences.handling else "",
        f"timezone={preferences.timezone}" if preferences.timezone else "",
        f"max-affected={preferences.max_affected}"
        if preferences.max_affected is not None and preferences.is_strict and max_affected
        else "",
    ]
    return ", ".join(part for part in parts if part)
