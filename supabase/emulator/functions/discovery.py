"""The functions of a project's folder: which there are, and whether any of their files changed."""

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from emulator.functions.settings import FunctionRules, FunctionsSettings

# The first that there is, unless config.toml names another file.
ENTRYPOINTS = ("index.ts", "main.py")
SLUG = re.compile(r"[A-Za-z0-9_-]{1,128}\Z")  # a longer name is no folder's on every file system
SKIPPED_FOLDERS = frozenset({".git", "node_modules", ".vscode", ".idea", "vendor", "__pycache__", ".venv"})
_MAX_FILES = 5_000


@dataclass(frozen=True)
class Function:
    """One function: its name, its first module, its rules."""

    slug: str
    entrypoint: Path
    rules: FunctionRules

    @property
    def is_python(self) -> bool:
        """Whether Python runs it, and not Deno."""
        return self.entrypoint.suffix == ".py"

    @property
    def folder(self) -> Path:
        """The folder that it may read."""
        return self.entrypoint.parent


def find_function(settings: FunctionsSettings, slug: str) -> Function | None:
    """The function of that name; None when there is none, or config.toml disables it."""
    if settings.directory is None or SLUG.match(slug) is None or slug.startswith("_"):
        return None
    rules = settings.rules.get(slug, FunctionRules())
    usual = (settings.directory / slug / name for name in ENTRYPOINTS)
    files = usual if rules.entrypoint_path is None else [rules.entrypoint_path]
    entrypoint = next((path for path in files if path.is_file()), None) if rules.enabled else None
    return None if entrypoint is None else Function(slug, entrypoint.resolve(), rules)


def list_functions(settings: FunctionsSettings) -> list[Function]:
    """All functions, by name."""
    if settings.directory is None or not settings.directory.is_dir():
        return []
    names = {entry.name for entry in os.scandir(settings.directory) if entry.is_dir()} | set(settings.rules)
    found = (find_function(settings, name) for name in sorted(names))
    return [function for function in found if function is not None]


def fingerprint(directory: Path, outside: Iterable[Path] = ()) -> str:
    """Changes when any file below the folder of functions, or one of those `outside`, changes (name, size or time)."""
    digest = hashlib.sha256()
    for path in sorted([*list_files(directory), *outside]):
        try:
            status = path.stat()
        except OSError:
            continue  # gone meanwhile: the next look sees that
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode("utf8", "surrogateescape"))
    return digest.hexdigest()


def list_files(directory: Path) -> Iterator[Path]:
    """All files below a folder that are worth a look; at most _MAX_FILES."""
    count = 0
    for folder, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
        for name in names:
            if name.endswith(("~", ".swp", ".tmp")):
                continue
            count += 1
            if count > _MAX_FILES:
                return
            yield Path(folder, name)
