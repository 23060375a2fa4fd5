"""What one process uses, read from /proc. Elsewhere than on Linux nothing is known, and only V8's own bound holds."""

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid: int) -> float:
    """The processor time of a process so far, in seconds; 0 when it can't be read."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_mb(pid: int) -> float:
    """The private memory of a process in MiB (resident, less what is shared with others); 0 when it can't be read."""
    try:
        fields = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0.0
    return (int(fields[1]) - int(fields[2])) * _PAGE / 1024 / 1024
