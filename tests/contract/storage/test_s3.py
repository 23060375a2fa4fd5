"""The official Python SDK of AWS against the S3 protocol, as the service and as a member."""

import io
from collections.abc import Iterator
from typing import Any

import boto3
import httpx
import pytest
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.credentials import Credentials
from botocore.exceptions import ClientError

from tests.contract.storage.conftest import AS_ADA, KEY_ID, KEY_SECRET, Storage


@pytest.fixture(scope="module")
def s3(storage: Storage) -> Iterator[Any]:
    """A client with the installation's key pair."""
    made = _client(storage, KEY_ID, KEY_SECRET)
    yield made
    made.close()


def _client(storage: Storage, key: str, secret: str, token: str | None = None) -> Any:
    return boto3.client(
        "s3",
        endpoint_url=f"{storage.url}/s3",
        region_name="local",
        aws_access_key_id=key,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}),
    )


def test_objects(s3: Any) -> None:
    s3.create_bucket(Bucket="s3-objects")
    s3.put_object(Bucket="s3-objects", Key="a b/c.txt", Body=b"hello", ContentType="text/plain", Metadata={"k": "v"})
    found = s3.get_object(Bucket="s3-objects", Key="a b/c.txt")
    assert (found["Body"].read(), found["ContentType"], found["Metadata"]) == (b"hello", "text/plain", {"k": "v"})
    assert s3.get_object(Bucket="s3-objects", Key="a b/c.txt", Range="bytes=1-2")["Body"].read() == b"el"
    assert s3.head_object(Bucket="s3-objects", Key="a b/c.txt")["ContentLength"] == 5
    s3.copy_object(Bucket="s3-objects", Key="d", CopySource={"Bucket": "s3-objects", "Key": "a b/c.txt"})
    listed = s3.list_objects_v2(Bucket="s3-objects", Delimiter="/")
    assert [item["Key"] for item in listed["Contents"]] == ["d"]
    assert [item["Prefix"] for item in listed["CommonPrefixes"]] == ["a b/"]
    deleted = s3.delete_objects(
        Bucket="s3-objects", Delete={"Objects": [{"Key": "d"}, {"Key": "a b/c.txt"}, {"Key": "none"}]}
    )
    assert len(deleted["Deleted"]) == 3
    s3.delete_bucket(Bucket="s3-objects")


def test_parts(s3: Any, storage: Storage) -> None:
    s3.create_bucket(Bucket="s3-parts")
    key = {"Bucket": "s3-parts", "Key": "big"}
    upload_id = s3.create_multipart_upload(**key, ContentType="text/css")["UploadId"]
    parts = [
        {"PartNumber": number, "ETag": s3.upload_part(**key, UploadId=upload_id, PartNumber=number, Body=body)["ETag"]}
        for number, body in ((1, b"one-"), (2, b"lost"), (3, b"three"))
    ]
    assert len(s3.list_parts(**key, UploadId=upload_id)["Parts"]) == 3
    done = s3.complete_multipart_upload(**key, UploadId=upload_id, MultipartUpload={"Parts": [parts[0], parts[2]]})
    assert done["Key"] == "big"
    assert s3.get_object(**key)["Body"].read() == b"one-three"
    aborted = s3.create_multipart_upload(Bucket="s3-parts", Key="gone")["UploadId"]
    s3.abort_multipart_upload(Bucket="s3-parts", Key="gone", UploadId=aborted)
    assert "Uploads" not in s3.list_multipart_uploads(Bucket="s3-parts")
    assert list((storage.root / "multipart").iterdir()) == []
    s3.upload_fileobj(io.BytesIO(b"z" * 300_000), "s3-parts", "streamed")
    assert s3.head_object(Bucket="s3-parts", Key="streamed")["ContentLength"] == 300_000


def test_presigned_urls_and_forms(s3: Any) -> None:
    s3.create_bucket(Bucket="s3-urls")
    put = s3.generate_presigned_url("put_object", Params={"Bucket": "s3-urls", "Key": "u"}, ExpiresIn=60)
    assert httpx.put(put, content=b"signed").status_code == 200
    get = s3.generate_presigned_url("get_object", Params={"Bucket": "s3-urls", "Key": "u"}, ExpiresIn=60)
    assert httpx.get(get).content == b"signed"
    assert httpx.get(get.replace("/u?", "/v?")).status_code == 403
    form = s3.generate_presigned_post(
        "s3-urls", "f/${filename}", Conditions=[["starts-with", "$key", "f/"], ["content-length-range", 1, 5]]
    )
    fields = {**form["fields"], "key": "f/a"}

    def send(fields: dict[str, str], content: bytes) -> int:
        return httpx.post(form["url"], data=fields, files={"file": content}).status_code

    assert send(fields, b"12345") == 200
    assert send(fields, b"123456") == 413
    assert send(fields, b"") == 400
    assert send({**fields, "key": "other"}, b"1") == 403
    assert send({**fields, "x-amz-meta-k": "uncovered"}, b"1") == 403


