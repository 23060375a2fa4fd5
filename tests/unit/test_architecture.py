"""Imports go down only: the map of ARCHITECTURE.md and README.md, held by a test."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT

EMULATOR = CHECKOUT / "supabase" / "emulator"
PROTOCOLS = ("rest", "auth", "realtime", "mailbox", "gateway")


def imports_of(file: Path) -> Iterator[str]:
    """Every module that a file imports, also inside functions."""
    for node in ast.walk(ast.parse(file.read_text("utf8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module


def offences(folder: Path, forbidden: tuple[str, ...]) -> list[str]:
    """Imports below a folder that start with a forbidden package."""
    return [
        f"{file.relative_to(CHECKOUT)} imports {name}"
        for file in sorted(folder.rglob("*.py"))
        for name in imports_of(file)
        if any(name == package or name.startswith(f"{package}.") for package in forbidden)
    ]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_knows_no_other(protocol: str) -> None:
    others = tuple(f"emulator.{other}" for other in PROTOCOLS if other != protocol)
    assert offences(EMULATOR / protocol, (*others, "emulator.app", "muster_functions", "muster_cli")) == []


def test_the_database_layer_knows_nobody_above_it() -> None:
    above = tuple(f"emulator.{protocol}" for protocol in PROTOCOLS)
    assert offences(EMULATOR / "db", (*above, "emulator.app", "muster_functions", "muster_cli")) == []


def test_the_functions_know_only_the_shared_foundation() -> None:
    above = tuple(f"emulator.{protocol}" for protocol in (*PROTOCOLS, "app"))
    assert offences(CHECKOUT / "edge_functions", (*above, "muster_cli")) == []


def test_the_product_never_imports_its_tests() -> None:
    for folder in (EMULATOR, CHECKOUT / "edge_functions", CHECKOUT / "cli"):
        assert offences(folder, ("tests", "pytest", "hypothesis")) == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(file.relative_to(CHECKOUT))
        for folder in (EMULATOR, CHECKOUT / "edge_functions", CHECKOUT / "cli")
        for file in sorted(folder.rglob("*.py"))
        if not ast.get_docstring(ast.parse(file.read_text("utf8")))
    ]
    assert silent == []
