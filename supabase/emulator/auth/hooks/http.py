"""Hooks behind a URL, signed by Standard Webhooks.

Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import asyncio
import base64
import hashlib
import hmac
import json
from datetime import datetime
from uuid import uuid4

from emulator.auth import errors
from emulator.auth.conf.hooks import HookSettings
from emulator.auth.context import RequestContext
from emulator.auth.models.payloads import Json

TIMEOUT_S = 5.0
TRIES, PAUSE_S = 3, 0.5
MAX_RESPONSE_BYTES = 200 * 1024


async def call_url(ctx: RequestContext, hook: HookSettings, payload: Json) -> Json:
    """Its JSON response. Raises hook_timeout, hook_timeout_after_retry, hook_payload_*, unexpected_failure."""
    import httpx

    body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    try:
        async with asyncio.timeout(TIMEOUT_S):
            for attempt in range(1, TRIES + 1):
                try:
                    response = await _post(ctx, hook, body)
                except httpx.TransportError:
                    if attempt == TRIES:
                        raise errors.hook_timeout_after_retry() from None
                else:
                    if response is not None:
                        return response
                await asyncio.sleep(PAUSE_S)
    except TimeoutError:
        raise errors.hook_timeout(TIMEOUT_S) from None
    raise errors.unexpected_failure("Service currently unavailable due to hook")


async def _post(ctx: RequestContext, hook: HookSettings, body: bytes) -> Json | None:
    """One try; None when the hook asks for another one later."""
    headers = {"content-type": "application/json", "accept-encoding": "identity"}
    headers |= signature_headers(hook.secrets, str(uuid4()), ctx.now, body)
    http = ctx.service.http
    async with http.stream("POST", hook.uri, content=body, headers=headers, follow_redirects=True) as response:
        if response.status_code in (200, 202, 204):
            raw = b""
            async for chunk in response.aiter_bytes():
                raw += chunk
                if len(raw) > MAX_RESPONSE_BYTES:
                    raise errors.hook_payload_too_big(MAX_RESPONSE_BYTES)
            return _parse(response.status_code, response.headers.get("content-type", ""), raw)
        if response.status_code in (429, 503):
            if response.headers.get("retry-after"):
                return None
            raise errors.unexpected_failure("Service currently unavailable due to hook")
        known = {400: "Invalid payload sent to hook", 401: "Hook requires authorization token"}
        unknown = f"Unexpected status code returned from hook: {response.status_code}"
        raise errors.unexpected_failure(known.get(response.status_code, unknown))


def _parse(status: int, content_type: str, raw: bytes) -> Json:
    if not content_type:
        if status == 204:
            return {}
        raise errors.hook_payload_not_json("Invalid Content-Type: Missing Content-Type header")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise errors.hook_payload_not_json(f"Invalid JSON response. Received content-type: {content_type}")
    try:
        payload = json.loads(raw) if raw.strip() else {}
    except (ValueError, RecursionError):
        raise errors.unexpected_failure("Error unmarshaling JSON output.") from None
    if not isinstance(payload, dict):
        raise errors.unexpected_failure("Error unmarshaling JSON output.")
    return payload


def signature_headers(secrets: tuple[str, ...], message_id: str, now: datetime, body: bytes) -> dict[str, str]:
    """One signature per secret, over id, time and body."""
    timestamp = str(int(now.timestamp()))
    signed = f"{message_id}.{timestamp}.".encode() + body
    keys = [base64.b64decode(secret.removeprefix("v1,").removeprefix("whsec_")) for secret in secrets]
    signatures = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in keys]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": ", ".join(f"v1,{signature}" for signature in signatures),
    }
