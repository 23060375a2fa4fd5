"""The program that serves one function in Python: `main.py` of its folder, whose `app` is an ASGI application.

Started by worker.py with the first module, the folder of functions, the slug and the socket; imports nothing of ours,
so that a function has no more than its packages. The application sees its requests below `root_path` `/<slug>`. The
supervisor asks over the same socket, by a secret header, for the state, or for the end.
"""

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import uvicorn

_STOP_S = 10


class Served:
    """The application with the supervisor's questions before it. `pending`: calls that have not returned yet.

    A call outlives its answer while its background tasks run.
    """

    def __init__(self, app: Any, slug: str, secret: bytes) -> None:
        self._app = app
        self._root_path = f"/{slug}"
        self._secret = secret
        self.pending = 0
        self.server: uvicorn.Server | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one request, or the lifespan."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        asked = dict(scope["headers"]).get(b"x-muster-worker", b"")
        if asked.startswith(self._secret + b" "):
            await self._tell(asked[len(self._secret) + 1 :], send)
            return
        self.pending += 1
        try:
            await self._app({**scope, "root_path": self._root_path}, receive, send)
        finally:
            self.pending -= 1

    async def _tell(self, what: bytes, send: Any) -> None:
        if what != b"state" and self.server is not None:
            self.server.should_exit = True
        body = json.dumps({"pending": self.pending}).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def load(entrypoint: Path, functions: Path) -> ModuleType:
    """The function's module. It finds what is in its folder, and `_shared` beside that."""
    sys.path[:0] = [str(entrypoint.parent), str(functions)]
    spec = importlib.util.spec_from_file_location("main", entrypoint)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["main"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main(entrypoint: str, functions: str, slug: str, socket: str) -> None:
    """Serve until the supervisor says otherwise."""
    secret = os.environ.pop("MUSTER_WORKER_SECRET").encode()
    app = getattr(load(Path(entrypoint), Path(functions)), "app", None)
    if not callable(app):
        sys.exit(f"{entrypoint} must define `app`, an ASGI application (FastAPI, Starlette)")
    served = Served(app, slug, secret)
    config = uvicorn.Config(
        served, uds=socket, log_level="warning", access_log=False, server_header=False, date_header=False,
        proxy_headers=True, forwarded_allow_ips="*", timeout_graceful_shutdown=_STOP_S,
    )  # fmt: skip
    served.server = uvicorn.Server(config)
    served.server.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
