"""`python -m muster_cli`: what the muster script runs."""

import sys

from muster_cli.main import main

sys.exit(main())
