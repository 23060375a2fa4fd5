"""The objects of storage, read and written with the service key through its API. I/O."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from urllib.parse import quote

from muster_functions import errors
from muster_functions.files.content import MAX_FILE_BYTES

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    import httpx

_TIMEOUT_S = 30.0
UPLOADS = "uploads"
# What is read with a token is kept by the browser for minutes only; what everybody reads never changes.
_KEPT = {"article-covers": "public, max-age=31536000, immutable"}
_KEPT_BRIEFLY = "private, max-age=300"


class Store:
    """`url` is the origin of the stack's API, without which there is no storage."""

    def __init__(self, url: str, service_key: str) -> None:
        self._url, self._key = url, service_key

    @property
    def is_there(self) -> bool:
        """Whether this service was told where storage is."""
        return bool(self._url and self._key)

    async def read_upload(self, name: str) -> bytes:
        """Raises no_upload, file_too_large, storage_unavailable."""
        async with self._client() as client, client.stream("GET", _path(UPLOADS, name)) as response:
            if response.status_code in (400, 404):
                raise errors.no_upload()
            response.raise_for_status()
            if int(response.headers.get("content-length") or 0) > MAX_FILE_BYTES:
                raise errors.file_too_large()
            return await response.aread()

    async def write(self, bucket: str, name: str, data: bytes, mime_type: str) -> None:
        """Raises storage_unavailable."""
        headers = {"content-type": mime_type, "cache-control": _KEPT.get(bucket, _KEPT_BRIEFLY)}
        async with self._client() as client:
            (await client.post(_path(bucket, name), content=data, headers=headers)).raise_for_status()

    async def remove(self, bucket: str, names: Sequence[str]) -> None:
        """Those that are there. Raises storage_unavailable."""
        async with self._client() as client:
            response = await client.request("DELETE", f"/object/{bucket}", json={"prefixes": list(names)})
            response.raise_for_status()

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[httpx.AsyncClient]:
        import httpx

        headers = {"authorization": f"Bearer {self._key}", "apikey": self._key}
        try:
            async with httpx.AsyncClient(
                base_url=f"{self._url}/storage/v1",
                headers=headers,
                timeout=_TIMEOUT_S,
                trust_env=False,
                # Without TLS no certificates: to read them takes 25 ms, in which nobody else is answered.
                verify=self._url.startswith("https:"),
            ) as client:
                yield client
        except httpx.HTTPError as error:
            raise errors.storage_unavailable() from error


def _path(bucket: str, name: str) -> str:
    return f"/object/{bucket}/{quote(name)}"
