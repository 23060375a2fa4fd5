"""The Prefer header: which wishes are understood, and which are echoed. Pure."""

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
    """The first understood wish of each family; `invalid` holds what was not understood."""

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
        """Whether unknown wishes are refused and limits enforced."""
        return self.handling == "strict"


def parse_preferences(lines: Iterable[str]) -> Preferences:
    """Read all Prefer headers as one list."""
    items = [item.strip() for line in lines for item in line.split(",")]
    wishes: dict[str, str] = {}
    invalid: list[str] = []
    for item in items:
        family, _, value = item.partition("=")
        if value in _KNOWN.get(family, ()) or (family == "timezone" and value) or family == "max-affected":
            if family != "max-affected" or value.lstrip("-").isdigit():
                wishes.setdefault(family, value)
        elif item:
            invalid.append(item)
    max_affected = wishes.get("max-affected")
    return Preferences(
        wishes.get("resolution"),  # type: ignore[arg-type]
        wishes.get("missing"),  # type: ignore[arg-type]
        wishes.get("return"),  # type: ignore[arg-type]
        wishes.get("count"),  # type: ignore[arg-type]
        wishes.get("tx"),  # type: ignore[arg-type]
        wishes.get("handling"),  # type: ignore[arg-type]
        wishes.get("timezone"),
        int(max_affected) if max_affected and len(max_affected) < 19 else None,
        tuple(invalid),
    )


def applied(
    wanted: Preferences, *, resolution: bool, missing: bool, representation: bool, tx: bool, max_affected: bool
) -> str:
    """Return Preference-Applied: what was understood and, by the flags, had an effect on this kind of request."""
    parts = [
        f"resolution={wanted.resolution}" if wanted.resolution and resolution else "",
        f"missing={wanted.missing}" if wanted.missing and missing else "",
        f"return={wanted.representation}" if wanted.representation and representation else "",
        f"count={wanted.count}" if wanted.count else "",
        f"tx={wanted.tx}" if wanted.tx and tx else "",
        f"handling={wanted.handling}" if wanted.handling else "",
        f"timezone={wanted.timezone}" if wanted.timezone else "",
        f"max-affected={wanted.max_affected}"
        if wanted.max_affected is not None and wanted.is_strict and max_affected
        else "",
    ]
    return ", ".join(part for part in parts if part)
