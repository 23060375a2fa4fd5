"""The build of the web application: once for its inputs, from nothing too."""

from pathlib import Path

import pytest

from muster_cli.stack import install
from muster_product import web


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A folder of the application without packages, npm replaced by what it leaves, and what npm was asked for."""
    done: list[str] = []
    (tmp_path / "package-lock.json").write_text("{}")
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.ts").write_text("1")

    def install_packages(folder: Path, _: object) -> None:
        done.append("packages")
        (folder / "node_modules").mkdir(exist_ok=True)

    def build(command: list[str], folder: Path, *_: object) -> None:
        done.append(command[-1])
        (folder / "dist").mkdir(exist_ok=True)

    monkeypatch.setattr(install, "_npm_ci", install_packages)
    monkeypatch.setattr(web, "run_npm", build)
    monkeypatch.delenv("MUSTER_WEB_DIST", raising=False)
    return done


def test_the_first_build_installs_and_a_second_does_nothing(built: list[str], tmp_path: Path) -> None:
    assert web.ensure_web(tmp_path) == tmp_path / "dist"
    assert web.ensure_web(tmp_path) == tmp_path / "dist"
    assert built == ["packages", "build"]


def test_a_changed_input_is_built_again(built: list[str], tmp_path: Path) -> None:
    web.ensure_web(tmp_path)
    (tmp_path / "src" / "a.ts").write_text("12")
    web.ensure_web(tmp_path)
    assert built == ["packages", "build", "build"]
