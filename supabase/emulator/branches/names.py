"""What branches and snapshots are called: in URLs, in host names, as databases and as folders. Pure.

A branch named pr-42: /branches/pr-42/rest/v1/..., http://pr-42.localhost:54321, database muster_branch_pr-42.
"""

import re
from typing import Literal

Kind = Literal["branch", "snapshot"]

PREFIX = "/branches/"
LONGEST = 40  # with the prefix within PostgreSQL's 63 bytes
RULE = f"1 to {LONGEST} of a-z, 0-9 and -, beginning and ending with a letter or digit"
MAIN = "main"  # the stack's own database
_NAME = re.compile(rf"[a-z0-9](?:[a-z0-9-]{{0,{LONGEST - 2}}}[a-z0-9])?")
_HOST = re.compile(rb"([a-z0-9-]+)\.localhost(?::[0-9]+)?", re.IGNORECASE)

BASE = "muster_base"  # migrations and seeds, as the files are
READY = "muster_ready_"  # copies of it that nobody has asked for yet
DROPPED = "muster_dropped_"  # on their way out
_DATABASES: dict[Kind, str] = {"branch": "muster_branch_", "snapshot": "muster_snapshot_"}


def is_name(text: str) -> bool:
    """Whether a branch or a snapshot may be called so."""
    return _NAME.fullmatch(text) is not None and text != MAIN


def database_of(kind: Kind, name: str) -> str:
    """The database of a branch or a snapshot."""
    return _DATABASES[kind] + name


def name_of(kind: Kind, database: str) -> str | None:
    """The branch or the snapshot that a database is; None for any other one."""
    name = database.removeprefix(_DATABASES[kind])
    return name if name != database and is_name(name) else None


def split_path(path: str) -> tuple[str, str] | None:
    """The branch that a path names, and the path as its stack sees it; None for a path that names none."""
    name, slash, rest = path.removeprefix(PREFIX).partition("/")
    if not path.startswith(PREFIX) or not is_name(name):
        return None
    return name, f"/{rest}" if slash else "/"


def name_in_host(host: bytes) -> str | None:
    """The first label of `<name>.localhost`, with or without a port."""
    match = _HOST.fullmatch(host)
    name = match[1].decode("ascii").lower() if match else ""
    return name if is_name(name) else None
