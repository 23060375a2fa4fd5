"""`python -m muster_cli`, which the muster script runs, and the command `muster` of the installed package."""

import sys

WINDOWS = "muster: Windows itself is not supported; run it in WSL 2 (wsl --install), where it is Linux.\n"


def run() -> None:
    """Run one command and end with its exit code."""
    if sys.platform == "win32":  # locks, process groups, Unix sockets and uvloop are POSIX alone
        sys.exit(WINDOWS)
    from muster_cli.main import main

    sys.exit(main())


if __name__ == "__main__":
    run()
