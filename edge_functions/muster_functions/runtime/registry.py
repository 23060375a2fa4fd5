"""From a URL's function name to its module: one Python file per function in one folder, loaded when first called.

A function module has `handle(request: Request) -> Response` (async, or plain: then it runs in a thread) and may set
VERIFY_JWT (default True), TIMEOUT_S, MAX_BODY_BYTES, and for the API description BODY and ANSWER (pydantic models).
A file that changed is loaded again at the next call.
"""

import importlib
import importlib.util
import re
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from muster_functions.settings import OWN_FUNCTIONS

Handler = Callable[[Request], Awaitable[Response] | Response]

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)


class BrokenFunction(Exception):
    """A function's module can't be loaded; the text says why."""


@dataclass(frozen=True)
class Function:
    """A loaded function and the rules it asks for."""

    name: str
    handle: Handler
    verify_jwt: bool
    timeout_s: float | None
    max_body_bytes: int | None
    summary: str
    body: type[Any] | None
    answer: type[Any] | None


class Registry:
    """The functions of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._loaded: dict[str, tuple[int, Function]] = {}

    def names(self) -> list[str]:
        """What can be called, as the URL spells it."""
        files = (path.stem for path in self._folder.glob("*.py"))
        return sorted(stem.replace("_", "-") for stem in files if _NAME.fullmatch(stem))

    def cached(self, name: str) -> Function | None:
        """The function if it is loaded and its file unchanged: costs one stat."""
        path = self._path(name)
        entry = self._loaded.get(path.stem) if path is not None else None
        return entry[1] if path is not None and entry is not None and entry[0] == _stamp(path) else None

    def find(self, name: str) -> Function | None:
        """The function of that name, loaded; None when there is none. Raises BrokenFunction. Slow the first time."""
        path = self._path(name)
        stamp = _stamp(path) if path is not None else None
        if path is None or stamp is None:
            return None
        entry = self._loaded.get(path.stem)
        if entry is None or entry[0] != stamp:
            entry = (stamp, _read(path.stem.replace("_", "-"), self._load(path)))
            self._loaded[path.stem] = entry
        return entry[1]

    def _path(self, name: str) -> Path | None:
        return self._folder / f"{name.replace('-', '_')}.py" if _NAME.fullmatch(name) else None

    def _load(self, path: Path) -> ModuleType:
        try:
            if self._folder == OWN_FUNCTIONS and path.stem not in self._loaded:
                return importlib.import_module(f"muster_functions.functions.{path.stem}")
            return _load_file(path)
        except Exception as error:
            raise BrokenFunction(f"{path}: {type(error).__name__}: {error}") from error


def _load_file(path: Path) -> ModuleType:
    name = f"muster_functions.functions.{path.stem}" if path.parent == OWN_FUNCTIONS else f"_function_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("no Python module")
    module = importlib.util.module_from_spec(spec)
    # compiled from the text: the byte-code cache can't tell two versions of one second and size apart
    code = compile(path.read_text("utf-8"), str(path), "exec")
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


def _read(name: str, module: ModuleType) -> Function:
    handle = getattr(module, "handle", None)
    if not callable(handle):
        raise BrokenFunction(f"{module.__file__}: no handle(request)")
    return Function(
        name=name, handle=handle,
        verify_jwt=bool(getattr(module, "VERIFY_JWT", True)),
        timeout_s=getattr(module, "TIMEOUT_S", None),
        max_body_bytes=getattr(module, "MAX_BODY_BYTES", None),
        summary=(module.__doc__ or name).strip().splitlines()[0],
        body=getattr(module, "BODY", None), answer=getattr(module, "ANSWER", None),
    )  # fmt: skip


def _stamp(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