def test_an_access_list_does_not_overwrite_the_object(s3: Any) -> None:
    s3.create_bucket(Bucket="s3-acl")
    s3.put_object(Bucket="s3-acl", Key="a", Body=b"kept")
    with pytest.raises(ClientError):
        s3.put_object_tagging(Bucket="s3-acl", Key="a", Tagging={"TagSet": [{"Key": "k", "Value": "v"}]})
    with pytest.raises(ClientError):
        s3.put_object_acl(Bucket="s3-acl", Key="a", ACL="public-read")
    assert s3.get_object(Bucket="s3-acl", Key="a")["Body"].read() == b"kept"


def test_a_session_sees_what_its_member_may(s3: Any, storage: Storage) -> None:
    s3.create_bucket(Bucket="s3-session")
    s3.put_object(Bucket="s3-session", Key="a", Body=b"x")
    anon_key = storage.app.service.settings.anon_key
    member = _client(storage, "stub", anon_key, AS_ADA["Authorization"].removeprefix("Bearer "))
    assert member.list_buckets()["Buckets"] == []
    assert httpx.get(
        member.generate_presigned_url("get_object", Params={"Bucket": "s3-session", "Key": "a"})
    ).status_code == 404  # fmt: skip
    storage.sql("create policy \"see\" on storage.objects for select to authenticated using (bucket_id = 's3-session')")
    assert member.get_object(Bucket="s3-session", Key="a")["Body"].read() == b"x"
    with pytest.raises(ClientError):
        member.put_object(Bucket="s3-session", Key="b", Body=b"x")
    member.close()


def test_a_part_belongs_to_its_upload_and_bucket(s3: Any, storage: Storage) -> None:
    storage.bucket("s3-bounded", file_size_limit=4)
    upload_id = s3.create_multipart_upload(Bucket="s3-bounded", Key="a")["UploadId"]
    part = {"Bucket": "s3-bounded", "UploadId": upload_id}
    assert _status(s3, **part, Key="b", PartNumber=1, Body=b"x") == 404
    assert _status(s3, **part, Key="a", PartNumber=1, Body=b"12345") == 413
    assert _status(s3, **part, Key="a", PartNumber=1, Body=b"1234") == 200
    assert _status(s3, **part, Key="a", PartNumber=2, Body=b"5") == 413
    assert _status(s3, **part, Key="a", PartNumber=10_001, Body=b"") == 400
    storage.bucket("s3-empty", file_size_limit=0)
    with pytest.raises(ClientError):
        s3.put_object(Bucket="s3-empty", Key="a", Body=b"x")
    s3.put_object(Bucket="s3-empty", Key="a", Body=b"")


def _signed(storage: Storage, method: str, path: str, content: bytes = b"", **headers: str) -> httpx.Response:
    """A request as another client than AWS's makes it: with no more headers than these."""
    request = AWSRequest(method, f"{storage.url}/s3{path}", headers, content)
    S3SigV4Auth(Credentials(KEY_ID, KEY_SECRET), "s3", "local").add_auth(request)
    return httpx.request(method, request.url, headers=dict(request.headers.items()), content=content)


def test_for_other_clients_than_the_sdks_it_reads_as_the_original_does(s3: Any, storage: Storage) -> None:
    s3.create_bucket(Bucket="s3-plain")
    s3.put_object(Bucket="s3-plain", Key="a b", Body=b"x")
    document = b"<Delete><Object><Key>a b</Key></Object></Delete>"
    refused = _signed(storage, "POST", "/s3-plain?delete", document)
    assert (refused.status_code, "must have required property 'Body'" in refused.text) == (400, True)
    copied = {"a%20b": 404, "a b": 200}
    for source, status in copied.items():
        headers = {"x-amz-copy-source": f"s3-plain/{source}"}
        assert _signed(storage, "PUT", "/s3-plain/c", b"", **headers).status_code == status
    deleted = _signed(storage, "POST", "/s3-plain?delete", document, **{"content-type": "text/xml"})
    assert "<Deleted><Key>a b</Key></Deleted>" in deleted.text


