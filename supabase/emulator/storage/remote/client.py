"""Signed requests to an S3 endpoint. I/O.

Paths name the bucket (path style), which every endpoint knows. Bodies are streamed and not hashed before: TLS, or the
MD5 that goes with them, guards them on the way.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit
from uuid import uuid4

from emulator.storage.s3.signature import (
    ALGORITHM,
    UNSIGNED,
    ClientSignature,
    Credential,
    SignedRequest,
    canonical_query,
    canonical_request,
    sign_text,
    signing_key,
)  # fmt: skip
from emulator.storage.settings import BucketBackendSettings

if TYPE_CHECKING:
    import httpx

_ATTEMPTS = 3
_PAUSE_S = 0.2
_TRANSIENT = frozenset({408, 429, *range(500, 600)})
Body = Callable[[], AsyncIterator[bytes]]


class EndpointFailed(OSError):
    """The endpoint can't be reached, or answers what no request of ours should get."""


class EndpointRefused(EndpointFailed):
    """The endpoint refuses: asking again is of no use."""


class BucketClient:
    """One bucket of an endpoint. Keys are made of characters that need no escape in a URL, but for the tenant's."""

    def __init__(self, settings: BucketBackendSettings) -> None:
        self._settings = settings
        endpoint = settings.endpoint or f"https://s3.{settings.region}.amazonaws.com"
        self._endpoint = endpoint.rstrip("/")
        self._host = urlsplit(self._endpoint).netloc
        self._base = f"{urlsplit(self._endpoint).path}/{settings.bucket}"
        self._origin = self._endpoint.removesuffix(urlsplit(self._endpoint).path)
        self._client: httpx.AsyncClient | None = None

    async def close(self) -> None:
        """End the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    def source(self, key: str) -> str:
        """What a copy names as its source."""
        return f"/{self._settings.bucket}/{quote(key)}"

    async def call(
        self,
        method: str,
        key: str = "",
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Body | None = None,
    ) -> "httpx.Response":
        """The answer, read; one that is not found is an answer, too. Raises EndpointFailed."""
        for attempt in range(_ATTEMPTS):
            try:
                async with self.stream(method, key, query, headers, body) as response:
                    await response.aread()
                    return response
            except EndpointRefused:
                raise
            except EndpointFailed:
                if attempt + 1 == _ATTEMPTS:
                    raise
                await asyncio.sleep(_PAUSE_S * 2**attempt)
        raise AssertionError

    @asynccontextmanager
    async def stream(
        self,
        method: str,
        key: str = "",
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
        body: Body | None = None,
    ) -> "AsyncIterator[httpx.Response]":
        """An answer whose body is still to come. Raises EndpointFailed."""
        import httpx  # 60 ms and 8 MiB, for services that keep files elsewhere

        if self._client is None:
            self._client = httpx.AsyncClient(timeout=self._settings.timeout_ms / 1000)
        path = f"{self._base}/{quote(key)}" if key else self._base
        signed = self._signed(method, path, query or {}, headers or {})
        url = f"{self._origin}{path}?{canonical_query(query or {})}".rstrip("?")
        try:
            async with self._client.stream(method, url, headers=signed, content=body() if body else None) as response:
                if response.status_code >= 300 and response.status_code != 404:
                    said = (await response.aread())[:500].decode("utf-8", "replace")
                    failure = EndpointFailed if response.status_code in _TRANSIENT else EndpointRefused
                    raise failure(f"the endpoint of the files answers {response.status_code}: {said}")
                yield response
        except httpx.HTTPError as error:
            raise EndpointFailed(f"the endpoint of the files: {error!r}") from error

    def _signed(self, method: str, path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> dict[str, str]:
        settings = self._settings
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        credential = Credential(settings.access_key_id, stamp[:8], settings.region, "s3")
        sent = {**headers, "x-amz-date": stamp, "x-amz-content-sha256": UNSIGNED, "accept-encoding": "identity"}
        sent["amz-sdk-invocation-id"] = str(uuid4())  # the S3 protocol of a stack decodes copy sources for SDKs alone
        names = sorted(["host", *(name for name in sent if name.startswith("x-amz-") or name == "content-md5")])
        client = ClientSignature(credential, names, "", stamp, UNSIGNED)
        canonical = canonical_request(SignedRequest(method, path, query, sent, self._host), client)
        key = signing_key(settings.secret_access_key, credential.day, credential.region)
        signature = sign_text(key, stamp, credential.scope, canonical)
        sent["authorization"] = (
            f"{ALGORITHM} Credential={credential.access_key}/{credential.scope},"
            f" SignedHeaders={';'.join(names)}, Signature={signature}"
        )
        return sent
