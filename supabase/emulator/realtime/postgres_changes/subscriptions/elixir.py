"""Values in Elixir's notation, which the original's texts quote."""

from collections.abc import Mapping, Sequence


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
    if isinstance(value, Sequence):
        return "[" + ", ".join(inspect(one) for one in value) + "]"
    return str(value)
