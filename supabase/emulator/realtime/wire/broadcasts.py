"""A broadcast and the frames that carry it to receivers of either protocol version."""

from dataclasses import dataclass

from emulator.realtime.wire import payloads
from emulator.realtime.wire.frames import (
    FieldTooLong,
    Version,
    encode,
    encode_binary_broadcast,
    encode_user_broadcast,
)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A message for all subscribers of a topic: a payload map passed on as text, or an event with JSON or raw bytes.

    `is_push`: the bytes came without an event of their own.
    """

    name: str
    is_private: bool
    event: str | None = ""
    payload: bytes = b""
    is_json: bool = True
    metadata: str = ""
    text: str | None = None
    id: str = ""
    is_push: bool = False

    def frame(self, version: Version, topic: str) -> bytes | None:
        """The frame for receivers of one version; None where that version can't carry it."""
        if self.text is not None:
            return encode(version, None, None, topic, "broadcast", self.text)
        if version == 2:
            try:
                if self.is_push:
                    return encode_binary_broadcast(topic, "broadcast", self.payload)
                event = self.event or ""
                return encode_user_broadcast(topic, event, self.metadata, self.payload, is_json=self.is_json)
            except FieldTooLong:
                pass
        if not self.is_json:
            return None
        body = payloads.broadcast(self.event, self.payload.decode("utf-8", "replace"), self.metadata)
        return encode(version, None, None, topic, "broadcast", body)
