"""PostgreSQL's array literals, as far as the questions about row changes need them."""

from collections.abc import Iterable


def quote_array(texts: Iterable[str]) -> bytes:
    """A text[] literal."""
    quoted = (text.replace("\\", "\\\\").replace('"', '\\"') for text in texts)
    return ("{" + ",".join(f'"{text}"' for text in quoted) + "}").encode()


def split_array(literal: bytes | None) -> list[str]:
    """The elements of an array literal of numbers or booleans."""
    inner = (literal or b"{}")[1:-1].decode()
    return inner.split(",") if inner else []
