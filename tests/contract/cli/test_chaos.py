"""kill -9 under load, for some seconds: what was acknowledged is there, and nothing but the documented refusals."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT
from tests.support.stack import CLEAN


@pytest.mark.slow
def test_no_acknowledged_write_is_lost(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "muster_cli", "bench", "chaos", "--seconds", "12", "--clients", "2"]
    command += ["--out", str(tmp_path / "chaos.json")]
    ran = subprocess.run(command, capture_output=True, text=True, env=CLEAN, cwd=CHECKOUT, timeout=240, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    result = json.loads(ran.stdout)
    assert result["acknowledged_writes"] > 20
    assert (result["lost_writes"], result["undocumented_failures"]) == (0, {})
    assert {kill["killed"] for kill in result["kills"]} >= {"PostgreSQL"}
    assert all(kill["recovered_s"] < 30 for kill in result["kills"])
