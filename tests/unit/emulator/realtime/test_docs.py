"""docs/realtime.md names every setting that is read and every code that a join may be refused with."""

import inspect
import re
from pathlib import Path

from emulator.realtime import errors
from emulator.realtime.settings import DatabaseSettings, Limits, RealtimeSettings

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "realtime.md").read_text("utf8")


def test_every_setting_has_its_entry() -> None:
    groups = (RealtimeSettings, DatabaseSettings, Limits)
    read = {name for group in groups for names in group.variables().values() for name in names}
    assert "TENANT_MAX_JOINS_PER_SECOND" in read
    assert "DB_HOST" in read
    assert "BUS_DIR" in read
    assert {name for name in read if f"`{name}`" not in PAGE} == set()


def test_every_code_has_its_entry() -> None:
    codes = set(re.findall(r'Refused\("(\w+)"', inspect.getsource(errors)))
    assert len(codes) > 10
    assert {code for code in codes if f"`{code}`" not in PAGE} == set()
