"""The map of ARCHITECTURE.md, held by a test: imports go down only, and what is called pure is pure.

The tables are in architecture.toml. What is read here is the syntax of every module, nothing is imported, so a test
also sees what a module imports within a function.
"""

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT, EMULATOR

ROOTS = {
    "emulator": EMULATOR,
    "muster_functions": CHECKOUT / "edge_functions" / "muster_functions",
    "muster_cli": CHECKOUT / "cli" / "muster_cli",
    "muster_product": CHECKOUT / "cli" / "muster_product",
}
TABLES = tomllib.loads((Path(__file__).parent / "architecture.toml").read_text("utf8"))
ARROWS: Mapping[str, Mapping[str, list[str]]] = TABLES["arrows"]
PURE: list[str] = TABLES["pure"]["modules"]
PROTOCOLS = ("rest", "auth", "realtime", "mailbox", "gateway")

# Names of this repository's product: its tables, mails, addresses and words.
PRODUCT = re.compile(
    r"firefight|waitlist|article|\bblog\b|feed\.xml|rss\b|sitemap|robots\.txt|muster\.(local|test)"
    r"|muster_functions|muster_product|mail_queue|quiz"
    r"|\b(posts|profiles|certifications|awards|mentions|reactions|career_milestones|invitations|feedback)\b",
    re.I,
)

# What a pure module does not import: clocks, randomness, files, sockets, threads, processes, databases, logs.
IMPURE = frozenset(
    {
        "aiosmtpd", "aiosmtplib", "asyncio", "concurrent", "fcntl", "glob", "http", "httpx", "io", "logging", "mmap",
        "multiprocessing", "os", "pathlib", "psycopg", "psycopg_pool", "queue", "random", "secrets", "select",
        "selectors", "shutil", "signal", "smtplib", "socket", "sqlite3", "ssl", "starlette", "subprocess", "sys",
        "tempfile", "threading", "time", "urllib.request", "uvicorn", "uvloop", "websockets", "httptools",
    }
)  # fmt: skip
# ... and what it may, although it lies in one of those: values and grammar only.
PURE_PARTS = frozenset(
    {"http.HTTPStatus", "psycopg.conninfo", "psycopg.errors", "psycopg.sql", "starlette.datastructures"}
)
# What it does not call.
IMPURE_CALLS = frozenset({"open", "input", "print", "uuid1", "uuid4", "now", "utcnow", "today", "urandom"})


