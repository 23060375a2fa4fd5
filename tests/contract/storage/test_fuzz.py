"""Generated requests to every route of storage: none ends with an undocumented 500, and none leaves half a file."""

import asyncio
import base64
import hashlib
import random
from collections import Counter
from collections.abc import Iterator, Sequence

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from bench.attack_fuzz import ODD, SEED, VALUES, answer
from emulator.storage.routes import ROUTES, s3_routes
from tests.contract.storage.conftest import ANON, AS_ADA, KEY_ID, KEY_SECRET, SERVICE, Storage
from tests.support.patience import eventually

COUNT = 3000
AT_ONCE = 4
DOCUMENTED = {501, 503, 507}
NAMES = (
    "name", "id", "public", "file_size_limit", "allowed_mime_types", "bucketId", "sourceKey", "destinationKey",
    "destinationBucket", "prefixes", "prefix", "limit", "offset", "sortBy", "search", "cursor", "with_delimiter",
    "expiresIn", "paths", "transform", "width", "copyMetadata", "metadata", "upsert",
)  # fmt: skip
OWN_VALUES = (
    '"fuzz"', '"a.txt"', '"../x"', '["a.txt","b"]', '["image/*"]', '{"column":"name","order":"asc"}',
    '{"column":"x;","order":1}', '{"width":-1}', '"5MB"', '"1e9GB"', '["\\u0000"]', "60", "0.5",
)  # fmt: skip
PARAMETERS = (
    "width=10", "width=x", "height=99999", "resize=none", "quality=0", "format=origin", "download", "download=%0d%0a",
    "download=a&download=b", "token=x", "token=a.b.c", "uploads", "uploads=", "partNumber=1", "partNumber=x",
    "partNumber=99999", "list-type=2", "list-type=9", "max-keys=0", "max-keys=-1", "max-keys=x", "max-uploads=x",
    "continuation-token=x", "continuation-token=%FF", "encoding-type=url", "encoding-type=x", "delimiter=/",
    "start-after=%00", "prefix=%ff", "delete", "acl", "tagging", "versioning", "location", "policy", "x-id=PutObject",
    "versionId=x", "X-Amz-Algorithm=AWS4-HMAC-SHA256", "X-Amz-Signature=x", "X-Amz-Expires=x", "key-marker=x",
)  # fmt: skip
HEADERS = (
    ("Range", ("bytes=0-", "bytes=-0", "bytes=5-1", "bytes=0-0,2-3", "bytes=99999999999999999999-", "x")),
    ("If-None-Match", ('"x"', "*", "\xff")),
    ("If-Modified-Since", ("Thu, 01 Jan 1970 00:00:00 GMT", "x", "Thu, 99 Foo 99999 00:00:00 GMT")),
    ("x-upsert", ("true", "x")),
    ("cache-control", ("max-age=1", "\xff", "x" * 3000)),
    ("x-metadata", ("e30=", "bnVsbA==", "x", "//8=", "W10=")),
    ("x-robots-tag", ("none", "x: y", "\xff")),
    ("Content-Encoding", ("gzip", "aws-chunked")),
    ("Content-MD5", ("x", "1B2M2Y8AsgTpgAmY7PhCfg==")),
    ("Tus-Resumable", ("1.0.0", "2.0", "x")),
    ("Upload-Length", ("10", "0", "-1", "1e3", "9" * 40, "x")),
    ("Upload-Defer-Length", ("1", "2")),
    ("Upload-Offset", ("0", "5", "-1", "9" * 40, "x")),
    ("Upload-Concat", ("partial", "final;/x", "x")),
    ("Upload-Metadata", (
        "", "bucketName ZnV6eg==,objectName YQ==", "bucketName ZnV6eg==,objectName Li4vLi4veA==", "bucketName !",
        "bucketName ZnV6eg==,objectName AAA=", "objectName YQ==", ",,", "bucketName ZnV6eg==,objectName /w==",
        "bucketName ZnV6eg==,objectName YQ==,metadata eA==,contentType AA==,cacheControl //8=",
    )),
    ("x-amz-copy-source", ("/fuzz/a.txt", "fuzz/none", "%", "fuzz", "/fuzz/%00", "none/../fuzz/a.txt")),
    ("x-amz-copy-source-range", ("bytes=0-1", "bytes=9-", "x")),
    ("x-amz-metadata-directive", ("COPY", "REPLACE", "x")),
    ("x-amz-decoded-content-length", ("5", "-1", "x")),
    ("x-amz-acl", ("public-read", "x")),
    ("x-amz-meta-a", ("b", "\xe9")),
    ("x-forwarded-host", ("x.test", "a b", "\xff")),
)  # fmt: skip
CONTENT_TYPES = (
    "application/json", "multipart/form-data; boundary=x", "multipart/form-data", "text/plain", "image/png",
    "application/xml", "application/offset+octet-stream", "x", "text/html; charset=\xff", "a/b" * 200,
)  # fmt: skip
XML = (
    "<Delete><Object><Key>a.txt</Key></Object></Delete>", "<Delete/>", "<Delete><Object/></Delete>",
    "<Delete><Quiet>x</Quiet><Object><Key>&#0;</Key></Object></Delete>",
    "<Delete>" + "<Object><Key>x</Key></Object>" * 1001,
    '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;">]><Delete><Object><Key>&d;</Key></Object></Delete>',
    '<?xml version="1.0" encoding="UTF-7"?><Delete/>', "<a" * 5000, "<a>" * 5000,
    "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part></CompleteMultipartUpload>",
    "<CompleteMultipartUpload><Part><PartNumber>1e9</PartNumber></Part><Part/></CompleteMultipartUpload>",
    "<CompleteMultipartUpload/>", "<CreateBucketConfiguration><LocationConstraint>x</LocationConstraint>", "<\xff>",
)  # fmt: skip
PARTS = (
    'Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: text/plain\r\n\r\nhello',
    'Content-Disposition: form-data; name="cacheControl"\r\n\r\n3600',
    'Content-Disposition: form-data; name="metadata"\r\n\r\n{"a":',
    'Content-Disposition: form-data; name="metadata"\r\n\r\n[1]',
    'Content-Disposition: form-data; name=""\r\nContent-Type: \xff\r\n\r\n\x00',
    "Content-Disposition: x\r\n\r\nx", "no colon\r\n\r\nx", "A: b\r\n" * 200 + "\r\nx", "\r\n\r\n",
)  # fmt: skip


