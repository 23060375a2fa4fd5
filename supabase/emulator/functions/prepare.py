"""Before a process starts: its import map, and its modules in Deno's cache, so that it starts without the network."""

import asyncio
import hashlib
import json
import logging
import os
import time
from dataclasses import dataclass
from pathlib import Path

from emulator.functions.discovery import Function
from emulator.functions.npm_twins import always, npm_twin
from emulator.functions.project_files import SourceReader, read_configuration
from emulator.functions.settings import FunctionsSettings

DENO_FILES = Path(__file__).parent / "deno"
# What a registry behind a proxy needs. Functions see none of it: their modules are downloaded before they start.
_NETWORK = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "NPM_CONFIG_REGISTRY", "HOME")
# Which certificates the machine's operator trusts. Deno reads them at its start, and boot.ts removes them.
_CERTIFICATES = ("DENO_CERT", "DENO_TLS_CA_STORE", "NODE_EXTRA_CA_CERTS")
_DOWNLOAD_S = 120.0

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Prepared:
    """What a process starts from: the generated first module and configuration.

    `outside` are the modules that functions import from beside their folder.
    """

    entry: Path
    configuration: Path
    outside: frozenset[Path]


async def prepare(settings: FunctionsSettings, function: Function, reader: SourceReader) -> Prepared:
    """Write the function's files and download what it imports. Raises ProjectError; what is missing is only logged.

    Imports are tried as they stand; where that fails, the same packages of the npm registry are tried, which works
    behind proxies that know npm alone.
    """
    began = time.monotonic()
    assert settings.directory is not None, "a function was found in it"
    state = await asyncio.to_thread(_read_state, settings, function, reader)
    prepared, stamp = state.prepared, state.stamp
    if prepared.configuration.exists() and stamp.exists() and stamp.read_text() == state.fingerprint:
        return prepared
    for name, configuration in state.configurations.items():
        prepared.configuration.write_text(json.dumps(configuration))
        missing = await _download(settings, prepared)
        if missing is None:
            stamp.write_text(state.fingerprint)
            log.info("%s: modules are ready (%s, %.1f s)", function.slug, name, time.monotonic() - began)
            return prepared
        log.warning("%s: not every module could be loaded (%s): %s", function.slug, name, missing)
    prepared.configuration.write_text(json.dumps(next(iter(state.configurations.values()))))
    return prepared


@dataclass(frozen=True)
class _State:
    prepared: Prepared
    stamp: Path
    fingerprint: str
    configurations: dict[str, dict[str, object]]


def _read_state(settings: FunctionsSettings, function: Function, reader: SourceReader) -> _State:
    assert settings.directory is not None, "a function was found in it"
    imports, options = read_configuration(settings, function)
    sources = reader.read(settings.directory)
    plain = imports.replaced(always((DENO_FILES / "serve.ts").as_uri()), sources.specifiers)
    others = plain.replaced(npm_twin, sources.specifiers)
    common = {"compilerOptions": options, "nodeModulesDir": "none", "lock": False}
    configurations: dict[str, dict[str, object]] = {"as written": {**plain.to_json(), **common}}
    if others != plain:
        configurations["from npm"] = {**others.to_json(), **common}
    folder = (
        settings.cache.expanduser() / "functions" / hashlib.sha256(str(function.entrypoint).encode()).hexdigest()[:16]
    )
    folder.mkdir(parents=True, exist_ok=True)
    entry = folder / "entry.ts"
    entry.write_text(
        f"import * as own from {json.dumps(function.entrypoint.as_uri())}\n"
        f"import {{ serveDefault }} from {json.dumps((DENO_FILES / 'entry.ts').as_uri())}\n"
        "serveDefault(own as never)\n"
    )
    seen = hashlib.sha256(f"{sources.fingerprint}{settings.deno}{json.dumps(configurations)}".encode())
    return _State(
        Prepared(entry, folder / "deno.json", sources.outside), folder / "stamp", seen.hexdigest(), configurations
    )


async def _download(settings: FunctionsSettings, prepared: Prepared) -> str | None:
    """Fill the cache; returns None, or the lines that say what is missing."""
    env = _outside(*_NETWORK, *(name.lower() for name in _NETWORK))
    process = await asyncio.create_subprocess_exec(
        str(settings.deno), "cache", "--quiet", "--config", str(prepared.configuration), str(prepared.entry),
        env={**env, **deno_environment(settings)}, cwd=prepared.entry.parent, stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        _, errors = await asyncio.wait_for(process.communicate(), _DOWNLOAD_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"the download took longer than {_DOWNLOAD_S:.0f} s"
    if process.returncode == 0:
        return None
    return " ".join(errors.decode("utf8", "replace").split())[:500]


def deno_environment(settings: FunctionsSettings) -> dict[str, str]:
    """What Deno itself reads. A package.json in a folder above would switch its `npm:` to that project's packages."""
    return {
        "DENO_DIR": str(settings.cache.expanduser()),
        "DENO_NO_PACKAGE_JSON": "1",
        "DENO_NO_UPDATE_CHECK": "1",
        "NO_COLOR": "1",
        **_outside(*_CERTIFICATES),
    }


def _outside(*names: str) -> dict[str, str]:
    return {name: value for name in names if (value := os.environ.get(name))}
