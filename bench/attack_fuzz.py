"""Generated requests, with a fixed seed, over all services: none ends with an undocumented 500, memory stays flat."""

import asyncio
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

SEED = 20260821
AT_ONCE = 8
DOCUMENTED = {501, 503, 504}  # of the answers from 500 on
PATHS = (
    "/rest/v1/", "/rest/v1/stations", "/rest/v1/notes", "/rest/v1/none", "/rest/v1/rpc/none", "/rest/v1/rpc/version",
    "/auth/v1/signup", "/auth/v1/token", "/auth/v1/otp", "/auth/v1/verify", "/auth/v1/recover", "/auth/v1/user",
    "/auth/v1/authorize", "/auth/v1/callback", "/auth/v1/logout", "/auth/v1/settings", "/auth/v1/admin/users",
    "/auth/v1/factors", "/auth/v1/magiclink", "/auth/v1/resend", "/auth/v1/.well-known/jwks.json",
    "/realtime/v1/api/broadcast", "/realtime/v1/api/broadcast/t/events/e", "/realtime/v1/api/ping",
    "/realtime/v1/websocket", "/storage/v1/bucket", "/storage/v1/object/b/o", "/storage/v1/object/list/b",
    "/storage/v1/upload/resumable", "/functions/v1/none", "/graphql/v1", "/healthz", "/",
)  # fmt: skip
PARAMETERS = (
    "select=*", "select=id,name", "select=notes(id)", "select=*,notes!inner(*)", "select=count()", "select=)(",
    "order=id.desc",
    "order=name.nullslast", "limit=1", "limit=-1", "limit=x", "offset=99999999999999999999", "id=eq.1", "id=in.(1,2)",
    "id=gt.x", "name=like.*a*", "name=fts.a", "or=(id.eq.1,id.eq.2)", "and=(id.eq.1", "not.or=()", "on_conflict=id",
    "columns=id", "grant_type=password", "grant_type=refresh_token", "grant_type=pkce", "type=signup", "token=x",
    "provider=github", "redirect_to=https://x.test", "page=-1", "per_page=x", "private=true", "persist=true",
    "vsn=2.0.0",
    "width=0", "download=a%0d%0ab", "prefix=..", "code=x", "error=x",
)  # fmt: skip
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND")
VALUES = (
    "null", "1", "-1", "1e400", '"x"', '"\\u0000"', '"\\ud800"', "[]", "{}", "[[[]]]", '{"a":[1,{"b":null}]}', "true",
    '"' + "x" * 3000 + '"', "99999999999999999999999999", '"2024-13-45"', '"\u202e"',
)  # fmt: skip
NAMES = (
    "id", "name", "email", "password", "phone", "token", "type", "data", "messages", "topic", "event", "payload",
    "private",
    "refresh_token", "code", "code_challenge", "options", "user_metadata", "app_metadata", "factor_type", "public", "a",
)  # fmt: skip
HEADERS = (
    ("Prefer", (
        "return=representation", "count=exact", "count=planned", "resolution=merge-duplicates", "tx=rollback",
        "x=;=",
    )),
    ("Range", ("0-9", "9-0", "x", "bytes=0-")),
    ("Accept", (
        "application/json", "text/csv", "application/vnd.pgrst.object+json", "*/*;q=x", "application/openapi+json",
    )),
    ("Accept-Profile", ("public", "auth", "x" * 300)),
    ("Content-Profile", ("public", "none")),
    ("Authorization", (
        "Bearer x", "Bearer a.b.c", "Bearer eyJhbGciOlsiSFMyNTYiXX0.e30.x", "Bearer eyJhbGciOnt9fQ.e30.", "x", "",
    )),
    ("X-JWT-AUD", ("x", "y" * 300)),
    ("X-Upsert", ("true", "maybe")),
    ("Tus-Resumable", ("1.0.0", "x")),
    ("Upload-Length", ("10", "-1", "x")),
    ("Upload-Offset", ("0", "x")),
    ("X-Forwarded-For", ("1.2.3.4", "x")),
    ("Origin", ("https://x.test", "null")),
    ("X-Request-Id", ("x", "\xff")),
    ("Connection", ("keep-alive", "upgrade")),
    ("Upgrade", ("websocket", "h2c")),
)  # fmt: skip
MEDIA_TYPES = (
    "application/json", "text/csv", "application/x-www-form-urlencoded", "text/plain", "application/octet-stream",
    "multipart/form-data; boundary=x", "application/vnd.pgrst.object+json", "x", "",
)  # fmt: skip
ODD = ("%00", "%ff", "..", "%2e%2e", "%2F", "a" * 300, "%", ";", "é", "\\", "//")