def requests(port: int, ids: Sequence[str], count: int, seed: int = SEED) -> Iterator[tuple[bytes, bool]]:
    """Requests as bytes: every route in turn, its names, query, headers and body drawn; whether it breaks off.

    `ids`: of uploads that run.
    """
    draw = random.Random(seed)
    routes = (*ROUTES, *s3_routes())
    for number in range(count):
        route = routes[number % len(routes)]
        path = _path(draw, route.path, ids)
        query = "&".join(draw.choice((*PARAMETERS, f"uploadId={ids[0]}")) for _ in range(draw.choice((0, 0, 1, 2, 3))))
        headers = {name: draw.choice(values) for name, values in draw.sample(HEADERS, draw.choice((0, 1, 2, 4, 8)))}
        body = b"" if route.method in ("GET", "HEAD", "OPTIONS") else _body(draw, headers)
        target = path + (f"?{query}" if query else "")
        if route.path.startswith("/s3") and draw.random() < 0.9:
            headers |= _signed(route.method, port, path, query, headers, body)
        elif draw.random() < 0.95:
            headers |= draw.choice((SERVICE, SERVICE, AS_ADA, ANON, {"Authorization": "Bearer x"}))
        headers |= {"Host": f"127.0.0.1:{port}", "Connection": "close"}
        breaks_off = body != b"" and draw.random() < 0.05
        if body and draw.random() < 0.1:
            headers["Transfer-Encoding"] = "chunked"
            whole = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
            body = whole[:-5] if breaks_off else draw.choice((whole, whole, b"zz\r\nx"))
        elif body or draw.random() < 0.5:
            headers["Content-Length"] = str(len(body) + 3 * breaks_off)
        head = [f"{route.method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
        yield "\r\n".join(head).encode("latin-1", "replace") + body, breaks_off


def _path(draw: random.Random, template: str, ids: Sequence[str]) -> str:
    bucket = draw.choice(("fuzz", "fuzz", "fuzz", "none", f"b{draw.randrange(4)}", *ODD))
    key = draw.choice(("a.txt", "b/c", f"k{draw.randrange(8)}", "a.txt", *ODD))
    return template.replace("{bucket}", bucket).replace("{key...}", key).replace("{id...}", draw.choice((*ids, *ODD)))


def _body(draw: random.Random, headers: dict[str, str]) -> bytes:
    """A body, mostly of the type that the headers say."""
    kind = draw.choice(CONTENT_TYPES)
    if draw.random() < 0.9:
        headers["Content-Type"] = kind
    if draw.random() < 0.1:
        return draw.randbytes(draw.choice((0, 1, 5, 3000)))
    if "json" in kind:
        pairs = [(draw.choice(NAMES), draw.choice((*VALUES, *OWN_VALUES))) for _ in range(draw.choice((0, 1, 2, 4)))]
        text = "{" + ",".join(f'"{name}":{value}' for name, value in pairs) + "}"
        return draw.choice((text, text, text, text[:-1], f"[{text}]")).encode("utf-8", "surrogatepass")
    if "multipart" in kind:
        parts = "".join(f"--x\r\n{draw.choice(PARTS)}\r\n" for _ in range(draw.choice((0, 1, 2, 3))))
        return (parts + draw.choice(("--x--\r\n", "--x--\r\n", "", "--x"))).encode("latin-1")
    if "xml" in kind or draw.random() < 0.3:
        return draw.choice(XML).encode("latin-1")
    return b"hello"


def _signed(method: str, port: int, path: str, query: str, headers: dict[str, str], body: bytes) -> dict[str, str]:
    """The headers of a signature that holds, for what the client library can sign."""
    asked = AWSRequest(method, f"http://127.0.0.1:{port}{path}" + (f"?{query}" if query else ""), data=body)
    asked.headers["x-amz-content-sha256"] = hashlib.sha256(body).hexdigest()
    for name, value in headers.items():
        if name.startswith("x-amz-"):
            asked.headers[name] = value
    S3SigV4Auth(Credentials(KEY_ID, KEY_SECRET), "s3", "local").add_auth(asked)
    return {str(name): str(value) for name, value in asked.headers.items()}


async def _send(port: int, ids: Sequence[str]) -> tuple[Counter[int], list[str]]:
    statuses: Counter[int] = Counter()
    undocumented = []
    queue = requests(port, ids, COUNT)

    async def one() -> None:
        for request, breaks_off in queue:
            status = await answer(port, request, breaks_off=breaks_off)
            statuses[status] += 1
            if status == 0 or (status >= 500 and status not in DOCUMENTED):
                undocumented.append(f"{status}: {request[:1500]!r}")

    await asyncio.gather(*(one() for _ in range(AT_ONCE)))
    return statuses, undocumented


def test_generated_requests_end_as_documented_and_leave_nothing_behind(storage: Storage) -> None:
    storage.bucket("fuzz", public=True)
    storage.upload("fuzz/a.txt")
    begun = storage.http.post(
        "/upload/resumable",
        headers={**SERVICE, "tus-resumable": "1.0.0", "upload-length": "10",
                 "upload-metadata": "bucketName ZnV6eg==,objectName dHVz"},
    )  # fmt: skip
    statuses, undocumented = asyncio.run(_send(storage.port, [begun.headers["location"].rsplit("/", 1)[1], "x"]))
    assert undocumented == []
    assert statuses.total() == COUNT
    assert {200, 204, 400, 403, 404, 412} <= set(statuses), "requests of many kinds were answered in many ways"
    eventually(lambda: storage.files() == storage.versions())
    eventually(lambda: not list(storage.root.glob("writing/*/*-*")))
    assert storage.http.get("/object/public/none/x").status_code == 400


def test_a_nul_in_metadata_is_refused(storage: Storage) -> None:
    """JSON and base64 can carry one, PostgreSQL can't."""
    storage.bucket("nul")
    metadata = base64.b64encode(b'{"a": "\\u0000"}').decode()
    written = storage.http.post("/object/nul/a", content=b"x", headers={**SERVICE, "x-metadata": metadata})
    begun = storage.http.post(
        "/upload/resumable",
        headers={**SERVICE, "tus-resumable": "1.0.0", "upload-length": "1",
                 "upload-metadata": "bucketName bnVs,objectName Yg==,contentType AA=="},
    )  # fmt: skip
    assert (written.status_code, begun.status_code) == (400, 400)
    assert storage.sql("select name from storage.objects where bucket_id = 'nul'") == []
    eventually(lambda: storage.files() == storage.versions())
