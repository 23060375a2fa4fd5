"""The docs are true: every command they show is run, and what can be looked up is compared with the code."""

import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from emulator.paths import CHECKOUT
from muster_cli.main import make_app
from muster_cli.reference import reference
from muster_cli.stack.compose import Choices, make_env
from tests.support.commands import in_shell
from tests.support.compose import COMPOSE_FILE
from tests.support.postgres import free_port
from tests.support.stack import CLEAN, RunningStack, start_stack, stop_stack
from tests.support.stack_template import FillHome

DOCS = CHECKOUT / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *CHECKOUT.glob("*.md")])
# Linked to already and on their way.
COMING: set[str] = set()
# The homes of the other stacks that the pages start.
OTHERS = ("second-stack", "test-stack", "rehearsal")
# Run elsewhere or not at all, each for its reason.
NOT_HERE = {
    "test": "runs this very suite",
    "users create": "asks for a password; tests/contract/cli",
    "reset --yes": "these very words are run, and their effect looked at, in tests/contract/cli/test_operations.py",
    "restart": "the same",
    "keys rotate --database --yes": "the same",
    "bench": "takes minutes; tests of its own",
    "shots": "drives Chromium",
    "--stack containers": "needs Docker; tests/contract/containers and CI",
    "config check": "judges the containers' .env of this checkout",
    "migrate new": "writes into supabase/migrations",
    "types": "writes web/src/lib",
    "schema": "writes sql/schema.sql",
}  # fmt: skip


def shell_lines(page: Path) -> Iterator[str]:
    """The commands of a page's shell blocks, without comments."""
    for block in re.findall(r"^```sh\n(.*?)^```", page.read_text("utf8"), re.MULTILINE | re.DOTALL):
        for line in block.replace("\\\n", " ").splitlines():
            yield from [re.sub(r"\s+#.*", "", line).strip()] if line.strip() else []


def muster_lines(*pages: Path) -> list[tuple[str, str]]:
    """Every line that names ./muster, with its page; each once."""
    found = {line: page.name for page in pages for line in shell_lines(page) if "./muster" in line}
    return [(page, line) for line, page in found.items()]


def commands_of(line: str) -> Iterator[list[str]]:
    """The arguments of each ./muster in a line of shell."""
    for part in re.findall(r"\./muster((?:[^|&;()\"']|\"[^\"]*\"|'[^']*')*)", line):
        yield shlex.split(part.split(">")[0])


@pytest.mark.parametrize(("page", "line"), muster_lines(*PAGES))
def test_a_documented_command_exists_with_its_options(page: str, line: str) -> None:
    for arguments in commands_of(line):
        _parse(make_app(), ["muster"], arguments, f"{page}: {line}")


def _parse(command: Any, path: list[str], arguments: list[str], where: str) -> None:
    """Follow the sub-commands; the last one must take what is left."""
    children = getattr(command, "commands", {})
    if children and arguments and not arguments[0].startswith("-"):
        assert arguments[0] in children, where
        _parse(children[arguments[0]], [*path, arguments[0]], arguments[1:], where)
    elif "--help" not in arguments and "--install-completion" not in arguments:
        command.make_context(" ".join(path), list(arguments))


def runnable() -> list[str]:
    """What is run, in the order of the pages, on one stack."""
    pages = [DOCS / name for name in ("getting-started.md", "operating.md", "library.md")]
    lines = [line for page in pages for line in shell_lines(page) if "./muster" in line]
    return [line for line in lines if not any(f" {words}" in line for words in NOT_HERE)]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome) -> Iterator[tuple[RunningStack, Path]]:
    folder = tmp_path_factory.mktemp("docs")
    for name in ("home", *OTHERS):
        fill_home(folder / name)
    stack = start_stack(folder / "home", free_port(), "--no-web")
    try:
        yield stack, folder
    finally:
        stop_stack(stack.home)
        for left in OTHERS:
            stop_stack(folder / left)


def test_every_documented_command_runs(running: tuple[RunningStack, Path]) -> None:
    """As a reader would: one after the other, `~` a folder of the test's, ports of the test's, no web to build."""
    stack, folder = running
    environment = {
        **CLEAN, "HOME": str(folder), "MUSTER_HOME": str(stack.home), "MUSTER_PORT": str(stack.port), "SMTP_HOST": "",
    }  # fmt: skip
    failed, is_up = [], True
    for line in runnable():
        starts = re.fullmatch(r"(SMTP_HOST=\S+ )?\./muster up --detach( --public-url \S+| --no-web| --no-seed)*", line)
        if starts and is_up:
            _run("./muster down", folder, environment)
        elif not starts and not is_up:
            _run("./muster up --detach", folder, environment)
        ran = _run(line, folder, environment)
        is_up = line != "./muster down"
        if ran.returncode != 0:
            failed.append(f"{line}\n{ran.stdout}{ran.stderr}")
    assert failed == []
    assert len(runnable()) > 20


