"""How a hook is reached: a function of the database, or a URL with Standard Webhooks signatures.

What is asked and what the answers mean is `hooks.py`'s business.
Source: Supabase guide "Auth Hooks"; https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

import asyncio
import base64
import hashlib
import hmac
import json
from datetime import datetime
from typing import Any
from uuid import uuid4

import psycopg
from psycopg import sql

from emulator.auth import errors
from emulator.auth.conf.settings import HookSettings
from emulator.auth.context import Call
from emulator.auth.models.sql import Db

Json = dict[str, Any]
PG_TIMEOUT_S, HTTP_TIMEOUT_S = 2.0, 5.0
HTTP_TRIES, HTTP_PAUSE_S = 3, 0.5
MAX_ANSWER_BYTES = 200 * 1024


async def ask(call: Call, db: Db | None, hook: HookSettings, payload: Json) -> Json:
    """The hook's answer, {} when it has none. `db` is the transaction that a function joins.

    Raises hook_timeout, hook_timeout_after_retry, hook_payload_* and unexpected_failure.
    """
    if hook.is_function:
        return await _ask_function(call, db, hook, payload)
    return await _ask_url(call, hook, payload)


async def _ask_function(call: Call, db: Db | None, hook: HookSettings, payload: Json) -> Json:
    if db is None:
        async with call.transaction() as own:
            return await _ask_function(call, own, hook, payload)
    schema, function = hook.function
    statement = sql.SQL("select {}(%s::jsonb)").format(sql.Identifier(schema, function))
    try:
        await db.execute(f"set local statement_timeout to {int(PG_TIMEOUT_S * 1000)}".encode())
        row = await (await db.execute(statement, [json.dumps(payload)])).fetchone()
        await db.execute("set local statement_timeout to default")
    except psycopg.errors.QueryCanceled as error:
        raise errors.hook_timeout(PG_TIMEOUT_S) from error
    except psycopg.OperationalError:
        raise
    except psycopg.DatabaseError as error:
        raise errors.hook_failed(hook.uri) from error
    found = row[0] if row else None
    if found is None or found == "":  # null or void
        return {}
    if not isinstance(found, dict):
        raise errors.unexpected_failure("Error unmarshaling JSON output.")
    return found


async def _ask_url(call: Call, hook: HookSettings, payload: Json) -> Json:
    import httpx

    body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")
    try:
        async with asyncio.timeout(HTTP_TIMEOUT_S):
            for tried in range(HTTP_TRIES):
                try:
                    answer = await _post(call, hook, body)
                except httpx.TransportError:
                    if tried == HTTP_TRIES - 1:
                        raise errors.hook_timeout_after_retry() from None
                else:
                    if answer is not None:
                        return answer
                await asyncio.sleep(HTTP_PAUSE_S)
    except TimeoutError:
        raise errors.hook_timeout(HTTP_TIMEOUT_S) from None
    raise errors.unexpected_failure("Service currently unavailable due to hook")


async def _post(call: Call, hook: HookSettings, body: bytes) -> Json | None:
    """One try; None when the hook asks to come again later."""
    headers = {"content-type": "application/json", "accept-encoding": "identity"}
    headers |= sign(hook.secrets, str(uuid4()), call.now, body)
    async with call.service.http.stream("POST", hook.uri, content=body, headers=headers) as answer:
        if answer.status_code in (200, 202, 204):
            raw = b""
            async for chunk in answer.aiter_bytes():
                raw += chunk
                if len(raw) > MAX_ANSWER_BYTES:
                    raise errors.hook_payload_too_big(MAX_ANSWER_BYTES)
            return _parse(answer.status_code, answer.headers.get("content-type", ""), raw)
        if answer.status_code in (429, 503):
            if answer.headers.get("retry-after"):
                return None
            raise errors.unexpected_failure("Service currently unavailable due to hook")
        known = {400: "Invalid payload sent to hook", 401: "Hook requires authorization token"}
        unknown = f"Unexpected status code returned from hook: {answer.status_code}"
        raise errors.unexpected_failure(known.get(answer.status_code, unknown))


def _parse(status: int, content_type: str, raw: bytes) -> Json:
    if not content_type:
        if status == 204:
            return {}
        raise errors.hook_payload_not_json("Invalid Content-Type: Missing Content-Type header")
    if content_type.partition(";")[0].strip().lower() != "application/json":
        raise errors.hook_payload_not_json(f"Invalid JSON response. Received content-type: {content_type}")
    try:
        answer = json.loads(raw) if raw.strip() else {}
    except (ValueError, RecursionError):
        raise errors.unexpected_failure("Error unmarshaling JSON output.") from None
    if not isinstance(answer, dict):
        raise errors.unexpected_failure("Error unmarshaling JSON output.")
    return answer


def sign(secrets: tuple[str, ...], message_id: str, now: datetime, body: bytes) -> dict[str, str]:
    """The headers of Standard Webhooks: one signature a secret, over id, time and body."""
    stamp = str(int(now.timestamp()))
    signed = f"{message_id}.{stamp}.".encode() + body
    keys = [base64.b64decode(secret.removeprefix("v1,").removeprefix("whsec_")) for secret in secrets]
    signatures = [base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode() for key in keys]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": ", ".join(f"v1,{signature}" for signature in signatures),
    }
