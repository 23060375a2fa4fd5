"""What a function's own files say: its import map, what its modules import, its .env files."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emulator.dotenv import DotenvError, parse_dotenv
from emulator.functions.discovery import Function, fingerprint, list_files
from emulator.functions.import_map import ImportMap, used_specifiers
from emulator.functions.settings import FunctionsSettings
from emulator.json_object import read_commented_json

_MODULES = (".ts", ".tsx", ".mts", ".js", ".jsx", ".mjs")
_MAX_SOURCE_BYTES = 2_000_000
_MAX_OUTSIDE = 1_000


class ProjectError(Exception):
    """A file of the project can't be used; the text names it."""


def read_configuration(settings: FunctionsSettings, function: Function) -> tuple[ImportMap, dict[str, Any]]:
    """The function's import map, and the `compilerOptions` of its deno.json. Raises ProjectError.

    The first of the files that exists counts, as in the official CLI.
    """
    assert settings.directory is not None, "a function was found in it"
    folder = function.folder
    candidates = (
        function.rules.import_map_path, folder / "deno.json", folder / "deno.jsonc", folder / "import_map.json",
        settings.directory / "deno.json", settings.directory / "deno.jsonc", settings.directory / "import_map.json",
    )  # fmt: skip
    for path in candidates:
        if path is not None and path.is_file():
            document = _read_object(path)
            linked = document.get("importMap")
            source = path.parent / linked if isinstance(linked, str) else path
            try:
                imports = ImportMap.parse(_read_object(source) if source != path else document, source.as_uri())
            except ValueError as error:
                raise ProjectError(f"{source}: {error}") from error
            options = document.get("compilerOptions")
            return imports, options if isinstance(options, dict) else {}
    return ImportMap(), {}


@dataclass(frozen=True)
class Sources:
    """What the modules of all functions import, and those of them that lie outside the folder of functions.

    `fingerprint` changes when any of these files does.
    """

    specifiers: frozenset[str]
    outside: frozenset[Path]
    fingerprint: str


class SourceReader:
    """Reads all modules once, and again after a change: preparing twenty functions needs them twenty times."""

    def __init__(self) -> None:
        self._read: tuple[Path, Sources] | None = None
        self._lock = threading.Lock()

    def read(self, directory: Path) -> Sources:
        """The sources below the folder of functions, as they are now. Called on threads."""
        with self._lock:
            if self._read is not None and self._read[0] == directory:
                known = self._read[1]
                if fingerprint(directory, known.outside) == known.fingerprint:
                    return known
            before = fingerprint(directory)
            found = read_sources(directory)
            # What changed while it was read is read again.
            self._read = (directory, found) if fingerprint(directory) == before else None
            return found


def read_sources(directory: Path) -> Sources:
    """Read every module below the folder of functions, and what these import from beside it (`../../_shared/x.ts`)."""
    specifiers: set[str] = set()
    outside: set[Path] = set()
    waiting = [path for path in list_files(directory) if path.suffix in _MODULES]
    while waiting:
        path = waiting.pop()
        try:
            if path.stat().st_size > _MAX_SOURCE_BYTES:
                continue
            used = used_specifiers(path.read_text("utf8", "replace"))
        except OSError:
            continue  # gone, or never there: Deno reports what it misses
        specifiers |= used
        for specifier in used:
            if specifier.startswith(("./", "../")):
                module = Path(os.path.normpath(path.parent / specifier))
                if not module.is_relative_to(directory) and module not in outside and len(outside) < _MAX_OUTSIDE:
                    outside.add(module)
                    waiting.append(module)
    return Sources(frozenset(specifiers), frozenset(outside), fingerprint(directory, outside))


def read_user_variables(settings: FunctionsSettings, function: Function) -> list[dict[str, str]]:
    """The project's own variables, the stronger ones last. Raises ProjectError."""
    assert settings.directory is not None, "a function was found in it"
    if settings.env_file is not None:
        files = [settings.env_file]
    else:
        files = [settings.directory / ".env", settings.directory / function.slug / ".env"]
    read = [_read_variables(path) for path in files if path.is_file()]
    return [dict(settings.secrets), *read, dict(function.rules.env)]


def _read_variables(path: Path) -> dict[str, str]:
    try:
        return parse_dotenv(path.read_text("utf8"))
    except (OSError, UnicodeDecodeError, DotenvError) as error:
        raise ProjectError(f"failed to parse environment file: {path} ({error})") from error


def _read_object(path: Path) -> dict[str, Any]:
    """The object in a JSON file, which may have comments, as Deno's have."""
    try:
        document = read_commented_json(path.read_text("utf8"))
    except (OSError, ValueError, RecursionError) as error:
        raise ProjectError(f"{path}: {error}") from error
    if not isinstance(document, dict):
        raise ProjectError(f"{path}: must hold an object")
    return document