def _run(line: str, folder: Path, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", _here(line)], cwd=folder, env=environment, capture_output=True, text=True, check=False,
        stdin=subprocess.DEVNULL, timeout=300,
    )  # fmt: skip


def _here(line: str) -> str:
    """A line for this machine: our command, our ports, nothing built."""
    line = re.sub(r"--port \d+", lambda _: f"--port {free_port()}", line)
    line = re.sub(r"(\./muster up --detach)(?!.*--no-web)", r"\1 --no-web", line)
    return line.replace("./muster", in_shell())


def test_nothing_is_left_out_that_could_be_run() -> None:
    for words, reason in NOT_HERE.items():
        assert reason
        assert any(words in line for _, line in muster_lines(*PAGES)) or words == "shots", words


def test_the_reference_is_that_of_the_code() -> None:
    assert (DOCS / "cli.md").read_text("utf8") == reference(), "python -m muster_cli.reference > docs/cli.md"


def test_every_command_has_help_and_an_example() -> None:
    def leaves(command: Any, path: str) -> Iterator[tuple[str, Any]]:
        children = getattr(command, "commands", {})
        if not children or command.invoke_without_command:
            yield path, command
        for name, child in children.items():
            yield from leaves(child, f"{path} {name}")

    silent = [
        path for path, command in leaves(make_app(), "./muster") if f"Example: {path[:8]}" not in _example(command)
    ]
    assert silent == []


def _example(command: Any) -> str:
    """The example of a command's help; the line may begin with what feeds the command."""
    text = command.help or ""
    found = re.search(r"Example: .*\./muster", text, re.DOTALL)
    return "Example: ./muster" if found else text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
        if not target.startswith(("http://", "https://", "mailto:")):
            there = (page.parent / target).resolve()
            assert there.exists() or str(there.relative_to(CHECKOUT)) in COMING, f"{page.name} links to {target}"


def test_every_variable_of_the_env_file_is_explained() -> None:
    text = (DOCS / "operating.md").read_text("utf8")
    made = make_env(Choices("https://muster.example"), 0).keys()
    asked = set(re.findall(r"\$\{([A-Z_]+)", COMPOSE_FILE.read_text("utf8")))
    assert [name for name in sorted({*made, *asked}) if f"`{name}`" not in text] == []


def test_every_folder_has_its_line_in_the_map() -> None:
    text = (CHECKOUT / "README.md").read_text("utf8")
    listed = subprocess.run(["git", "ls-files"], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout
    tops = {line.split("/")[0] for line in listed.splitlines() if "/" in line and not line.startswith(".")}
    services = {
        f"supabase/emulator/{path.name}" for path in (CHECKOUT / "supabase" / "emulator").iterdir()
        if (path / "__init__.py").exists()
    }  # fmt: skip
    under = {"supabase/containers", "supabase/tools/cli", "supabase/tools/postgres"}
    missing = [name for name in sorted((tops - {"supabase", "sql"}) | services | under) if f"`{name}/" not in text]
    assert missing == []


def test_the_pages_name_no_folder_that_is_not_there() -> None:
    roots = "cli|web|sql|supabase|tests|docs|bench|edge_functions"
    images = r"supabase/(postgres|gotrue|realtime)"
    for page in PAGES:
        for name in re.findall(rf"`((?:{roots})/[\w./-]*)`", page.read_text("utf8")):
            if not name.startswith("web/dist") and not re.fullmatch(images, name):
                assert (CHECKOUT / name).exists() or name in COMING, f"{page.name}: {name}"


def test_the_environment_of_the_test_is_clean() -> None:
    assert not [name for name in CLEAN if name.startswith("MUSTER_")]
    assert os.environ.get("HOME")


@pytest.mark.parametrize("section", ["REST", "Storage", "Realtime", "Auth"])
def test_every_difference_names_the_test_that_holds_it(section: str) -> None:
    text = (DOCS / "known-differences.md").read_text("utf8")
    (body,) = re.findall(rf"^## {section} .*?\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    rows = [line for line in body.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 10
    files = {path.relative_to(CHECKOUT).as_posix() for path in (CHECKOUT / "tests").rglob("test_*.py")}
    for row in rows:
        named = re.findall(r"`((?:[\w.]+/)*test_\w+\.py)`", row.rsplit(" | ", 1)[1])
        assert named, row
        assert [name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in files)] == [], row
