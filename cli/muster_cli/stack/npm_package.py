"""Install a package of the npm registry without Node.js: what the lock names, checked by its digest.

For packages of files alone, such as the embedded PostgreSQL: no script of theirs is run.
"""

import base64
import hashlib
import os
import re
import shutil
import tarfile
import tempfile
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from muster_cli.output import UserError

DEFAULT_REGISTRY = "https://registry.npmjs.org"
LARGEST_BYTES = 300_000_000
TIMEOUT_S = 60.0
_BLOCK = 1 << 20

Advance = Callable[[float | None], None]


def find_registry(env: Mapping[str, str], home: Path) -> str:
    """npm's registry, as its variable or the person's .npmrc names it."""
    named = env.get("npm_config_registry") or env.get("NPM_CONFIG_REGISTRY")
    if not named:
        with suppress(OSError, UnicodeDecodeError):
            found = re.search(r"^registry\s*=\s*(\S+)", (home / ".npmrc").read_text("utf8"), re.MULTILINE)
            named = found[1] if found else None
    return (named or DEFAULT_REGISTRY).rstrip("/")


def install_package(name: str, entry: Mapping[str, Any], registry: str, modules: Path, advance: Advance) -> None:
    """Put a package into `modules` (a node_modules folder). `entry` is its row of package-lock.json.

    Raises UserError: not reachable, other bytes than the lock says, no room.
    """
    version, integrity = str(entry["version"]), entry.get("integrity")
    if not integrity:
        raise UserError(f"the lock has no digest of {name} {version}: install Node.js; its npm can get it")
    url = f"{registry}/{name}/-/{name.rsplit('/', 1)[-1]}-{version}.tgz"
    place = modules / name
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=modules, prefix=".muster-") as partial, tempfile.TemporaryFile() as file:
            _download(url, file, integrity, advance)
            file.seek(0)
            with tarfile.open(fileobj=file, mode="r:gz") as archive:
                archive.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.11.4 brought it
                archive.extractall(partial)
            shutil.rmtree(place, ignore_errors=True)
            (Path(partial) / "package").rename(place)
    except OSError as error:  # HTTP's and TLS's, too
        raise UserError(f"{name} {version} can't be downloaded from {registry}: {error}") from error
    except tarfile.TarError as error:
        raise UserError(f"{name} {version} from {registry} is not a package: {error}") from error


def _download(url: str, file: IO[bytes], integrity: str, advance: Advance) -> None:
    algorithm, _, wanted = integrity.partition("-")
    digest = hashlib.new(algorithm)
    with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
        total = int(answer.headers.get("Content-Length") or 0)
        done = 0
        while block := answer.read(_BLOCK):
            digest.update(block)
            file.write(block)
            done += len(block)
            advance(min(0.98, done / total) if total else None)
            if done > LARGEST_BYTES:
                raise UserError(f"{url} is larger than a package may be")
    if base64.b64encode(digest.digest()).decode() != wanted:
        raise UserError(f"{url} is not what the lock says: its {algorithm} digest differs")


def usable_here(entry: Mapping[str, Any], system: str, machine: str) -> bool:
    """Whether a package of the lock is for this platform, in npm's words for both."""
    return system in entry.get("os", [system]) and machine in entry.get("cpu", [machine])


def registry_of_person() -> str:
    """The registry of this process's environment."""
    return find_registry(os.environ, Path.home())
