"""Where things lie in a checkout. Paths only: nothing is read here."""

from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
SUPABASE = CHECKOUT / "supabase"
CONFIG = SUPABASE / "config"  # what both backends read
EMULATOR = SUPABASE / "emulator"