def requests(keys: Sequence[str], count: int, seed: int = SEED) -> Iterator[bytes]:
    """Requests as bytes, the same for the same seed but for the keys: a visitor's first, the service's second."""
    draw = random.Random(seed)
    for _ in range(count):
        yield _request(draw, keys)


def _request(draw: random.Random, keys: Sequence[str]) -> bytes:
    path = draw.choice(PATHS)
    if draw.random() < 0.15:
        path += "/" + draw.choice(ODD)
    parameters = [draw.choice(PARAMETERS) for _ in range(draw.choice((0, 0, 1, 2, 4)))]
    if draw.random() < 0.1:
        parameters.append(draw.choice(ODD) + "=" + draw.choice(ODD))
    target = path + ("?" + "&".join(parameters) if parameters else "")
    method = draw.choice(METHODS)
    headers = [("Host", "localhost"), ("Connection", "close")]
    if draw.random() < 0.9:
        headers.append(("apikey", keys[draw.random() < 0.4]))
    headers += [(name, draw.choice(values)) for name, values in draw.sample(HEADERS, draw.choice((0, 1, 1, 2, 4)))]
    body = b""
    if method not in ("GET", "HEAD", "OPTIONS") or draw.random() < 0.05:
        media_type = draw.choice(MEDIA_TYPES)
        if media_type:
            headers.append(("Content-Type", media_type))
        body = _body(draw, media_type)
        headers.append(("Content-Length", str(len(body))))
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace") + body


def _body(draw: random.Random, media_type: str) -> bytes:
    if draw.random() < 0.15:
        return draw.randbytes(draw.choice((0, 1, 40, 2000)))
    pairs = [(draw.choice(NAMES), draw.choice(VALUES)) for _ in range(draw.choice((0, 1, 2, 5)))]
    if "csv" in media_type:
        names = ",".join(name for name, _ in pairs)
        return (
            names + "\n" + ",".join(value for _, value in pairs) + "\n" + draw.choice(('"', "x,y,z\n", ""))
        ).encode()
    if "form" in media_type:
        return "&".join(f"{name}={value}" for name, value in pairs).encode()
    text = "{" + ",".join(f'"{name}":{value}' for name, value in pairs) + "}"
    text = draw.choice((text, text, text, f"[{text},{text}]", f"[{text},{{}}]", draw.choice(VALUES), text[:-1]))
    return text.encode("utf-8", "surrogatepass")


async def send(port: int, keys: Sequence[str], count: int, seed: int = SEED) -> tuple[Counter[int], list[str]]:
    """Send them all; answers by status (0: none within 30 s), and what ended with an undocumented status."""
    statuses: Counter[int] = Counter()
    undocumented: list[str] = []
    queue = requests(keys, count, seed)

    async def one() -> None:
        for request in queue:
            status = await answer(port, request)
            statuses[status] += 1
            if status == 0 or (status >= 500 and status not in DOCUMENTED):
                undocumented.append(f"{status}: {request[:300]!r}")

    await asyncio.gather(*(one() for _ in range(AT_ONCE)))
    return statuses, undocumented


async def answer(port: int, request: bytes, *, breaks_off: bool = False) -> int:
    """The status; 0 for none within 30 s, -1 where the connection was closed without one (a request that is no HTTP).

    `breaks_off`: nothing comes after these bytes, whatever they announce.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        if breaks_off:
            writer.write_eof()
        async with asyncio.timeout(30):
            line = await reader.readline()
        return int(line.split()[1]) if line else -1
    except TimeoutError:
        return 0
    except OSError:
        return -1
    finally:
        writer.transport.abort()


def run(port: int, keys: Sequence[str], pid: int, count: int) -> dict[str, Any]:
    """Send them twice: the first time fills caches, so that the second shows whether memory stays flat."""
    from bench.attack import memory_mib

    asyncio.run(send(port, keys, count // 2))
    before = memory_mib(pid)
    statuses, undocumented = asyncio.run(send(port, keys, count // 2, SEED + 1))
    grown = round(memory_mib(pid) - before, 1)
    return {
        "requests": count,
        "statuses": {str(status): number for status, number in sorted(statuses.items())},
        "undocumented": undocumented,
        "mib": grown,
    }
