"""Which numbered statements of docs/specification.md the tests name: `python -m muster_product.specification`.

A test names a statement by writing its number (§4.12) in its title or docstring. Exit code 1 when a statement has no
test, or when a test names a statement that is not there.
"""

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from emulator.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "specification.md"
STATEMENT = re.compile(r"^- \*\*(§\d+\.\d+)\*\* (.+)$", re.MULTILINE)
NUMBER = re.compile(r"§\d+\.\d+")
CONTEXT = "*(context)*"  # such a statement introduces others, and owes no test
TEST_FILE = re.compile(r"(^|/)tests/|\.test\.tsx?$")


def statements(page: str) -> dict[str, str]:
    """Every statement's text by its number."""
    return dict(STATEMENT.findall(page))


def owed(page: str) -> set[str]:
    """The numbers of the statements that need a test."""
    return {number for number, text in statements(page).items() if not text.startswith(CONTEXT)}


def problems(page: str, tests: Iterable[tuple[str, str]]) -> Iterator[str]:
    """What is wrong, a line each. `tests` are the names and texts of the test files. Pure."""
    known, named = statements(page), set()
    for name, text in tests:
        for number in NUMBER.findall(text):
            named.add(number)
            if number not in known:
                yield f"{name} names {number}, which docs/specification.md does not have"
    for number in sorted(owed(page) - named, key=_order):
        yield f"no test names {number}: {known[number]}"


def _order(number: str) -> tuple[int, int]:
    section, _, ordinal = number.removeprefix("§").partition(".")
    return int(section), int(ordinal)


def test_files() -> Iterator[tuple[str, str]]:
    """Names and texts of the checkout's test files."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        path = CHECKOUT / name
        if TEST_FILE.search(name) and path.suffix in {".py", ".ts", ".tsx"} and path.exists():
            yield name, path.read_text("utf8")


def main(page: Path = PAGE) -> int:
    """Print every problem, or how many statements are covered."""
    text = page.read_text("utf8")
    found = list(problems(text, test_files()))
    for problem in found:
        sys.stderr.write(f"{problem}\n")
    if not found:
        sys.stdout.write(f"{len(owed(text))} statements, each named by a test\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
