"""Where things lie, in a checkout or where a wheel was installed. Paths only: nothing is read here."""

import sys
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SUPABASE = CHECKOUT / "supabase"
EMULATOR = SUPABASE / "emulator"
# What both backends read; pip puts it below the environment's prefix (pyproject.toml, data-files).
CONFIG = SUPABASE / "config" if (SUPABASE / "config").is_dir() else Path(sys.prefix) / "share" / "muster" / "config"
# Control and SQL files of the extensions that the embedded PostgreSQL lacks; in a wheel beside CONFIG.
EXTENSIONS = CHECKOUT / "sql" / "extensions" if (CHECKOUT / "sql").is_dir() else CONFIG.parent / "sql" / "extensions"
