"""Which requests get a log line, what a line says, and the variables that decide it."""

import io
import json
import logging
from typing import Any

import pytest

from emulator.observe.logs import JsonLines, LogSettings, TextLines, wants_line
from emulator.settings import SettingsError


@pytest.mark.parametrize(
    ("requests", "status", "duration_s", "want"),
    [
        ("failed", 200, 0.1, False), ("failed", 404, 0.1, False), ("failed", 500, 0.1, True),
        ("failed", 200, 1.1, True), ("all", 200, 0.1, True), ("none", 500, 9.0, False),
    ],
)  # fmt: skip
def test_which_requests_get_a_line(requests: Any, status: int, duration_s: float, want: bool) -> None:
    assert wants_line(LogSettings(requests=requests), status, duration_s) is want


def test_text_lines_are_one_line_and_say_who(lines: io.StringIO) -> None:
    record = logging.makeLogRecord({"name": "auth", "levelname": "INFO", "msg": "a\x1b[31m\nb", "user": "x\ny"})
    said = TextLines().format(record)
    assert said.endswith(r"INFO auth a\x1b[31m\nb user=x\ny")
    assert "\n" not in said
    try:
        raise ValueError("broken")
    except ValueError:
        logging.getLogger("test").exception("with a trace")
    logged = json.loads(lines.getvalue())
    assert logged["level"] == "error"
    assert "ValueError: broken" in logged["exception"]
    assert "request_id" not in logged


@pytest.mark.parametrize("formatter", [TextLines(), JsonLines()], ids=["text", "json"])
def test_what_a_client_sends_does_not_fill_the_log(formatter: logging.Formatter) -> None:
    try:
        raise OSError(36, "File name too long", "y" * 60_000)
    except OSError as error:
        about = (OSError, error, error.__traceback__)
    record = logging.makeLogRecord({"msg": "z" * 60_000, "levelname": "ERROR", "exc_info": about})
    said = formatter.format(record)
    assert len(said) < 25_000
    assert "File name too long" in said


@pytest.mark.parametrize(
    ("name", "value"), [("FORMAT", "xml"), ("REQUESTS", "some"), ("LEVEL", "loud"), ("FORMAT", "json\n")]
)
def test_an_unusable_variable_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"MUSTER_LOG_{name}"):
        LogSettings.from_env({f"MUSTER_LOG_{name}": value})


def test_the_variables_are_read() -> None:
    env = {"MUSTER_LOG_FORMAT": "json", "MUSTER_LOG_REQUESTS": "ALL", "MUSTER_LOG_LEVEL": "warning"}
    assert LogSettings.from_env(env) == LogSettings(format="json", requests="all", level="warning")
    assert LogSettings.from_env({}) == LogSettings()
