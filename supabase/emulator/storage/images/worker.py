"""A process that computes images: requests as lines of JSON on its input, answers as lines on its output.

In a process of its own, with a bound on its memory, because decoders are large and their input is a stranger's. It is
ended when a job takes too long. `python -m emulator.storage.images.worker`.
"""

import json
import resource
import sys
from pathlib import Path
from typing import Any

MAX_MEMORY_BYTES = 1 << 30


def main() -> int:
    """Work until the input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from emulator.storage.images.compute import ImageRefused, compute

    for line in sys.stdin:
        job: dict[str, Any] = json.loads(line)
        try:
            media_type = compute(Path(job["source"]), Path(job["target"]), job["transform"], job["limits"])
            answer = {"media_type": media_type}
        except ImageRefused as error:
            answer = {"refused": str(error)}
        except MemoryError:
            answer = {"refused": "The source image resolution is too large to process"}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
