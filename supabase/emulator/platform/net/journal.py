"""Which requests began to be written to a server: numbers in a file, each before its first byte goes out.

After a crash of this process it tells the requests that may have arrived from those that surely did not. What a crash
of the whole machine leaves is not believed, because the file is not synced: it names the boot that it belongs to.
"""

import os
import struct
from contextlib import suppress
from pathlib import Path

_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Journal:
    """The file of one database's sender; None where there is no folder for it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._descriptor: int | None = None

    def read(self) -> frozenset[int] | None:
        """The numbers; None when nothing is known."""
        if self._path is None:
            return None
        boot = _boot()
        try:
            content = self._path.read_bytes()
        except OSError:
            return None
        if boot is None or not content.startswith(boot):
            return None
        numbers = content[len(boot) :]
        return frozenset(number for (number,) in struct.iter_unpack("=q", numbers[: len(numbers) // 8 * 8]))

    def reset(self) -> None:
        """Begin anew, empty."""
        self.close()
        boot = _boot()
        if self._path is None or boot is None:
            return
        with suppress(OSError):  # then nothing is known after a crash
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND
            self._descriptor = os.open(self._path, flags, 0o600)
            os.write(self._descriptor, boot)

    def note(self, number: int) -> None:
        """A request is about to be written."""
        if self._descriptor is not None:
            os.write(self._descriptor, struct.pack("=q", number))

    def close(self) -> None:
        """Stop writing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _boot() -> bytes | None:
    try:
        return _BOOT.read_bytes()
    except OSError:
        return None
