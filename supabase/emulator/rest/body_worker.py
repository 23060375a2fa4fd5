"""The process that reads large bodies, so that the others need not wait: started by bodies.py with a socket as stdin.

Each request is a line of JSON (BodyKind and the body's size) and the body; each response a line of JSON and, where it
names a size, what the body became. I/O only at both ends.
"""

import io
import json
import os
import resource
import socket
import sys
from typing import Any

from emulator.errors import ApiError
from emulator.rest import errors
from emulator.rest.api_request.payload import BodyKind, read_payload

# Enough for any sensible body of the size that services accept; one of a million empty lists is refused.
_MAX_MEMORY_BYTES = 128 * 1_048_576


def answer(kind: BodyKind, body: bytes) -> tuple[dict[str, Any], bytes]:
    """Return the line and the bytes that answer a body."""
    try:
        payload, content, fields = read_payload(kind, body)
    except MemoryError:
        return _refusal(errors.body_too_complex())
    except ApiError as error:
        return _refusal(error)
    else:
        rewritten = None if content is body else content
        size = None if rewritten is None else len(rewritten)
        return {"payload": payload._asdict(), "fields": fields, "size": size}, rewritten or b""


def _refusal(error: ApiError) -> tuple[dict[str, Any], bytes]:
    """Return what says why; nothing keeps the error itself, whose traceback holds the body."""
    return {"error": [error.status, error.code, error.message]}, b""


def serve(stream: io.BufferedRWPair) -> None:
    """Answer until the other end closes."""
    while line := stream.readline():
        request = json.loads(line)
        size = request.pop("size")
        head, content = answer(BodyKind(**request), stream.read(size))
        stream.write(json.dumps(head).encode() + b"\n" + content)
        stream.flush()


def main() -> None:
    """Serve on the socket that is stdin, politely and with bounded memory."""
    os.nice(5)
    resource.setrlimit(resource.RLIMIT_DATA, (_MAX_MEMORY_BYTES, _MAX_MEMORY_BYTES))
    with socket.socket(fileno=sys.stdin.fileno()) as connection, connection.makefile("rwb") as stream:
        serve(stream)


if __name__ == "__main__":
    main()
