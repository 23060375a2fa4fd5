"""The embedded PostgreSQL's package without Node.js: from a registry on this machine."""

import base64
import hashlib
import http.server
import io
import json
import tarfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator.locks import alone_in
from emulator.packages import npm_platform
from muster_cli.output import UserError
from muster_cli.stack.install import ensure_packages
from muster_cli.stack.npm_package import find_registry, install_package

NAME = "@scope/thing"


def package(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size, member.mode = len(content), 0o755
            archive.addfile(member, io.BytesIO(content))
    return packed.getvalue()


def integrity(content: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


Registry = tuple[str, dict[str, bytes]]


@pytest.fixture
def registry() -> Iterator[Registry]:
    served: dict[str, bytes] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = served.get(self.path)
            self.send_response(404 if found is None else 200)
            self.send_header("Content-Length", str(len(found or b"")))
            self.end_headers()
            self.wfile.write(found or b"")

        def log_message(self, *_: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", served
    server.shutdown()
    thread.join()
    server.server_close()


def nothing(_: float | None) -> None: ...


def test_a_package_comes_with_its_programs(tmp_path: Path, registry: Registry) -> None:
    url, served = registry
    content = package(run=b"#!/bin/sh\n", data=b"x" * 3_000_000)
    served["/@scope/thing/-/thing-1.2.tgz"] = content
    done: list[float | None] = []
    install_package(NAME, {"version": "1.2", "integrity": integrity(content)}, url, tmp_path, done.append)
    assert (tmp_path / NAME / "run").stat().st_mode & 0o100
    assert (tmp_path / NAME / "data").stat().st_size == 3_000_000
    assert done
    assert [path.name for path in tmp_path.iterdir()] == ["@scope"], "nothing half-done is left"


@pytest.mark.parametrize(
    ("content", "wanted", "said"),
    [
        pytest.param(package(a=b"1"), integrity(b"other"), "not what the lock says", id="other-bytes"),
        pytest.param(b"no archive", integrity(b"no archive"), "is not a package", id="no-archive"),
        pytest.param(None, integrity(b""), "can't be downloaded from .*404", id="absent"),
    ],
)
def test_anything_else_is_refused_and_leaves_nothing(
    tmp_path: Path, registry: Registry, content: bytes | None, wanted: str, said: str
) -> None:
    url, served = registry
    if content is not None:
        served["/@scope/thing/-/thing-1.2.tgz"] = content
    with pytest.raises(UserError, match=said):
        install_package(NAME, {"version": "1.2", "integrity": wanted}, url, tmp_path, nothing)
    assert not (tmp_path / NAME).exists()


def test_a_package_without_a_digest_is_left_to_npm(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no digest of @scope/thing 1.2: install Node.js"):
        install_package(NAME, {"version": "1.2"}, "http://127.0.0.1:9", tmp_path, nothing)


def test_a_registry_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    entry = {"version": "1", "integrity": integrity(b"")}
    with pytest.raises(UserError, match="can't be downloaded from http://127.0.0.1:9"):
        install_package(NAME, entry, "http://127.0.0.1:9", tmp_path, nothing)


@pytest.fixture
def locked_folder(tmp_path: Path, registry: Registry, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose lock has a package for this platform and one for another; there is no npm."""
    url, served = registry
    system, machine = npm_platform()
    content = package(run=b"1")
    served["/@scope/thing/-/thing-1.2.tgz"] = content
    row = {"version": "1.2", "integrity": integrity(content), "os": [system], "cpu": [machine]}
    packages = {"": {}, f"node_modules/{NAME}": row, "node_modules/@scope/other": {**row, "os": ["plan9"]}}
    (tmp_path / "package-lock.json").write_text(json.dumps({"packages": packages}))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("npm_config_registry", f"{url}/")
    return tmp_path


def test_without_npm_the_lock_is_installed_once(locked_folder: Path, registry: Registry) -> None:
    ensure_packages(locked_folder, "Things", fetch=True)
    assert (locked_folder / "node_modules" / NAME / "run").exists()
    assert not (locked_folder / "node_modules" / "@scope" / "other").exists()
    registry[1].clear()
    ensure_packages(locked_folder, "Things", fetch=True)


def test_two_starts_at_once_install_once(locked_folder: Path) -> None:
    failed: list[BaseException] = []

    def start() -> None:
        try:
            ensure_packages(locked_folder, "Things", fetch=True)
        except BaseException as error:
            failed.append(error)

    threads: list[threading.Thread] = [threading.Thread(target=start) for _ in range(2)]
    with alone_in(locked_folder):
        for thread in threads:
            thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert (locked_folder / "node_modules" / NAME / "run").exists()


@pytest.mark.parametrize(
    ("env", "npmrc", "want"),
    [
        ({}, None, "https://registry.npmjs.org"),
        ({"npm_config_registry": "http://a/"}, "registry=http://b", "http://a"),
        ({}, "a=1\nregistry = http://b/npm/\n", "http://b/npm"),
    ],
)
def test_the_registry_is_npm_s(tmp_path: Path, env: dict[str, str], npmrc: str | None, want: str) -> None:
    if npmrc is not None:
        (tmp_path / ".npmrc").write_text(npmrc)
    assert find_registry(env, tmp_path) == want
