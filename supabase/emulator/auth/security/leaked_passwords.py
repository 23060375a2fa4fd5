"""Passwords that were in a breach (PASSWORD_HIBP_ENABLED): asked of haveibeenpwned.com, or looked up in its file.

The service is told five of the forty digits of the password's SHA-1, and answers with all that begin so. With
PASSWORD_HIBP_FILE nothing leaves the machine: the file is what https://github.com/HaveIBeenPwned/PwnedPasswordsDownloader
writes, lines of `<SHA-1>:<count>` in order. Source: https://haveibeenpwned.com/API/v3#PwnedPasswords.
"""

import asyncio
import hashlib
import logging
from pathlib import Path
from typing import BinaryIO

from emulator.auth import errors
from emulator.auth.context import RequestContext

RANGE_URL = "https://api.pwnedpasswords.com/range/"
TIMEOUT_S = 5.0
MAX_ANSWER_BYTES = 1024 * 1024
_DIGITS, _PREFIX = 40, 5

log = logging.getLogger("emulator.auth")


class CheckFailed(Exception):
    """It is not known whether the password was in a breach; the text says why."""


async def is_leaked(ctx: RequestContext, password: str) -> bool:
    """Whether the password is known. Where that can't be found out: no, or with PASSWORD_HIBP_FAIL_CLOSED a failure."""
    settings = ctx.settings.password
    if not settings.hibp:
        return False
    digest = hashlib.sha1(password.encode(), usedforsecurity=False).hexdigest().upper()
    try:
        if settings.hibp_file:
            return await asyncio.to_thread(_is_listed, Path(settings.hibp_file), digest)
        return await _is_in_range(ctx, digest)
    except CheckFailed as error:
        if settings.hibp_fail_closed:
            raise errors.leak_check_failed() from error
        log.warning("a password is accepted without a look into the breaches: %s", error)
        return False


async def _is_in_range(ctx: RequestContext, digest: str) -> bool:
    import httpx  # most stacks ask nobody

    headers = {"user-agent": ctx.settings.password.hibp_user_agent, "add-padding": "true"}
    try:
        response = await ctx.service.http.get(RANGE_URL + digest[:_PREFIX], headers=headers, timeout=TIMEOUT_S)
    except httpx.HTTPError as error:
        raise CheckFailed(f"{type(error).__name__} of {RANGE_URL}") from error
    if response.status_code != 200 or len(response.content) > MAX_ANSWER_BYTES:
        raise CheckFailed(f"status {response.status_code} of {RANGE_URL}")
    found = (line.partition(":") for line in response.text.upper().splitlines())
    return any(rest == digest[_PREFIX:] and count.strip() != "0" for rest, _, count in found)  # 0: padding


def _is_listed(path: Path, digest: str) -> bool:
    """Binary search among the lines. Raises CheckFailed."""
    try:
        with path.open("rb") as file:
            return _search(file, file.seek(0, 2), digest.encode())
    except OSError as error:
        raise CheckFailed(f"PASSWORD_HIBP_FILE can't be read: {error}") from error


def _search(file: BinaryIO, size: int, digest: bytes) -> bool:
    low, high = 0, size  # the line begins in [low, high)
    while low < high:
        middle = (low + high) // 2
        file.seek(max(low, middle - 1))
        if middle > low:
            file.readline()  # up to the first line that begins at `middle` or later
        start = file.tell()
        line = file.readline() if start < high else b""
        if not line:  # no line begins between them
            high = middle
        elif line[:_DIGITS].upper() == digest:
            return True
        elif line[:_DIGITS].upper() < digest:
            low = start + len(line)
        else:
            high = middle
    return False
