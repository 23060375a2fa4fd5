"""Ask a running stack for branches and snapshots, over the socket in its home."""

import http.client
import json
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from muster_cli.output import EXIT_FAILED, EXIT_NOT_RUNNING, UserError
from muster_cli.stack.home import Home

TIMEOUT_S = 600.0  # the first branch waits for migrations and seeds
EXIT_MISSING, EXIT_TAKEN = 5, 6
_EXIT_CODES = {404: EXIT_MISSING, 409: EXIT_TAKEN}


class _OverSocket(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("muster", timeout=TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        """Connect to the socket."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(TIMEOUT_S)
        self.sock.connect(str(self._path))


def ask(home: Home, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """One request; the document of the answer, empty where there is none. Raises UserError with what was refused."""
    if home.running() is None:
        raise UserError(f"no stack is running in {home.path}: ./muster up starts it", EXIT_NOT_RUNNING)
    connection = _OverSocket(home.control_socket())
    try:
        connection.request(method, path, json.dumps(body or {}), {"content-type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
    except FileNotFoundError as error:
        raise UserError(_without_branches()) from error
    except OSError as error:
        raise UserError(f"the stack in {home.path} does not answer: {error}") from error
    finally:
        connection.close()
    document: dict[str, Any] = json.loads(text) if text else {}
    if answer.status >= 400:
        raise UserError(document["message"], _EXIT_CODES.get(answer.status, EXIT_FAILED))
    return document


def _without_branches() -> str:
    return (
        "this stack has no branches: they are for a stack that only this machine reaches, with one process "
        "(--workers 1), whose files are on this disk"
    )
