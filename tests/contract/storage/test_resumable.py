"""Resumable uploads: by the Python client of TUS, and over a kill of the process."""

import base64
import io
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import httpx
import pytest
from tusclient.client import TusClient

from bench import storage_kills
from emulator.storage.files.partial import UploadState
from tests.contract.storage.conftest import SECRET, SERVICE, Storage
from tests.support.commands import Started, start
from tests.support.patience import PATIENCE_S, eventually
from tests.support.postgres import Database, free_port

CONTENT = os.urandom(300_000)


def metadata(bucket: str, key: str, **more: str) -> str:
    """An Upload-Metadata header."""
    pairs = {"bucketName": bucket, "objectName": key, **more}
    return ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in pairs.items())


def begin(http: httpx.Client, bucket: str, key: str, length: int) -> str:
    """The path of a new upload."""
    said = {"upload-length": str(length), "upload-metadata": metadata(bucket, key)}
    headers = {**SERVICE, "tus-resumable": "1.0.0", **said}
    made = http.post("/upload/resumable", headers=headers)
    assert made.status_code == 201, made.text
    return httpx.URL(made.headers["location"]).path


def patch(http: httpx.Client, path: str, offset: int, content: bytes) -> httpx.Response:
    """More bytes."""
    headers = {
        **SERVICE, "tus-resumable": "1.0.0", "upload-offset": str(offset),
        "content-type": "application/offset+octet-stream",
    }  # fmt: skip
    return http.patch(path, headers=headers, content=content)


def offset_of(http: httpx.Client, path: str) -> int:
    """How much is there."""
    return int(http.head(path, headers={**SERVICE, "tus-resumable": "1.0.0"}).headers["upload-offset"])


def test_the_python_client_uploads_in_pieces(storage: Storage) -> None:
    storage.bucket("tus-client")
    client = TusClient(f"{storage.url}/upload/resumable", headers=SERVICE)
    uploader = client.uploader(
        file_stream=io.BytesIO(CONTENT), chunk_size=100_000,
        metadata={"bucketName": "tus-client", "objectName": "a.bin", "contentType": "text/plain"},
    )  # fmt: skip
    uploader.upload()
    answer = storage.http.get("/object/tus-client/a.bin", headers=SERVICE)
    assert (answer.content == CONTENT, answer.headers["content-type"]) == (True, "text/plain")
    assert list((storage.root / "uploads").glob("*[!n]")) == [], "the bytes are the object's alone"


def test_a_type_that_is_not_named_is_held_against_the_list(storage: Storage) -> None:
    """storage-api checks only a type that is given."""
    storage.bucket("tus-types", allowed_mime_types=["image/png"])
    headers = {**SERVICE, "tus-resumable": "1.0.0", "upload-length": "3", "upload-metadata": metadata("tus-types", "a")}
    assert storage.http.post("/upload/resumable", headers=headers).status_code == 415


@pytest.mark.parametrize(
    ("headers", "status", "text"),
    [
        ({"tus-resumable": ""}, 412, "Tus-Resumable Required\n"),
        ({"tus-resumable": "0.2"}, 400, "Invalid tus-resumable\n"),
        ({"upload-length": "007", "upload-defer-length": "2"}, 400, "Invalid upload-length upload-defer-length\n"),
        ({"x-forwarded-proto": "gopher"}, 400, "Invalid x-forwarded-proto\n"),
        ({"upload-concat": "other"}, 400, "Invalid upload-concat\n"),
        ({"upload-length": "1", "upload-concat": "partial"}, 501, "Concatenation extension is not (yet) supported."),
        ({"upload-length": "1"}, 400, "Metadata header is required"),
        ({"upload-length": "1", "upload-metadata": "bucketName x"}, 400, "Invalid upload-metadata\n"),
        ({"upload-length": "1", "upload-defer-length": "1"}, 400, "Upload-Length or Upload-Defer-Length header"),
    ],
)
def test_headers_that_begin_no_upload(storage: Storage, headers: dict[str, str], status: int, text: str) -> None:
    answer = storage.http.post("/upload/resumable", headers={**SERVICE, "tus-resumable": "1.0.0", **headers})
    assert (answer.status_code, answer.text.startswith(text)) == (status, True), answer.text


@pytest.mark.parametrize(
    ("named", "status", "text"),
    [
        (None, 404, "The file for this url was not found\n"),
        ("b", 400, "Invalid upload id"),
        ("b/v", 400, "Invalid key: "),
        ("b/k/", 400, "Version not provided"),
        ("b/k/11111111-1111-4111-8111-111111111111", 404, "The file for this url was not found\n"),
    ],
)
def test_addresses_of_no_upload(storage: Storage, named: str | None, status: int, text: str) -> None:
    segment = "resumable" if named is None else base64.urlsafe_b64encode(named.encode()).decode().rstrip("=")
    answer = patch(storage.http, f"/upload/resumable/{segment}", 0, b"x")
    assert (answer.status_code, answer.text) == (status, text)


def test_a_complete_upload_takes_nothing_more_and_goes_with_its_object(storage: Storage) -> None:
    storage.bucket("tus-complete")
    path = begin(storage.http, "tus-complete", "a", 3)
    assert patch(storage.http, path, 0, b"abc").status_code == 204
    assert patch(storage.http, path, 3, b"").text == "The resource already exists"
    again = {**SERVICE, "x-upsert": "true", "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream"}
    answers = [
        storage.http.patch(path, headers={**again, "upload-offset": offset}, content=content)
        for offset, content in (("1", b""), ("3", b""), ("3", b"x"))
    ]
    assert [answer.status_code for answer in answers] == [409, 204, 413]
    assert answers[1].headers["tus-complete"] == "1"
    assert offset_of(storage.http, path) == 3
    storage.http.delete("/object/tus-complete/a", headers=SERVICE)
    assert storage.http.head(path, headers={**SERVICE, "tus-resumable": "1.0.0"}).status_code == 410


