"""The official Python client, every method of it."""

from collections.abc import Iterator

import httpx
import pytest
from storage3 import SyncStorageClient
from storage3.exceptions import StorageApiError

from tests.contract.storage.conftest import SERVICE, Storage


@pytest.fixture(scope="module")
def client(storage: Storage) -> Iterator[SyncStorageClient]:
    """A client as the service."""
    with httpx.Client() as http:
        yield SyncStorageClient(f"{storage.url}/", dict(SERVICE), http_client=http)


def test_buckets(client: SyncStorageClient) -> None:
    client.create_bucket("avatars", options={"public": True, "file_size_limit": 1000, "allowed_mime_types": ["text/*"]})
    found = client.get_bucket("avatars")
    assert (found.public, found.file_size_limit, found.allowed_mime_types) == (True, 1000, ["text/*"])
    client.update_bucket("avatars", {"public": False})
    assert "avatars" in [bucket.id for bucket in client.list_buckets()]
    client.empty_bucket("avatars")
    client.delete_bucket("avatars")
    with pytest.raises(StorageApiError, match="Bucket not found"):
        client.get_bucket("avatars")


def test_objects(client: SyncStorageClient) -> None:
    client.create_bucket("files")
    files = client.from_("files")
    files.upload("dir/a.txt", b"one", {"content-type": "text/plain", "cache-control": "60", "metadata": {"k": "v"}})
    with pytest.raises(StorageApiError, match="already exists"):
        files.upload("dir/a.txt", b"two")
    files.update("dir/a.txt", b"two", {"content-type": "text/plain"})
    assert files.download("dir/a.txt") == b"two"
    assert files.exists("dir/a.txt")
    assert files.info("dir/a.txt")["name"] == "dir/a.txt"
    files.move("dir/a.txt", "dir/b.txt")
    files.copy("dir/b.txt", "c.txt")
    assert [item["name"] for item in files.list()] == ["c.txt", "dir"]
    assert [item["name"] for item in files.list("dir", {"search": "b"})] == ["b.txt"]
    page = files.list_v2({"with_delimiter": True, "limit": 1})
    assert ([item.name for item in page.objects], page.hasNext) == (["c.txt"], True)
    rest = files.list_v2({"with_delimiter": True, "cursor": str(page.nextCursor)})
    assert [item.name for item in rest.folders] == ["dir/"]
    client.update_bucket("files", {"public": True})
    assert httpx.get(files.get_public_url("c.txt")).content == b"two"
    url = files.create_signed_url("c.txt", 60, {"download": True})["signedURL"]
    assert url is not None
    answer = httpx.get(url)
    assert (answer.content, answer.headers["content-disposition"]) == (b"two", "attachment;")
    several = files.create_signed_urls(["c.txt", "none"], 60)
    assert [bool(item["error"]) for item in several] == [False, True]
    signed = files.create_signed_upload_url("up.txt")
    files.upload_to_signed_url(signed["path"], signed["token"], b"three")
    assert files.download("up.txt") == b"three"
    assert {item["name"] for item in files.remove(["up.txt", "dir/b.txt", "none"])} == {"up.txt", "dir/b.txt"}
    assert not files.exists("up.txt")
