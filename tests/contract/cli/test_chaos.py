"""kill -9 under load, three times: what was acknowledged is there, and nothing but the documented refusals."""

import json
from pathlib import Path

import pytest

from emulator.paths import CHECKOUT
from tests.support.commands import in_shell, run
from tests.support.stack import CLEAN
from tests.support.stack_template import FillHome


@pytest.mark.slow
def test_no_acknowledged_write_is_lost(tmp_path: Path, fill_home: FillHome) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    fill_home(home)
    options = ["--kills", "3", "--between", "0.3", "1.5", "--clients", "2", "--home", str(home), "--muster", in_shell()]
    options += ["--out", str(tmp_path / "chaos.json")]
    ran = run("bench", "chaos", *options, env=CLEAN, cwd=str(CHECKOUT), timeout_s=240)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    result = json.loads(ran.stdout)
    assert result["acknowledged_writes"] > 20
    assert (result["lost_writes"], result["undocumented_failures"]) == (0, {})
    assert [kill["killed"] for kill in result["kills"]] == ["PostgreSQL", "PostgreSQL", "services"]
    assert all(kill["recovered_s"] < 30 for kill in result["kills"])
