"""The services as a Python package for other projects: `pip install` of a checkout brings everything they need."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT, CONFIG

PACKAGES = {
    "cli/muster_cli": "muster_cli",
    "cli/muster_product": "muster_product",
    "edge_functions/muster_functions": "muster_functions",
    "supabase/emulator": "emulator",
}


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
    for name in tracked("pyproject.toml", "README.md", "LICENSE", "supabase/config", *PACKAGES):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(CHECKOUT / name, source / name)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", str(built), "."],
        cwd=source, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = built.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(built / "site")
    return built / "site"


def test_every_module_and_template_is_in_the_wheel(installed: Path) -> None:
    for folder, package in PACKAGES.items():
        wanted = {Path(name).relative_to(folder) for name in tracked(folder)}
        found = {path.relative_to(installed / package) for path in (installed / package).rglob("*") if path.is_file()}
        assert found == wanted


def test_what_both_backends_read_is_in_the_wheel(installed: Path) -> None:
    """pip puts it below the environment's prefix, where emulator/paths.py looks outside of a checkout."""
    (data,) = installed.glob("*.data")
    found = {path.name: path.read_bytes() for path in (data / "data" / "share" / "muster" / "config").iterdir()}
    assert found == {path.name: path.read_bytes() for path in CONFIG.iterdir()}


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
