"""Log lines, for people or as JSON, each with the id of its request. Configured by MUSTER_LOG_* in every process."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Annotated, Literal, TextIO

from pydantic import BeforeValidator

from emulator.observe import trace
from emulator.settings import Settings

Lower = BeforeValidator(str.lower)
SLOW_S = 1.0
LONGEST_MESSAGE = 4_000
LONGEST_EXCEPTION = 16_000
# What every record has; the rest was given by the caller and belongs to the line.
_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class LogSettings(Settings):
    """`requests`: which of them get a line (failed: 5xx, and what took longer than SLOW_S)."""

    prefix = "MUSTER_LOG_"

    format: Annotated[Literal["text", "json"], Lower] = "text"
    requests: Annotated[Literal["failed", "all", "none"], Lower] = "failed"
    level: Annotated[Literal["debug", "info", "warning", "error"], Lower] = "info"


def configure(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Send every log line of this process to standard error (or `stream`)."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if settings.format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.level.upper())
    for chatty in ("httpx", "httpcore", "uvicorn.error", "asyncio", "mail.log"):
        logging.getLogger(chatty).setLevel(max(logging.WARNING, root.level))


def wants_line(settings: LogSettings, status: int, duration_s: float) -> bool:
    """Whether a request gets a line of its own."""
    if settings.requests == "failed":
        return status >= 500 or duration_s > SLOW_S
    return settings.requests == "all"


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request_id, and what the caller gave as `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line."""
        line: dict[str, object] = {
            "time": _time(record), "level": record.levelname.lower(), "logger": record.name,
            "message": _cut(record.getMessage(), LONGEST_MESSAGE),
        }  # fmt: skip
        request = trace.current.get()
        if request is not trace.NO_REQUEST:
            line["request_id"] = request.id
        line |= {name: value for name, value in vars(record).items() if name not in _USUAL}
        if record.exc_info:
            line["exception"] = _cut(self.formatException(record.exc_info), LONGEST_EXCEPTION)
        return json.dumps(line, ensure_ascii=False, default=str, separators=(",", ":"))


class TextLines(logging.Formatter):
    """Time, level, logger, the request's id in brackets, message, then `extra` as name=value. Controls are escaped."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as a line (and the lines of its exception)."""
        request = trace.current.get()
        about = "" if request is trace.NO_REQUEST else f" [{request.id}]"
        extra = "".join(f" {name}={value}" for name, value in vars(record).items() if name not in _USUAL)
        said = _printable(_cut(record.getMessage(), LONGEST_MESSAGE) + extra)
        line = f"{_time(record)} {record.levelname} {record.name}{about} {said}"
        if not record.exc_info:
            return line
        return f"{line}\n{_cut(self.formatException(record.exc_info), LONGEST_EXCEPTION)}"


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _cut(text: str, longest: int) -> str:
    """A text without its middle when it is too long: what a client sent must not fill the disk."""
    if len(text) <= longest:
        return text
    return f"{text[: longest // 2]} ... {len(text) - longest} characters ... {text[-(longest // 2) :]}"


def _printable(text: str) -> str:
    """Escape controls: input must not write a second line, or a terminal's commands, into the log."""
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
