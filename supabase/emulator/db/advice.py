"""What to do about a statement that PostgreSQL refused, where its message does not say. Reads the migrations' texts."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from emulator.db.extensions import remedy
from emulator.db.failure import Failure
from emulator.paths import EXTENSIONS

_MISSING = {
    "42P01": re.compile(r'relation "(?:[\w$]+\.)?([^"]+)" does not exist'),
    "42704": re.compile(r'type "(?:[\w$]+\.)?([^"]+)" does not exist'),
    "3F000": re.compile(r'schema "([^"]+)" does not exist'),
}
_KINDS = {"42P01": "(?:table|view|sequence)", "42704": "(?:type|domain)", "3F000": "schema"}
_NOUNS = {"42P01": "table", "42704": "type", "3F000": "schema"}
_EXTENSION_SCHEMAS = {
    "cron": "pg_cron", "net": "pg_net", "pgmq": "pgmq", "pgsodium": "pgsodium", "vault": "supabase_vault",
}  # fmt: skip
_NOT_AVAILABLE = re.compile(r'extension "([^"]+)" is not available')
_PULL = "it was made outside of them: `supabase db pull` writes a migration that creates it"


@dataclass(frozen=True)
class Missing:
    """An object that a statement names and that is not there."""

    sqlstate: str
    name: str

    @classmethod
    def of(cls, failure: Failure) -> "Missing | None":
        """What a failure misses, if that is its reason."""
        pattern = _MISSING.get(failure.sqlstate)
        match = pattern.search(failure.message) if pattern else None
        return cls(failure.sqlstate, match[1]) if match else None


def advise(failure: Failure, missing: Missing | None, migrations: Path) -> Failure:
    """The failure with a hint: which later file makes the missing object, or that none does."""
    if (todo := remedy(failure.message) or _of_ours(failure.message)) is not None:
        return replace(failure, detail=None, hint=todo)
    if missing is None or failure.hint is not None:
        return failure
    if missing.sqlstate == "3F000" and (extension := _EXTENSION_SCHEMAS.get(missing.name)):
        return replace(failure, hint=f"the extension {extension} makes it: create extension {extension}")
    creators = [path.name for path in sorted(migrations.glob("*.sql")) if _creates(path, missing)]
    noun = _NOUNS[missing.sqlstate]
    if not creators:
        return replace(failure, hint=f"no migration creates the {noun} {missing.name}; {_PULL}")
    later = [name for name in creators if name > failure.file]
    if later == creators:
        return replace(failure, hint=f"{later[0]} creates the {noun}, later: files run in the order of their names")
    return failure


def _of_ours(message: str) -> str | None:
    """What to do when the system's PostgreSQL lacks an extension that the embedded one has, or nobody knows it."""
    found = _NOT_AVAILABLE.search(message)
    if found is None:
        return None
    if (EXTENSIONS / found[1]).is_dir():
        return f"{found[1]} comes with the embedded PostgreSQL: start without --postgres system"
    return f"neither this PostgreSQL nor the supabase/postgres image is known to have {found[1]}"


def _creates(path: Path, missing: Missing) -> bool:
    kind, name = _KINDS[missing.sqlstate], re.escape(missing.name)
    pattern = rf'\bcreate\s[^;()]*?\b{kind}\s+(?:if\s+not\s+exists\s+)?(?:"?[\w$]+"?\s*\.\s*)?"?{name}"?(?![\w$])'
    return re.search(pattern, path.read_text("utf8", "replace"), re.IGNORECASE) is not None