def test_an_upload_ends_with_its_time(storage: Storage, make_storage: Callable[..., Storage], tmp_path: Path) -> None:
    storage.bucket("tus-expires")
    earlier = tmp_path / "uploads" / "earlier.json"
    earlier.parent.mkdir()
    earlier.write_text(json.dumps(asdict(UploadState("tus-expires", "b", "earlier", 3, 0, {}, expires_at=0))))
    brief = make_storage(tmp_path, TUS_URL_EXPIRY_MS="1")
    # The service removes what has ended at its start and then each hour: not the next one, once this one is gone.
    eventually(lambda: not earlier.exists())
    path = begin(brief.http, "tus-expires", "a", 3)
    assert patch(brief.http, path, 0, b"abc").status_code == 410


@contextmanager
def process(database: Database, root: Path, port: int, **more: str) -> Iterator[Started]:
    """The service as a process of its own."""
    env = {
        **os.environ, "DATABASE_URL": database.url("supabase_storage_admin"), "AUTH_JWT_SECRET": SECRET,
        "STORAGE_FILE_BACKEND_PATH": str(root), "FILE_SIZE_LIMIT": "100000000", "SERVER_HOST": "127.0.0.1",
        "SERVER_PORT": str(port), "STORAGE_MIGRATE": "false", **more,
    }  # fmt: skip
    with open(os.devnull, "wb") as nothing:
        made = start("emulator.storage", env=env, stderr=nothing.fileno())
    try:
        deadline = time.monotonic() + PATIENCE_S
        while not _answers(port):
            assert made.poll() is None, "the service ended"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield made
    finally:
        made.kill()
        made.wait()


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/status").status_code == 200
    except httpx.TransportError:
        return False


@pytest.mark.slow
def test_a_kill_loses_nothing_and_leaves_nothing(module_database: Database, tmp_path: Path, storage: Storage) -> None:
    storage.bucket("killed")
    port, root = free_port(), tmp_path / "files"
    url = f"http://127.0.0.1:{port}"
    with process(module_database, root, port) as first, httpx.Client(base_url=url) as http:
        path = begin(http, "killed", "resumed", len(CONTENT))
        assert patch(http, path, 0, CONTENT[:100_000]).status_code == 204
        assert http.post("/object/killed/whole", content=CONTENT, headers=SERVICE).status_code == 200

        def endless() -> Iterator[bytes]:
            yield CONTENT
            first.send_signal(signal.SIGKILL)
            yield CONTENT

        with pytest.raises(httpx.TransportError):
            http.post("/object/killed/torn", content=endless(), headers=SERVICE)
        first.wait()
    orphan = root / "objects" / "ab" / "ab0d2f4e-0000-4000-8000-000000000000"
    orphan.parent.mkdir(exist_ok=True)
    orphan.write_bytes(b"renamed, and killed before its row")
    parts = root / "multipart" / "ab0d2f4e-0000-4000-8000-000000000001"
    parts.mkdir()
    stateless = root / "uploads" / "ab0d2f4e-0000-4000-8000-000000000002"
    stateless.touch()
    with process(module_database, root, port), httpx.Client(base_url=url) as http:
        assert offset_of(http, path) == 100_000
        assert patch(http, path, 100_000, CONTENT[100_000:]).headers["tus-complete"] == "1"
        assert http.get("/object/killed/resumed", headers=SERVICE).content == CONTENT
        assert http.get("/object/killed/whole", headers=SERVICE).content == CONTENT
        assert http.get("/object/killed/torn", headers=SERVICE).status_code == 400
        deadline = time.monotonic() + PATIENCE_S
        while orphan.exists() or parts.exists() or stateless.exists():
            assert time.monotonic() < deadline, "the collector never came"
            time.sleep(0.02)
        named = {row[0] for row in storage.sql("select version from storage.objects where bucket_id = 'killed'")}
        assert {file.name for file in (root / "objects").glob("*/*")} == named
    assert [json.loads(state.read_text())["is_finished"] for state in (root / "uploads").glob("*.json")] == [True]


@pytest.mark.slow
def test_kills_during_uploads_of_every_kind(module_database: Database, tmp_path: Path, storage: Storage) -> None:
    """`bench storage --kills 200` is the long form."""
    storage.bucket(storage_kills.BUCKET)
    port, root, clients = free_port(), tmp_path / "files", []
    keys = {
        "S3_PROTOCOL_ACCESS_KEY_ID": storage_kills.KEY_ID,
        "S3_PROTOCOL_ACCESS_KEY_SECRET": storage_kills.KEY_SECRET,
    }
    for number in range(2):
        with process(module_database, root, port, **keys) as running:
            clients += storage_kills.upload_until(port, SERVICE["Authorization"], number, running.kill)
            running.wait()
    for state in (root / "uploads").glob("*.json"):  # nobody goes on with them
        state.write_text(json.dumps({**json.loads(state.read_text()), "expires_at": 0}))
    with process(module_database, root, port):
        outcome = storage_kills.compare(module_database.dsn(), root, clients)
    assert (outcome.lost, outcome.left) == (0, 0)


def test_a_limit_of_nothing_permits_nothing(storage: Storage) -> None:
    """storage-api takes 0 for no limit here."""
    storage.bucket("tus-empty", file_size_limit=0)
    path = begin(storage.http, "tus-empty", "nothing", 0)
    assert offset_of(storage.http, path) == 0
    said = {"tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": metadata("tus-empty", "something")}
    assert storage.http.post("/upload/resumable", headers={**SERVICE, **said}).status_code == 413
