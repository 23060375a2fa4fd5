"""A test that hangs ends its process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).parents[3]
_CONFIG = ["-c", os.devnull, "-p", "tests.support.hangs"]


def run(folder: Path, test: str, hangs_s: float) -> subprocess.CompletedProcess[str]:
    (folder / "conftest.py").write_text(f"from tests.support import hangs\nhangs.HANGS_S = {hangs_s}\n")
    (folder / "test_it.py").write_text(f"import re, time\ndef test_it() -> None:\n    {test}\n")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *_CONFIG, "--rootdir", folder, folder],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
    )  # fmt: skip


@pytest.mark.parametrize(
    "test",
    [
        pytest.param("time.sleep(3600)", id="sleeps"),
        pytest.param("re.match('(a+)+$', 'a' * 60 + 'b')", id="keeps-the-interpreter"),
    ],
)
def test_a_hanging_test_ends_its_process_with_its_stack(tmp_path: Path, test: str) -> None:
    ended = run(tmp_path, test, 0.3)
    assert ended.returncode == 1
    assert "Timeout (0:00:00.3" in ended.stderr
    assert "test_it.py" in ended.stderr
    assert "passed" not in ended.stdout


def test_a_test_that_ends_in_time_is_left_alone(tmp_path: Path) -> None:
    ended = run(tmp_path, "pass", PATIENCE_S)
    assert (ended.returncode, "1 passed" in ended.stdout) == (0, True), ended.stdout + ended.stderr
