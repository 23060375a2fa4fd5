"""A value at a dotted name, by which a product names what it adds."""

import importlib
from typing import TypeVar

T = TypeVar("T")


class LoadError(Exception):
    """Nothing usable is at the name; the message begins with it."""


def load_named(name: str, kind: type[T]) -> T:
    """The value at a name such as `package.module:NAME`. Raises LoadError when there is none of that class."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise LoadError(f"{name} can't be loaded: {error}") from error
    if not isinstance(found, kind):
        raise LoadError(f"{name} is no {kind.__module__}.{kind.__qualname__}")
    return found
