"""Files in a bucket of an S3 endpoint (STORAGE_BACKEND=s3); the endpoint is another service of ours."""

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from emulator.settings import SettingsError
from emulator.storage.remote import files as remote_files
from tests.contract.storage.conftest import KEY_ID, KEY_SECRET, SERVICE, Storage, settings_of
from tests.contract.storage.test_images import picture
from tests.contract.storage.test_resumable import begin, patch
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

CONTENT = os.urandom(700_000)


def backed_by(endpoint: Storage) -> dict[str, str]:
    """The variables of a service whose files are in a bucket of another one."""
    return {
        "STORAGE_BACKEND": "s3",
        "STORAGE_S3_BUCKET": "endpoint",
        "STORAGE_S3_ENDPOINT": f"{endpoint.url}/s3",
        "AWS_ACCESS_KEY_ID": KEY_ID,
        "AWS_SECRET_ACCESS_KEY": KEY_SECRET,
        "TENANT_ID": "a tenant",
    }


@pytest.fixture(scope="module")
def remote(make_storage: Callable[..., Storage], storage: Storage) -> Storage:
    """A service whose files are in the bucket `endpoint` of the module's."""
    storage.bucket("endpoint")
    made = make_storage(**backed_by(storage))
    made.bucket("far", public=True)
    return made


def kept(storage: Storage) -> set[str]:
    """The names in the endpoint's bucket."""
    rows = storage.sql("select name from storage.objects where bucket_id = 'endpoint'")
    return {name.removeprefix("a tenant/") for (name,) in rows}


def version(storage: Storage, key: str) -> str:
    """The version of an object."""
    return str(storage.sql("select version from storage.objects where bucket_id = 'far' and name = %s", key)[0][0])


def test_objects_are_in_the_endpoint_alone(remote: Storage) -> None:
    assert remote.upload("far/a", CONTENT).status_code == 200
    assert version(remote, "a") in kept(remote)
    assert remote.files() == set()
    assert [path for path in (remote.root / "writing").glob("*/*") if path.name != "lock"] == []
    read = remote.http.get("/object/public/far/a")
    assert (read.content, read.headers["content-length"]) == (CONTENT, str(len(CONTENT)))
    part = remote.http.get("/object/public/far/a", headers={"range": "bytes=5-99999"})
    assert (part.status_code, part.content) == (206, CONTENT[5:100_000])
    assert remote.upload("far/empty", b"").status_code == 200
    assert remote.http.get("/object/public/far/empty").content == b""


def test_copies_moves_and_removals_reach_the_endpoint(remote: Storage) -> None:
    assert remote.upload("far/first", CONTENT).status_code == 200
    pair = {"bucketId": "far", "sourceKey": "first", "destinationKey": "second"}
    assert remote.http.post("/object/copy", json=pair, headers=SERVICE).status_code == 200
    moved = {"bucketId": "far", "sourceKey": "first", "destinationKey": "third"}
    assert remote.http.post("/object/move", json=moved, headers=SERVICE).status_code == 200
    assert remote.http.get("/object/public/far/second").content == CONTENT
    assert remote.http.get("/object/public/far/third").content == CONTENT
    gone = {version(remote, "second"), version(remote, "third")}
    assert gone <= kept(remote)
    prefixes = {"prefixes": ["second", "third"]}
    assert remote.http.request("DELETE", "/object/far", json=prefixes, headers=SERVICE).status_code == 200
    assert not gone & kept(remote)


def test_resumable_uploads_and_images_work(remote: Storage) -> None:
    path = begin(remote.http, "far", "resumed", len(CONTENT))
    assert patch(remote.http, path, 0, CONTENT[:300_000]).status_code == 204
    assert patch(remote.http, path, 300_000, CONTENT[300_000:]).headers["tus-complete"] == "1"
    assert remote.http.get("/object/public/far/resumed").content == CONTENT
    remote.upload("far/a.jpg", picture((400, 200)), **{"content-type": "image/jpeg"})
    made = remote.http.get("/render/image/public/far/a.jpg?width=100")
    assert (made.status_code, made.headers["content-type"]) == (200, "image/jpeg")
    assert [path for path in (remote.root / "writing").glob("*/*") if path.name != "lock"] == []


def test_what_no_row_names_is_collected(
    make_storage: Callable[..., Storage], remote: Storage, storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("stays", "lost"):
        assert remote.upload(f"far/{key}", CONTENT).status_code == 200
    stays, lost = version(remote, "stays"), version(remote, "lost")
    remote.sql(
        "begin; set local storage.allow_delete_query = 'true';"
        " delete from storage.objects where bucket_id = 'far' and name = 'lost'; commit"
    )
    monkeypatch.setattr(remote_files, "ROW_WITHIN_S", -60)  # the young ones, too
    make_storage(**backed_by(storage))
    deadline = time.monotonic() + PATIENCE_S
    while lost in kept(remote):
        assert time.monotonic() < deadline, "the collector never came"
        time.sleep(0.02)
    assert stays in kept(remote)


def test_an_endpoint_that_refuses_is_an_error_and_no_row(
    make_storage: Callable[..., Storage], remote: Storage, storage: Storage
) -> None:
    assert remote.upload("far/seen", CONTENT).status_code == 200
    broken = make_storage(**{**backed_by(storage), "AWS_SECRET_ACCESS_KEY": "wrong"})
    answer = broken.upload("far/never", CONTENT)
    assert (answer.status_code, answer.json()["code"]) == (500, "InternalError")
    assert broken.http.get("/object/public/far/seen").status_code == 500
    assert remote.sql("select 1 from storage.objects where name = 'never'") == []


def test_the_endpoint_must_be_named(module_database: Database, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="STORAGE_S3_BUCKET"):
        settings_of(module_database, tmp_path, STORAGE_BACKEND="s3")
