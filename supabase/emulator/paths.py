"""Where things lie, in a checkout or where a wheel was installed. Paths only: nothing is read here."""

from pathlib import Path

EMULATOR = Path(__file__).resolve().parent
CHECKOUT = EMULATOR.parents[1]
SUPABASE = CHECKOUT / "supabase"
# A wheel carries within the package what the checkout has beside it (setup.py).
_SHARE = EMULATOR / "share"
IS_INSTALLED = _SHARE.is_dir()


def _shared(name: str, in_checkout: str) -> Path:
    return _SHARE / name if IS_INSTALLED else CHECKOUT / in_checkout


CONFIG = _shared("config", "supabase/config")  # what both backends read
BOOTSTRAP = _shared("bootstrap", "sql/bootstrap")
EXTENSIONS = _shared("extensions", "sql/extensions")  # of the platform, for the embedded PostgreSQL
POSTGRES = _shared("postgres", "supabase/tools/postgres")  # which packages the embedded PostgreSQL is, and their lock
DENO = _shared("deno", "supabase/tools/deno")  # the same of Deno
