"""What a process may ask about another one of this machine."""

import os
from contextlib import suppress
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether a process lives."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    with suppress(OSError):  # Linux: a dead child that nobody waited for is no server
        return b") Z " not in Path(f"/proc/{pid}/stat").read_bytes()
    return True
