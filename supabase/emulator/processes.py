"""Other processes of this machine."""

import os
from contextlib import suppress
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether a process is running."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError):  # Linux: a zombie does not run any more
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    return True
