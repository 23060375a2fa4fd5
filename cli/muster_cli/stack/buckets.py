"""Make the buckets of a project's configuration, and upload their files, over the API of a running stack."""

import mimetypes
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from muster_cli.output import UserError
from muster_cli.project.config import Bucket, ProjectConfig

if TYPE_CHECKING:
    import httpx

UPLOADS_AT_ONCE = 5
TIMEOUT_S = 60.0
CONFLICT = 409

Report = Callable[[str], None]


def seed_buckets(config: ProjectConfig, api: str, service_key: str, report: Report = lambda _: None) -> list[str]:
    """Create or update every bucket and upload what its objects_path has; the buckets' ids. Nothing is deleted.

    Raises UserError.
    """
    import httpx

    headers = {"apikey": service_key, "Authorization": f"Bearer {service_key}"}
    try:
        with httpx.Client(base_url=f"{api}/storage/v1", headers=headers, timeout=TIMEOUT_S) as client:
            for name, bucket in config.storage.buckets.items():
                _make(client, name, bucket, config.storage.file_size_limit, report)
            uploads = [
                (name, file, key)
                for name, bucket in config.storage.buckets.items()
                for file, key in _files(config.root, bucket)
            ]
            with ThreadPoolExecutor(UPLOADS_AT_ONCE) as pool:
                list(pool.map(lambda each: _upload(client, each[0], each[1], each[2], report), uploads))
    except (httpx.HTTPError, OSError) as error:
        raise UserError(f"the buckets could not be created: {error}") from error
    return list(config.storage.buckets)


def _make(client: "httpx.Client", name: str, bucket: Bucket, limit: int, report: Report) -> None:
    body: dict[str, Any] = {
        "public": bucket.public,
        "file_size_limit": limit if bucket.file_size_limit is None else bucket.file_size_limit,
        "allowed_mime_types": list(bucket.allowed_mime_types) or None,
    }
    report(f"Creating Storage bucket: {name}")
    answer = client.post("/bucket", json={"id": name, "name": name, **body})
    if answer.is_error and _status(answer) == CONFLICT:
        report(f"Updating Storage bucket: {name}")
        answer = client.put(f"/bucket/{quote(name, safe='')}", json=body)
    _check(answer, f"bucket {name}")


def _files(root: Path, bucket: Bucket) -> Iterator[tuple[Path, str]]:
    """The files of a bucket and their keys; a folder's name is not part of them."""
    if not bucket.objects_path:
        return
    place = root / bucket.objects_path
    if place.is_file():
        yield place, place.name
    for file in sorted(place.rglob("*")):
        if file.is_file() and not file.name.startswith("."):
            yield file, file.relative_to(place).as_posix()


def _upload(client: "httpx.Client", bucket: str, file: Path, key: str, report: Report) -> None:
    report(f"Uploading: {file.name} => {bucket}/{key}")
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    with file.open("rb") as content:
        answer = client.post(
            f"/object/{quote(bucket, safe='')}/{quote(key)}", content=content,
            headers={"Content-Type": kind, "Content-Length": str(file.stat().st_size), "x-upsert": "true",
                     "cache-control": "max-age=3600"},
        )  # fmt: skip
    _check(answer, f"{bucket}/{key}")


def _status(answer: "httpx.Response") -> int:
    """Storage answers most refusals with 400 and has the status in the body."""
    try:
        return int(answer.json().get("statusCode", answer.status_code))
    except (ValueError, AttributeError):
        return answer.status_code


def _check(answer: "httpx.Response", what: str) -> None:
    if answer.is_error:
        raise UserError(f"storage refused {what}: {answer.text[:300]}")
