"""Mails as files in a folder: one `.eml` each, named by time of arrival; the oldest go when there are too many."""

import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path

from emulator.mailbox.message import Message, parse_message

_ID = re.compile(r"[0-9]{13,16}-[0-9a-f]{8}")


class MailStore:
    """The folder. Parsed mails are kept in memory, as files never change."""

    def __init__(self, folder: Path, max_messages: int = 500) -> None:
        self._folder, self._max = folder, max_messages
        self._parsed: dict[str, Message] = {}
        self._last_ms = 0

    def open(self) -> None:
        """Make the folder, for this user only."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def add(self, raw: bytes) -> str:
        """Keep a mail; returns its id. Ids of one process always ascend."""
        self._last_ms = max(self._last_ms + 1, time.time_ns() // 1_000_000)
        message_id = f"{self._last_ms:013d}-{secrets.token_hex(4)}"
        partial = self._folder / f".{message_id}.partial"
        partial.write_bytes(raw)
        partial.chmod(0o600)
        partial.rename(self._path(message_id))
        for old in self.ids()[self._max :]:
            self.delete(old)
        return message_id

    def ids(self) -> list[str]:
        """All ids, newest first."""
        names = (path.name.removesuffix(".eml") for path in self._folder.glob("*.eml"))
        return sorted((name for name in names if _ID.fullmatch(name)), reverse=True)

    def get(self, message_id: str) -> Message | None:
        """One mail."""
        if _ID.fullmatch(message_id) is None:
            return None
        if message_id not in self._parsed:
            raw = self.raw(message_id)
            if raw is None:
                return None
            self._parsed[message_id] = parse_message(message_id, raw)
        return self._parsed[message_id]

    def raw(self, message_id: str) -> bytes | None:
        """One mail as it came."""
        if _ID.fullmatch(message_id) is None:
            return None
        try:
            return self._path(message_id).read_bytes()
        except FileNotFoundError:
            return None

    def search(self, query: str = "", to: str = "") -> Iterator[Message]:
        """Mails that match, newest first."""
        for message_id in self.ids():
            message = self.get(message_id)
            if message is not None and message.matches(query) and (not to or message.is_to(to)):
                yield message

    def delete(self, message_id: str) -> bool:
        """Forget one mail; False when there was none."""
        if _ID.fullmatch(message_id) is None:
            return False
        self._parsed.pop(message_id, None)
        try:
            self._path(message_id).unlink()
        except FileNotFoundError:
            return False
        return True

    def clear(self) -> None:
        """Forget all."""
        for message_id in self.ids():
            self.delete(message_id)

    def _path(self, message_id: str) -> Path:
        return self._folder / f"{message_id}.eml"
