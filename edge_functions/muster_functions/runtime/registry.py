"""From a URL's function name to its module: one Python file per function in one folder, loaded when first called.

A file that changed is loaded again at the next call.
"""

import importlib
import importlib.util
import logging
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType

from muster_functions.runtime.function import Function

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)

log = logging.getLogger(__name__)


class BrokenFunction(Exception):
    """A function's module can't be loaded; the text is the reason."""


class Registry:
    """The functions of one folder. `package` is its import name if it is an installed package.

    `provided` is what the dependencies of the functions find in `request.app.state`.
    """

    def __init__(self, folder: Path, *, package: str | None = None, provided: Mapping[str, object] = {}) -> None:
        self._folder = folder.resolve()
        self._package = package
        self._provided = provided
        self._loaded: dict[str, tuple[int, Function]] = {}

    def cached(self, name: str) -> Function | None:
        """The function if it is loaded and its file unchanged: costs one stat."""
        path = self._path(name)
        entry = self._loaded.get(path.stem) if path is not None else None
        return entry[1] if path is not None and entry is not None and entry[0] == _modified_ns(path) else None

    def find(self, name: str) -> Function | None:
        """The function of that name, loaded; None when there is none. Raises BrokenFunction. Slow the first time."""
        path = self._path(name)
        modified_ns = _modified_ns(path) if path is not None else None
        if path is None or modified_ns is None:
            return None
        entry = self._loaded.get(path.stem)
        if entry is None or entry[0] != modified_ns:
            entry = (modified_ns, self._load(path))
            self._loaded[path.stem] = entry
        return entry[1]

    def load_all(self) -> Iterator[Function]:
        """Every function that loads, by name."""
        for stem in sorted(path.stem for path in self._folder.glob("*.py") if _NAME.fullmatch(path.stem)):
            try:
                function = self.find(stem)
            except BrokenFunction as error:  # a call of it is answered with BOOT_ERROR
                log.warning("%s", error)
                continue
            if function is not None:
                yield function

    def _path(self, name: str) -> Path | None:
        return self._folder / f"{name.replace('-', '_')}.py" if _NAME.fullmatch(name) else None

    def _load(self, path: Path) -> Function:
        from muster_functions.runtime.fastapi_function import make_function

        try:
            return make_function(path.stem.replace("_", "-"), self._import(path), self._provided)
        except Exception as error:
            raise BrokenFunction(f"{path}: {type(error).__name__}: {error}") from error

    def _import(self, path: Path) -> ModuleType:
        if self._package is None:
            return _run_file(path, f"_function_{path.stem}")
        name = f"{self._package}.{path.stem}"
        return _run_file(path, name) if path.stem in self._loaded else importlib.import_module(name)


def _run_file(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("no Python module")
    module = importlib.util.module_from_spec(spec)
    # compiled from source: the bytecode cache can't tell apart two versions of the same second and size
    code = compile(path.read_text("utf-8"), str(path), "exec")
    sys.modules[name] = module
    exec(code, module.__dict__)
    return module


def _modified_ns(path: Path) -> int | None:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return None
