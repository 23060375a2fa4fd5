"""One request to a push service (RFC 8030), and what its answer means. The HTTP client is made with the first one."""

from __future__ import annotations

import asyncio
import importlib
import os
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from muster_functions.push.encryption import UnusableKeys, encrypt
from muster_functions.push.endpoints import RefusedEndpoint, UnknownHost, find_target
from muster_functions.push.message import Push
from muster_functions.push.vapid import VapidKeys, authorization

if TYPE_CHECKING:
    import httpx

TIMEOUT_S = 10.0
MOST_RETRY_AFTER_S = 7200


@dataclass(frozen=True)
class Device:
    """Where a browser gets its pushes, and the keys that they are encrypted for."""

    endpoint: str
    p256dh: str
    auth: str
    server_key: str


@dataclass(frozen=True)
class Outcome:
    """sent; gone: the subscription is dead; later: try again, after `retry_after_s`; refused: never this push."""

    state: Literal["sent", "gone", "later", "refused"]
    detail: str = ""
    retry_after_s: float = 0.0


def outcome_of(status: int, retry_after: str | None) -> Outcome:
    """What a push service's answer means. A date in Retry-After counts as none. Pure."""
    if 200 <= status < 300:
        return Outcome("sent")
    if status in (404, 410):
        return Outcome("gone", f"status {status}")
    if status in (408, 429) or status >= 500:
        given = retry_after or ""
        seconds = min(int(given[:9]), MOST_RETRY_AFTER_S) if given.isascii() and given.isdigit() else 0
        return Outcome("later", f"status {status}", seconds)
    return Outcome("refused", f"status {status}")


class Sender:
    """Sends pushes in the name of `keys`; `stand_in` takes the place of every push service, in tests."""

    def __init__(self, keys: VapidKeys, subject: str, stand_in: str | None) -> None:
        self._keys, self._subject, self._stand_in = keys, subject, stand_in
        self._client: httpx.AsyncClient | None = None

    async def send(self, push: Push, device: Device) -> Outcome:
        """Send one push, within TIMEOUT_S; never raises for what a subscription or a push service does."""
        try:
            async with asyncio.timeout(TIMEOUT_S):
                return await self._send(push, device)
        except TimeoutError:
            return Outcome("later", "no answer in time")

    async def _send(self, push: Push, device: Device) -> Outcome:
        if device.server_key != self._keys.public:
            return Outcome("gone", "it is for other keys of this server")
        if self._client is None:
            await asyncio.to_thread(_load)
        import httpx
        from cryptography.hazmat.primitives.asymmetric import ec

        try:
            sender = ec.generate_private_key(ec.SECP256R1())
            body = encrypt(push.payload, device.p256dh, device.auth, salt=os.urandom(16), sender=sender)
            target = await find_target(device.endpoint, self._stand_in)
        except (UnusableKeys, RefusedEndpoint) as error:
            return Outcome("gone", f"{type(error).__name__}: {error}")
        except UnknownHost:
            return Outcome("later", "its name is not known")
        headers = {
            "Host": target.host,
            "Authorization": authorization(device.endpoint, self._keys, self._subject, int(time.time())),
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "TTL": str(push.ttl_s),
            "Topic": push.topic,
            "Urgency": push.urgency,
        }
        if self._client is None:
            self._client = httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False, trust_env=False)
        extensions = {"sni_hostname": target.host}
        try:
            # The answer's body is not read: it may be of any size.
            async with self._client.stream(
                "POST", target.url, headers=headers, content=body, extensions=extensions
            ) as answer:
                return outcome_of(answer.status_code, answer.headers.get("retry-after"))
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            return Outcome("later", type(error).__name__)

    async def close(self) -> None:
        """Close the kept connections."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


def _load() -> None:
    """Import what the first push needs: 100 ms, off the event loop."""
    for name in ("cryptography.hazmat.primitives.asymmetric.ec", "httpx", "jwt"):
        importlib.import_module(name)