@cache
def modules() -> Mapping[str, Path]:
    """Every module of the product by its dotted name."""
    found = {}
    for package, root in ROOTS.items():
        for file in sorted(root.rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            found[".".join((package, *parts)).removesuffix(".__init__")] = file
    return found


@dataclass(frozen=True)
class Syntax:
    """What the tests ask of a file; to walk through all of them takes seconds.

    `imports` is every name that it imports, in full: `from a import b` is `a.b`, which may be a module or not. `calls`
    is every name that it calls, the last part of it alone, with its line.
    """

    imports: frozenset[str]
    calls: tuple[tuple[str, int], ...]
    says_what_for: bool


@cache
def syntax_of(file: Path) -> Syntax:
    """Read a file, once."""
    tree = ast.parse(file.read_text("utf8"))
    imports, calls = set[str](), list[tuple[str, int]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            imports.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            calls.append((called, node.lineno))
    return Syntax(frozenset(imports), tuple(calls), bool(ast.get_docstring(tree)))


def imports_of(file: Path) -> frozenset[str]:
    """Every name that a file imports."""
    return syntax_of(file).imports


def is_within(name: str, packages: Iterable[str]) -> bool:
    """Whether a dotted name is one of these packages, or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@cache
def imported_modules(module: str) -> frozenset[str]:
    """The product's own modules that a module imports."""
    known = modules()
    found = set[str]()
    for name in imports_of(known[module]):
        named = name if name in known else name.rpartition(".")[0]
        if named in known:
            found.add(named)
    return frozenset(found - {module})


def offences(package: str, forbidden: tuple[str, ...]) -> list[str]:
    """Imports within a package that name a forbidden one."""
    return [
        f"{module} imports {name}"
        for module, file in modules().items()
        if is_within(module, [package])
        for name in sorted(imports_of(file))
        if is_within(name, forbidden)
    ]


def arrows(package: str) -> dict[str, set[str]]:
    """Who imports whom among the folders and the modules that lie directly in a package."""
    found: dict[str, set[str]] = {}
    depth = package.count(".") + 1
    for module in modules():
        if not module.startswith(f"{package}."):
            continue
        source = module.split(".")[depth]
        for target in imported_modules(module):
            if target.startswith(f"{package}.") and (part := target.split(".")[depth]) != source:
                found.setdefault(source, set()).add(part)
    return found


def impurities(module: str) -> Iterator[str]:
    """What keeps a module from being pure."""
    file = modules()[module]
    for name in sorted(imports_of(file)):
        if is_within(name, IMPURE) and not is_within(name, PURE_PARTS):
            yield f"{module} imports {name}"
    for name in sorted(imported_modules(module)):
        if not is_within(name, PURE) and name not in ROOTS:
            yield f"{module} imports {name}, which is not in the list of the pure"
    for called, line in syntax_of(file).calls:
        if called in IMPURE_CALLS:
            yield f"{module}:{line} calls {called}()"


@pytest.mark.parametrize("package", PURE)
def test_what_is_called_pure_is_pure(package: str) -> None:
    """No clock, no chance, no file, socket, thread or database, itself or through a module of ours."""
    within = [module for module in modules() if is_within(module, [package])]
    assert within, f"{package} is no more: take it out of architecture.toml"
    assert [problem for module in within for problem in impurities(module)] == []


@pytest.mark.parametrize("package", ARROWS)
def test_only_the_listed_arrows_are_there(package: str) -> None:
    """A new one needs its place in architecture.toml; one that is gone leaves it, so the list only shrinks."""
    want = {(source, target) for source, targets in ARROWS[package].items() for target in targets}
    got = {(source, target) for source, targets in arrows(package).items() for target in targets}
    assert sorted(f"{a} -> {b}" for a, b in got - want) == [], "not allowed"
    assert sorted(f"{a} -> {b}" for a, b in want - got) == [], "allowed, but no longer there: shorten architecture.toml"


@pytest.mark.parametrize("package", ARROWS)
def test_no_arrows_form_a_circle(package: str) -> None:
    try:
        TopologicalSorter(arrows(package)).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_protocol_knows_no_other(protocol: str) -> None:
    others = tuple(f"emulator.{other}" for other in PROTOCOLS if other != protocol)
    assert offences(f"emulator.{protocol}", (*others, "emulator.app", "muster_functions", "muster_cli")) == []


def test_the_database_layer_knows_nobody_above_it() -> None:
    above = tuple(f"emulator.{protocol}" for protocol in PROTOCOLS)
    assert offences("emulator.db", (*above, "emulator.app", "muster_functions", "muster_cli")) == []


def test_the_functions_know_only_the_shared_foundation() -> None:
    above = tuple(f"emulator.{protocol}" for protocol in (*PROTOCOLS, "app"))
    assert offences("muster_functions", (*above, "muster_cli")) == []


def test_the_general_control_plane_knows_no_project() -> None:
    assert offences("muster_cli", ("muster_product", "muster_functions")) == []


@pytest.mark.parametrize("package", ["emulator", "muster_cli"])
def test_what_is_general_names_no_product(package: str) -> None:
    """Neither in code nor in texts and data files: what a product adds comes by its Extension."""
    root = ROOTS[package]
    found = [
        f"{file.relative_to(root)}:{number}: {line.strip()}"
        for file in sorted(root.rglob("*"))
        if file.is_file() and "__pycache__" not in file.parts
        for number, line in enumerate(file.read_text("utf8").splitlines(), 1)
        if PRODUCT.search(line)
    ]
    assert found == []


def test_the_product_never_imports_its_tests() -> None:
    """But for the plugin that the wheel gives to other projects' tests."""
    for package in ROOTS:
        found = offences(package, ("tests", "pytest", "hypothesis"))
        assert [each for each in found if each != "muster_cli.pytest_plugin imports pytest"] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [module for module, file in modules().items() if not syntax_of(file).says_what_for]
    assert silent == []
