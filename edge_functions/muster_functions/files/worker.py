"""The process that cleans one picture: its bytes on the input; a line of JSON, then the new bytes, on the output.

In a process of its own, with bounds on memory and time, because decoders are large and their input is a stranger's.
`python -m muster_functions.files.worker`.
"""

import json
import resource
import sys
from dataclasses import asdict

MAX_MEMORY_BYTES = 1 << 30
MAX_CPU_S = 20


def main() -> int:
    """Clean what comes in; a refusal is an answer, too."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from muster_functions.files.cleaning import NotAPicture, TooManyPixels, clean

    data = sys.stdin.buffer.read()
    try:
        made = asdict(clean(data))
    except NotAPicture:
        made = {"refused": "not a picture"}
    except (TooManyPixels, MemoryError):
        made = {"refused": "too many pixels"}
    pixels = made.pop("data", b"")
    sys.stdout.buffer.write(json.dumps(made).encode() + b"\n" + pixels)
    return 0


if __name__ == "__main__":
    sys.exit(main())
