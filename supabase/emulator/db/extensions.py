"""The embedded PostgreSQL with the platform's extensions: what `create extension` finds there.

An installation is never changed; beside it a second one is made of hard links, with our control and SQL files
(sql/extensions) and with contrib modules trusted as on the image. PostgreSQL finds its files relative to its program,
so nothing has to be configured.
"""

import hashlib
import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from emulator.db.binaries import Binaries
from emulator.paths import EXTENSIONS

INSTALLATION_MARK = "-extensions-"  # in the folder's name: what was made here may be added to
_DEFAULT_VERSION = re.compile(r"^default_version\s*=\s*'([^']+)'", re.MULTILINE)
_TRUSTED = re.compile(r"^trusted\s*=\s*true", re.MULTILINE)
# A statement, also within a DO block; the name may be quoted. Comments are not taken out: asking for one too many
# costs a download, missing one stops the project.
_CREATED = re.compile(r'\bcreate\s+extension\s+(?:if\s+not\s+exists\s+)?(?:"([^"]+)"|([a-z_][\w$]*))', re.IGNORECASE)
_NOT_AVAILABLE = re.compile(r'extension "([^"]+)" is not available')


@dataclass(frozen=True)
class Declared:
    """What sql/extensions/extensions.toml says."""

    trusted: tuple[str, ...]
    after_create: Mapping[str, str]
    versions: Mapping[str, tuple[str, ...]]
    unavailable: Mapping[str, str]
    remedies: Mapping[str, str]


@cache
def declared(folder: Path = EXTENSIONS) -> Declared:
    """The rows of extensions.toml."""
    read = tomllib.loads((folder / "extensions.toml").read_text("utf8"))
    versions = {name: tuple(found) for name, found in read["versions"].items()}
    return Declared(tuple(read["trusted"]), read["after_create"], versions, read["unavailable"], read["remedies"])


def created_extensions(script: str) -> frozenset[str]:
    """The names of the extensions that a script of SQL creates, wherever in it."""
    return frozenset(quoted or bare.lower() for quoted, bare in _CREATED.findall(script))


def remedy(message: str) -> str | None:
    """What to do about PostgreSQL's `extension "x" is not available`; None for any other message."""
    found = _NOT_AVAILABLE.search(message)
    if found is None:
        return None
    rows = declared()
    kind = rows.unavailable.get(found[1])
    return None if kind is None else f"{found[1]} is not part of the embedded PostgreSQL: {rows.remedies[kind]}"


def with_extensions(binaries: Binaries, elsewhere: Path, source: Path = EXTENSIONS) -> Binaries:
    """An installation that has the extensions, made once beside `binaries` or, where that can't be written, elsewhere.

    Another process may make the same one at the same time.
    """
    original = binaries.bin.parent
    parent = original.parent if os.access(original.parent, os.W_OK) else elsewhere
    target = parent / f"{original.name}{INSTALLATION_MARK}{_digest(binaries, source)}"
    if not target.exists():
        parent.mkdir(parents=True, exist_ok=True)
        partial = parent / f".{target.name}.{os.getpid()}"
        shutil.copytree(original, partial, symlinks=True, copy_function=_link_or_copy)
        for name, text in _files(partial / "share" / "postgresql" / "extension", source):
            replace_file(partial / "share" / "postgresql" / "extension" / name, text.encode())
        try:
            partial.rename(target)
        except OSError:  # another start was quicker
            shutil.rmtree(partial)
    return Binaries(target / "bin", binaries.version)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file by renaming: what was a hard link to the original installation's stays as it is there."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_bytes(content)
    partial.chmod(0o644)
    partial.rename(path)


def _files(installed: Path, source: Path) -> Iterator[tuple[str, str]]:
    """Every file of the extension folder that is ours or differs from the original's."""
    rows = declared(source)
    for control in sorted(source.glob("*/*.control")):
        name, text = control.stem, control.read_text("utf8")
        version = _default_version(text)
        script = (control.parent / f"{name}--{version}.sql").read_text("utf8")
        yield control.name, text
        yield f"{name}--{version}.sql", script
        for other in rows.versions.get(name, ()):
            yield f"{name}--{other}.sql", script
            yield f"{name}--{other}--{version}.sql", f"-- {name} {other} is the same here.\n"
    for name in rows.trusted:
        control = installed / f"{name}.control"
        if control.exists() and _TRUSTED.search(text := control.read_text("utf8")) is None:
            yield control.name, f"{text.rstrip()}\ntrusted = true\n"
    for name, addition in rows.after_create.items():
        for first in installed.glob(f"{name}--*.sql"):
            if first.stem.count("--") == 1:  # no update from another version
                yield first.name, f"{first.read_text('utf8')}\n{addition}"


def _default_version(control: str) -> str:
    found = _DEFAULT_VERSION.search(control)
    if found is None:
        raise ValueError("a control file names no default_version")
    return found[1]


def _digest(binaries: Binaries, source: Path) -> str:
    digest = hashlib.sha256(binaries.version.encode())
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        digest.update(f"{path.relative_to(source)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def _link_or_copy(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # another file system, or another owner's file
        shutil.copy2(source, target, follow_symlinks=False)
