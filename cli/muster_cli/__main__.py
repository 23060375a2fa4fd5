"""`python -m muster_cli`, which the muster script runs, and the command `muster` of the installed package."""

import sys

from muster_cli.main import main


def run() -> None:
    """Run one command and end with its exit code."""
    sys.exit(main())


if __name__ == "__main__":
    run()
