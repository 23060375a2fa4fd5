"""The one import map of a function's process, made of the project's own and of what stands for some addresses. Pure.

https://github.com/WICG/import-maps. A map that is given to Deno replaces deno.json's imports, so they are merged here.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urljoin

from emulator.functions.npm_twins import Twin

_SPECIFIER = re.compile(r"""(?:\bfrom|\bimport)\s*\(?\s*(["'])(?P<specifier>[^"'\s]+)\1""")
_REMOTE = ("https://", "http://", "jsr:")


@dataclass(frozen=True)
class ImportMap:
    """`imports` and `scopes`; every relative address has become an absolute one."""

    imports: Mapping[str, str] = field(default_factory=dict)
    scopes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @classmethod
    def parse(cls, document: Mapping[str, Any], base: str) -> "ImportMap":
        """Read the `imports` and `scopes` of a map or of a deno.json at the URL `base`. Raises ValueError."""
        scopes = document.get("scopes", {})
        if not isinstance(scopes, dict):
            raise ValueError("scopes must be an object")
        return cls(
            _absolute(document.get("imports", {}), base),
            {urljoin(base, prefix): _absolute(entries, base) for prefix, entries in scopes.items()},
        )

    def replaced(self, twin: Twin, used: Iterable[str]) -> "ImportMap":
        """The map with `twin` applied to its targets, and to the remote specifiers that the sources use.

        An import map resolves once: where the project's map turns `std/http/server.ts` into an address that has a twin,
        the twin must stand under that very name.
        """
        imports = _replaced(self.imports, twin)
        for specifier in used:
            target = self.imports.get(specifier) or _by_prefix(self.imports, specifier) or specifier
            found = twin(target) if target.startswith(_REMOTE) else None
            if found is not None:
                imports[specifier] = found
        return ImportMap(imports, {prefix: _replaced(entries, twin) for prefix, entries in self.scopes.items()})

    def to_json(self) -> dict[str, Any]:
        """As Deno reads it."""
        return {"imports": dict(self.imports), "scopes": {name: dict(entries) for name, entries in self.scopes.items()}}


def used_specifiers(source: str) -> set[str]:
    """What a module imports: static imports, re-exports, and dynamic imports of a literal."""
    return {match["specifier"] for match in _SPECIFIER.finditer(source)}


def _absolute(entries: object, base: str) -> dict[str, str]:
    if not isinstance(entries, dict):
        raise ValueError("imports must be an object")
    return {
        name: urljoin(base, target) if target.startswith(("./", "../", "/")) else target
        for name, target in entries.items()
        if isinstance(target, str)
    }


def _replaced(entries: Mapping[str, str], twin: Twin) -> dict[str, str]:
    return {name: (twin(target) if target.startswith(_REMOTE) else None) or target for name, target in entries.items()}


def _by_prefix(entries: Mapping[str, str], specifier: str) -> str | None:
    """The address by the longest entry that ends with a slash."""
    prefixes = [name for name in entries if name.endswith("/") and specifier.startswith(name)]
    if not prefixes:
        return None
    prefix = max(prefixes, key=len)
    return entries[prefix] + specifier[len(prefix) :]
