"""Values in Elixir's notation, which the original's texts quote."""

from collections.abc import Mapping, Sequence

WIDTH = 80  # of a line of inspect(value, pretty: true)


def inspect(value: object) -> str:
    """A value as Kernel.inspect/1 prints it: https://hexdocs.pm/elixir/Kernel.html#inspect/2"""
    if value is None:
        return "nil"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, Mapping):
        return "%{" + ", ".join(f"{inspect(name)} => {inspect(value[name])}" for name in sorted(value)) + "}"
    if isinstance(value, tuple):
        return "{" + ", ".join(inspect(one) for one in value) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(inspect(one) for one in value) + "]"
    return str(value)


def inspect_pretty(tuples: Sequence[tuple[object, ...]]) -> str:
    """A list of tuples as `inspect(list, pretty: true)` prints it: too long for a line, a tuple starts one of its own.

    The elements of a tuple are simple, and fill its lines (Inspect.Algebra.container_doc/6).
    """
    line = inspect(list(tuples))
    if len(line) <= WIDTH:
        return line
    return "[\n  " + ",\n  ".join(_fill(one) for one in tuples) + "\n]"


def _fill(elements: tuple[object, ...]) -> str:
    indent = 2
    lines = [" " * indent + "{" + inspect(elements[0])]
    for one in elements[1:]:
        text = inspect(one)
        lines[-1] += ","
        if len(lines[-1]) + len(text) + 2 <= WIDTH:  # a blank before, a comma or brace behind
            lines[-1] += " " + text
        else:
            lines.append(" " * (indent + 1) + text)
    return "\n".join(lines).strip() + "}"
