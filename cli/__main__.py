"""`python -m cli`: what the muster script runs."""

import sys

from cli.main import main

sys.exit(main())
