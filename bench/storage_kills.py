"""Kills the storage service while it takes uploads of every kind, and holds what is left against the database.

What a client was told to be there has to be there; what no row names has to go.
"""

import base64
import concurrent.futures
import hashlib
import http.client
import random
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

BUCKET = "kills"
KEY_ID, KEY_SECRET = "bench-key", "bench-secret"
WAIT_S = 30.0
SIZES = (100, 50_000, 3_000_000)
_BOUNDARY = "killed-boundary"


@dataclass
class Outcome:
    """`lost`: rows without their bytes, and uploads that were answered and have no row. `left`: bytes without a row."""

    answered: int = 0
    lost: int = 0
    left: int = 0


@dataclass
class Client:
    """Uploads of one kind to one key, again and again. `digests`: of everything that it sent there."""

    port: int
    key: str
    token: str
    digests: set[str] = field(default_factory=set)
    answered: int = 0

    def run(self, kind: Callable[["Client", bytes], None]) -> None:
        """Until the service is gone."""
        with suppress(OSError, http.client.HTTPException):
            while True:
                body = random.randbytes(random.choice(SIZES))
                self.digests.add(f'"{hashlib.md5(body, usedforsecurity=False).hexdigest()}"')
                kind(self, body)
                self.answered += 1

    def send(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[http.client.HTTPMessage, str]:
        """One request; headers and text of its answer. Raises HTTPException unless it succeeded."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode("utf-8", "replace")
            if answer.status >= 300:
                raise RuntimeError(f"{method} {path}: {answer.status} {text}")
            return answer.headers, text
        finally:
            connection.close()

    def send_signed(self, method: str, path: str, body: bytes, **headers: str) -> tuple[http.client.HTTPMessage, str]:
        """The same by the S3 protocol."""
        request = AWSRequest(method, f"http://127.0.0.1:{self.port}/s3/{BUCKET}/{path}", headers, body)
        S3SigV4Auth(Credentials(KEY_ID, KEY_SECRET), "s3", "us-east-1").add_auth(request)
        return self.send(method, f"/s3/{BUCKET}/{path}", body, dict(request.headers.items()))


def _plain(client: Client, body: bytes) -> None:
    client.send("PUT", f"/object/{BUCKET}/{client.key}", body, {"authorization": client.token})


def _form(client: Client, body: bytes) -> None:
    head = f'--{_BOUNDARY}\r\nContent-Disposition: form-data; name=""; filename="f"\r\n\r\n'
    content = head.encode() + body + f"\r\n--{_BOUNDARY}--\r\n".encode()
    headers = {"authorization": client.token, "content-type": f"multipart/form-data; boundary={_BOUNDARY}"}
    client.send("PUT", f"/object/{BUCKET}/{client.key}", content, headers)


def _resumable(client: Client, body: bytes) -> None:
    def encoded(text: str) -> str:
        return base64.b64encode(text.encode()).decode()

    headers = {"authorization": client.token, "tus-resumable": "1.0.0", "x-upsert": "true"}
    metadata = f"bucketName {encoded(BUCKET)},objectName {encoded(client.key)}"
    said = {"upload-length": str(len(body)), "upload-metadata": metadata}
    found, _ = client.send("POST", "/upload/resumable", b"", {**headers, **said})
    path = "/" + found["location"].split("/", 3)[3]
    for start, end in ((0, len(body) // 2), (len(body) // 2, len(body))):
        part = {"upload-offset": str(start), "content-type": "application/offset+octet-stream"}
        client.send("PATCH", path, body[start:end], {**headers, **part})


def _s3(client: Client, body: bytes) -> None:
    client.send_signed("PUT", client.key, body)


def _parts(client: Client, body: bytes) -> None:
    _, text = client.send_signed("POST", f"{client.key}?uploads=", b"")
    match = re.search("<UploadId>([^<]+)", text)
    assert match is not None, text
    listed = ""
    for number, piece in enumerate((body[: len(body) // 2], body[len(body) // 2 :]), 1):
        found, _ = client.send_signed("PUT", f"{client.key}?partNumber={number}&uploadId={match[1]}", piece)
        listed += f"<Part><PartNumber>{number}</PartNumber><ETag>{found['etag']}</ETag></Part>"
    document = f"<CompleteMultipartUpload>{listed}</CompleteMultipartUpload>".encode()
    client.send_signed("POST", f"{client.key}?uploadId={match[1]}", document, **{"content-type": "text/xml"})


KINDS = (_plain, _form, _resumable, _s3, _parts)


def upload_until(port: int, token: str, round_number: int, kill: Callable[[], None]) -> list[Client]:
    """Two clients of every kind, and `kill` in the middle of what they do."""
    clients = [Client(port, f"{round_number}/{index}", token) for index in range(2 * len(KINDS))]
    with concurrent.futures.ThreadPoolExecutor(len(clients)) as pool:
        running = [pool.submit(client.run, KINDS[index % len(KINDS)]) for index, client in enumerate(clients)]
        time.sleep(random.uniform(0.0, 0.3))
        kill()
    for done in running:
        done.result()  # an answer that is an error ends the bench
    return clients


def compare(dsn: str, root: Path, clients: list[Client]) -> Outcome:
    """What is left, with a service running whose collector has begun and whose resumable uploads have expired."""
    with psycopg.connect(dsn, autocommit=True) as connection:
        rows = connection.execute(
            "select name, version, metadata ->> 'eTag' from storage.objects where bucket_id = %s", (BUCKET,)
        ).fetchall()
        uploads = {row[0] for row in connection.execute("select id from storage.s3_multipart_uploads")}
    outcome = Outcome(sum(client.answered for client in clients))
    etags = {name: etag for name, _, etag in rows}
    outcome.lost += sum(client.key not in etags for client in clients if client.answered)
    outcome.lost += sum(etags[client.key] not in client.digests for client in clients if client.key in etags)
    for _, version, etag in rows:
        path = root / "objects" / version[:2] / version
        if not path.is_file() or f'"{_md5(path)}"' != etag:
            outcome.lost += 1
    known = {version for _, version, _ in rows}
    deadline = time.monotonic() + WAIT_S
    while True:
        left = [path for path in root.glob("objects/*/*") if path.name not in known]
        left += root.glob("writing/*/*-*")
        left += root.glob("uploads/*")
        left += [path for path in root.glob("multipart/*") if path.name not in uploads]
        outcome.left = len(left)
        if not left or time.monotonic() > deadline:
            return outcome
        time.sleep(0.1)


def _md5(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()
