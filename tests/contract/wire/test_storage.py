"""Storage through the gateway of every backend: what it buffers, rewrites or signs must arrive as it was sent."""

import os
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from uuid import uuid4

import boto3
import httpx
import pytest
from botocore.config import Config
from tusclient.client import TusClient

from tests.support.wire import Backend

CONTENT = os.urandom(700_000)
PIECE = 256 * 1024


@pytest.fixture
def bucket(backend: Backend) -> Iterator[str]:
    """A private bucket; removed with what is in it."""
    name = f"wire-{uuid4().hex[:10]}"
    made = backend.ask("POST", "/storage/v1/bucket", "SECRET_KEY", json={"id": name, "name": name})
    assert made.status_code == 200, made.text
    yield name
    assert backend.ask("POST", f"/storage/v1/bucket/{name}/empty", "SECRET_KEY").status_code == 200
    assert backend.ask("DELETE", f"/storage/v1/bucket/{name}", "SECRET_KEY").status_code == 200


def test_what_is_uploaded_comes_back_whole_and_in_parts(backend: Backend, bucket: str) -> None:
    """Also in chunks without a length, and by a signed address, whose query and name must not be rewritten."""
    name = "a b/x+y&=(1).bin"
    path = f"/storage/v1/object/{bucket}/a%20b/x%2By%26%3D(1).bin"
    sent = backend.ask("POST", path, "SECRET_KEY", content=iter([CONTENT[:PIECE], CONTENT[PIECE:]]))
    assert (sent.status_code, sent.json()["Key"]) == (200, f"{bucket}/{name}")
    whole = backend.get(path, "SECRET_KEY")
    assert whole.content == CONTENT
    part = backend.get(path, "SECRET_KEY", headers={"Range": "bytes=699990-"})
    assert (part.status_code, part.content) == (206, CONTENT[699_990:])
    assert part.headers["content-range"] == "bytes 699990-699999/700000"
    again = backend.get(path, "SECRET_KEY", headers={"If-None-Match": whole.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    signed = backend.ask("POST", path.replace("/object/", "/object/sign/"), "SECRET_KEY", json={"expiresIn": 60})
    alone = httpx.get(f"{backend.url}/storage/v1{signed.json()['signedURL']}", timeout=30)
    assert (alone.status_code, alone.content) == (200, CONTENT)
    assert backend.get(path, "PUBLISHABLE_KEY").status_code == 400


def test_an_upload_is_continued(backend: Backend, bucket: str) -> None:
    """The gateway must name its own origin in Location, and pass PATCH and the protocol's headers."""
    key = backend.keys["SERVICE_ROLE_KEY"]
    client = TusClient(f"{backend.url}/storage/v1/upload/resumable", {"Authorization": f"Bearer {key}", "apikey": key})
    begun = client.uploader(
        file_stream=BytesIO(CONTENT), chunk_size=PIECE, metadata={"bucketName": bucket, "objectName": "tus.bin"}
    )
    begun.upload(stop_at=PIECE)
    assert begun.url is not None
    assert begun.url.startswith(f"{backend.url}/storage/v1/upload/resumable/")
    resumed = client.uploader(file_stream=BytesIO(CONTENT), chunk_size=PIECE, url=begun.url)
    assert resumed.offset == PIECE
    resumed.upload()
    assert backend.get(f"/storage/v1/object/{bucket}/tus.bin", "SECRET_KEY").content == CONTENT


def test_signatures_of_s3_hold(backend: Backend, bucket: str) -> None:
    """They cover the method, the path and the host as the client sent them, and every piece of a body in chunks."""
    member = backend.member("Signs Requests")
    s3: Any = boto3.client(
        "s3",
        endpoint_url=f"{backend.url}/storage/v1/s3",
        region_name="local",
        aws_access_key_id="stub",
        aws_secret_access_key=backend.keys["ANON_KEY"],
        aws_session_token=backend.keys["SERVICE_ROLE_KEY"],
        config=Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}),
    )
    try:
        s3.put_object(Bucket=bucket, Key="a b/x+&=.bin", Body=BytesIO(CONTENT))
        found = s3.get_object(Bucket=bucket, Key="a b/x+&=.bin", Range="bytes=5-9")
        assert (found["Body"].read(), found["ContentRange"]) == (CONTENT[5:10], "bytes 5-9/700000")
        listed = s3.list_objects_v2(Bucket=bucket, Prefix="a b/")
        assert [item["Key"] for item in listed["Contents"]] == ["a b/x+&=.bin"]
        address = s3.generate_presigned_url("get_object", Params={"Bucket": bucket, "Key": "a b/x+&=.bin"})
        assert httpx.get(address, timeout=30).content == CONTENT
        assert httpx.get(address[:-1] + ("0" if address[-1] != "0" else "1"), timeout=30).status_code == 403
        assert backend.get(f"/storage/v1/object/{bucket}/a%20b/x%2B%26%3D.bin", token=member.token).status_code == 400
    finally:
        s3.close()