@pytest.mark.parametrize(
    ("method", "path", "headers", "message"),
    [
        ("GET", "?list-type=2&encoding-type=x", {}, "Querystring, encoding-type must be equal to one of the allowed"),
        ("GET", "?max-keys=-1", {}, "Querystring, max-keys must be &gt;= 0"),
        ("GET", "?uploads&max-uploads=1001", {}, "Querystring, max-uploads must be &lt;= 1000"),
        ("GET", "/a?uploadId=", {}, "Missing Required Parameter UploadId"),
        ("GET", "/a?response-expires=never", {}, "Invalid Parameter response-expires"),
        ("PUT", "/a?uploadId=&partNumber=1", {}, "Invalid upload id"),
        ("PUT", "/a?uploadId=x&partNumber=10001", {}, "Querystring, partNumber must be &lt;= 10000"),
        ("PUT", "/a", {"x-amz-copy-source": "/"}, "Bucket name invalid"),
        ("PUT", "/a?uploadId=x&partNumber=1", {"x-amz-copy-source": "/"}, "Bucket not found"),
        ("PUT", "/a", {"content-type": "multipart/form-data; boundary=b"}, "Multipart form data not supported"),
    ],
)
def test_what_does_not_fit_the_operation(
    s3_rules: Storage, method: str, path: str, headers: dict[str, str], message: str
) -> None:
    answer = _signed(s3_rules, method, f"/s3-rules{path}", b"", **headers)
    assert (answer.status_code < 500, message in answer.text) == (True, True), answer.text


@pytest.mark.parametrize(
    ("path", "document", "message"),
    [
        ("?delete", "<Delete><Object><VersionId>x</VersionId></Object></Delete>", "Object, 0 must have required prop"),
        ("?delete", "<Delete><Object/></Delete>", "Body, Delete, Object, 0 must be object"),
        ("/a?uploadId=x", "<CompleteMultipartUpload/>", "Body, CompleteMultipartUpload must be object"),
        (
            "/a?uploadId=x",
            "<CompleteMultipartUpload><Part><PartNumber>x</PartNumber><ETag/></Part></CompleteMultipartUpload>",
            "Body, CompleteMultipartUpload, Part, 0, PartNumber must be integer",
        ),
        (
            "/a?uploadId=x",
            "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber></Part></CompleteMultipartUpload>",
            "Part, 0 must have required property &apos;ETag&apos;",
        ),
    ],
)
def test_documents_that_do_not_fit(s3_rules: Storage, path: str, document: str, message: str) -> None:
    headers = {"content-type": "application/xml"}
    answer = _signed(s3_rules, "POST", f"/s3-rules{path}", document.encode(), **headers)
    assert (answer.status_code, message.replace("&apos;", "'") in answer.text) == (400, True), answer.text


@pytest.fixture(scope="module")
def s3_rules(storage: Storage) -> Storage:
    """A bucket with an object `a`."""
    storage.bucket("s3-rules")
    storage.upload("s3-rules/a")
    return storage


def test_a_part_that_was_replaced_is_no_part_any_more(s3: Any, s3_rules: Storage) -> None:
    part = {"Bucket": "s3-rules", "Key": "big"}
    part["UploadId"] = s3.create_multipart_upload(**part)["UploadId"]
    first, second = (s3.upload_part(**part, PartNumber=1, Body=body)["ETag"] for body in (b"one", b"two"))

    def complete(number: int, etag: str) -> str:
        document = (
            f"<CompleteMultipartUpload><Part><PartNumber>{number}</PartNumber><ETag>{etag}</ETag></Part>"
            "</CompleteMultipartUpload>"
        )
        path = f"/s3-rules/big?uploadId={part['UploadId']}"
        return _signed(s3_rules, "POST", path, document.encode(), **{"content-type": "text/xml"}).text

    assert "<Code>InvalidChecksum</Code><Message>Invalid ETag for part 1<" in complete(1, first)
    assert "<Code>MissingPart</Code>" in complete(2, second)
    assert "<Key>big</Key>" in complete(1, second)
    assert s3.get_object(Bucket="s3-rules", Key="big")["Body"].read() == b"two"


@pytest.mark.usefixtures("s3_rules")
def test_a_copy_with_other_metadata_keeps_none_of_the_source(s3: Any) -> None:
    source = {"Bucket": "s3-rules", "Key": "a"}
    s3.copy_object(Bucket="s3-rules", Key="bare", CopySource=source, MetadataDirective="REPLACE")
    found = s3.get_object(Bucket="s3-rules", Key="bare")
    assert (found["ContentType"], found["CacheControl"]) == ("application/octet-stream", "no-cache")


def test_names_of_uploads_are_encoded_where_that_is_asked_for(s3: Any, s3_rules: Storage) -> None:
    for key in ("u/a b", "u/c d/e"):
        s3.create_multipart_upload(Bucket="s3-rules", Key=key)
    path = "/s3-rules?uploads&prefix=u%2F&delimiter=%2F&encoding-type=url"
    listed = _signed(s3_rules, "GET", path).text
    assert "<Key>u%2Fa%20b</Key>" in listed
    assert "<Prefix>u%2Fc%20d%2F</Prefix>" in listed


def _status(s3: Any, **part: Any) -> int:
    try:
        return int(s3.upload_part(**part)["ResponseMetadata"]["HTTPStatusCode"])
    except ClientError as error:
        return int(error.response["ResponseMetadata"]["HTTPStatusCode"])
