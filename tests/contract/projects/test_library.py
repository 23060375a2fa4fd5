"""The call of docs/library.md, as it stands there, on a PostgreSQL and a project of the test's own."""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import yaml

from emulator.paths import CHECKOUT
from muster_cli.library import prepare
from muster_cli.output import UserError
from tests.support.postgres import make_cluster
from tests.support.stack import CLEAN

PAGE = (CHECKOUT / "docs" / "library.md").read_text("utf8")


def code(language: str, containing: str) -> str:
    (found,) = [text for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL) if containing in text]
    return str(found)


def test_the_documented_call_works(tmp_path: Path) -> None:
    shutil.copytree(CHECKOUT / "tests" / "projects" / "minimal", tmp_path / "minimal")
    folder = Path(tempfile.mkdtemp(prefix="muster-library-", dir="/tmp"))
    cluster = make_cluster(folder)
    try:
        script = code("python", "prepare(").replace("/path/to/project", str(tmp_path / "minimal"))
        script = re.sub(r"postgresql://[^\"]+", cluster.url("supabase_admin"), script)
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, env=CLEAN, timeout=60, check=False
        )
        assert done.stdout == "[{'id': 1, 'body': 'first'}, {'id': 2, 'body': 'second'}]\n", done.stderr
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def test_it_has_ten_lines() -> None:
    body = code("python", "prepare(")
    assert len([line for line in body.splitlines() if line.strip()]) <= 12


@pytest.mark.parametrize("url", ["postgresql://postgres@db.example/postgres", "no url at all"])
def test_a_database_elsewhere_is_refused_before_anything_is_done(tmp_path: Path, url: str) -> None:
    (tmp_path / "supabase").mkdir()
    with pytest.raises(UserError, match="another machine|can't be read"):
        prepare(tmp_path, url)
    assert not (tmp_path / ".muster").exists()


def test_the_documented_workflow_is_one() -> None:
    steps = yaml.safe_load(code("yaml", "muster start"))["jobs"]["test"]["steps"]
    assert [step["run"] for step in steps if "muster" in step.get("run", "")] == [
        "pip install muster", "muster start", 'muster status -o env >> "$GITHUB_ENV"', "muster stop",
    ]  # fmt: skip
