"""The services as a Python package for other projects: `pip install` of a checkout brings everything they need."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT

PACKAGES = {
    "cli/muster_cli": "muster_cli",
    "cli/muster_product": "muster_product",
    "edge_functions/muster_functions": "muster_functions",
    "supabase/emulator": "emulator",
}
# Where setup.py puts what lies beside the packages.
SHARED = {"supabase/config": "config", "sql/bootstrap": "bootstrap", "sql/extensions": "extensions"}
TOOLS = ("postgres", "deno")  # of supabase/tools: what npm installs at the first start that needs it
LOCKED = ("package.json", "package-lock.json", ".npmrc")
BUILD_INPUTS = ("pyproject.toml", "setup.py", "README.md", "LICENSE", *(f"supabase/tools/{name}" for name in TOOLS))


def tracked(*paths: str) -> list[str]:
    """The files of the checkout below some paths, without what is only lying about."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *paths],
        cwd=CHECKOUT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [name for name in listed.stdout.split("\0") if name and (CHECKOUT / name).is_file()]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy (building leaves folders behind) and unpacked as pip does."""
    source, built = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("built")
    for name in tracked(*BUILD_INPUTS, *SHARED, *PACKAGES):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / name, source / name)
    # What pip asks for; pip itself would take as long again.
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", build, str(built)], cwd=source, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(built / "site")
    return built / "site"


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def test_every_module_and_template_is_in_the_wheel(installed: Path) -> None:
    for folder, package in PACKAGES.items():
        wanted = {Path(name).relative_to(folder) for name in tracked(folder)}
        assert {path for path in files(installed / package) if path.parts[0] != "share"} == wanted


def test_what_lies_beside_the_packages_is_in_the_wheel(installed: Path) -> None:
    share = installed / "emulator" / "share"
    for folder, name in SHARED.items():
        wanted = {Path(each).relative_to(folder) for each in tracked(folder)}
        assert files(share / name) == wanted
        assert all((share / name / each).read_bytes() == (CHECKOUT / folder / each).read_bytes() for each in wanted)
    for name in TOOLS:
        assert files(share / name) == {Path(each) for each in LOCKED}


def test_the_packages_have_names_of_their_own(installed: Path) -> None:
    assert {path.name for path in installed.iterdir() if path.suffix != ".dist-info"} == set(PACKAGES.values())


@pytest.mark.parametrize("module", ["emulator.rest", "emulator.auth", "emulator.realtime", "muster_functions"])
def test_a_service_starts_from_the_wheel(installed: Path, tmp_path: Path, module: str) -> None:
    """It gets as far as saying, in a line, which variable it lacks or can't use."""
    done = subprocess.run(
        [sys.executable, "-m", module], cwd=tmp_path, env={"PYTHONPATH": str(installed), "PGRST_SERVER_PORT": "none"},
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert str(CHECKOUT) not in done.stderr
    assert done.stderr.count("\n") <= 3, done.stderr
