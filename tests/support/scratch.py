"""Where throw-away databases lie: in memory where there is enough of it.

A database is a thousand files. On ext4 each new file is looked for a place past all that were removed in the last
minute, so a run that makes and drops databases all the time spent more on that than on its statements.
"""

import os
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
# All workers of a run together; a container has 64 MiB there unless it is given more.
ENOUGH_BYTES = 4 << 30


def scratch_folder(prefix: str) -> Path:
    """A new folder that PostgreSQL's own user can reach; the caller removes it."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=MEMORY if _has_room(MEMORY) else "/tmp"))


def _has_room(folder: Path) -> bool:
    try:
        room = os.statvfs(folder)
    except OSError:
        return False
    return room.f_bavail * room.f_frsize >= ENOUGH_BYTES and os.access(folder, os.W_OK)
