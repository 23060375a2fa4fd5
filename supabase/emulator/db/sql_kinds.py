"""What a statement of a migration is, as far as the way to run it depends on that. Pure; no SQL is parsed in full."""

import re
from dataclasses import dataclass
from typing import Literal

from emulator.db.sql_split import SqlStatement

# These fail inside a transaction block.
_ALONE = re.compile(
    r"(create\s+(unique\s+)?index\s+concurrently|drop\s+index\s+concurrently|reindex\b(?=.*\bconcurrently\b)|vacuum\b"
    r"|alter\s+system\b|cluster\b)",
    re.IGNORECASE | re.DOTALL,
)
_TRANSACTION = re.compile(
    r"(begin|start\s+transaction|commit|end|abort|rollback(?!(\s+(work|transaction))?\s+to\b)|prepare\s+transaction)\b",
    re.IGNORECASE,
)
_NO_TRANSACTION_MARK = re.compile(r"--\s*pg-delta:\s*transaction\s*=\s*false\s*$", re.IGNORECASE)
_COPY = re.compile(r"copy\b.*\bfrom\s+stdin\b", re.IGNORECASE | re.DOTALL)
_IDENTIFIER = r'("(?:[^"]|"")+"|[\w$]+)'
_ROLE = re.compile(
    rf"(create|drop)\s+(role|user|group)\s+(if\s+exists\s+)?(?!mapping\b)(?P<name>{_IDENTIFIER})", re.IGNORECASE
)
_DATABASE = re.compile(
    r"(alter\s+database\s+|alter\s+(?:role|user)\s+\S+\s+in\s+database\s+)(?:\"postgres\"|postgres)(?=\s)",
    re.IGNORECASE,
)
_INDEX = re.compile(r"create\s+index\b(?P<rest>.*?)\busing\s+(?P<method>\w+)", re.IGNORECASE | re.DOTALL)

_SUPERUSER = re.compile(
    rf"(?P<verb>create|alter|drop)\s+(?P<kind>event\s+trigger|publication|foreign\s+data\s+wrapper|extension)\s+"
    rf"(if\s+(not\s+)?exists\s+)?(?P<name>{_IDENTIFIER})",
    re.IGNORECASE,
)
_EVERYTHING = re.compile(r"\bfor\s+(all\s+tables|tables\s+in\s+schema)\b", re.IGNORECASE)
_ROLE_SETTING = re.compile(
    r"alter\s+(role|user)\s+\"?(?P<role>\w+)\"?\s+(in\s+database\s+\"?\w+\"?\s+)?(set|reset)\s+\"?(?P<name>[\w.]+)",
    re.IGNORECASE,
)
# What the image's supautils lets postgres set although PostgreSQL reserves it.
_SETTINGS = re.compile(
    r"(auto_explain|pg_net|pg_stat_statements|pgaudit|pgrst|plan_filter|safeupdate)\.|log_|session_replication_role$"
    r"|track_io_timing$|wal_compression$",
    re.IGNORECASE,
)
_ROLES = frozenset({"anon", "authenticated", "service_role", "authenticator", "postgres"})


@dataclass(frozen=True, slots=True)
class SuperuserStatement:
    """A statement that PostgreSQL reserves for superusers, and that role postgres may run on the image."""

    kind: Literal["event trigger", "publication", "foreign data wrapper", "extension", "role setting"]
    verb: str
    name: str


def runs_alone(statement: SqlStatement) -> bool:
    """Whether PostgreSQL refuses it inside a transaction block."""
    return _ALONE.match(statement.body) is not None


def controls_transactions(statements: list[SqlStatement]) -> bool:
    """Whether the file opens or ends transactions itself, or says in its first line that it wants none."""
    if statements and _NO_TRANSACTION_MARK.match(statements[0].text.partition("\n")[0]):
        return True
    return any(_TRANSACTION.match(statement.body) for statement in statements)


def copies_from_stdin(statement: SqlStatement) -> bool:
    """COPY ... FROM STDIN, which needs a client that sends the rows."""
    return _COPY.match(statement.body) is not None


def index_method(statement: SqlStatement) -> str | None:
    """The access method of a CREATE INDEX that names one; None for unique indexes, which are rules, too."""
    match = _INDEX.match(statement.body)
    return match["method"].lower() if match else None


def changed_role(statement: SqlStatement) -> str | None:
    """The role that a CREATE or DROP ROLE, USER or GROUP makes or removes."""
    match = _ROLE.match(statement.body)
    return unquote(match["name"]) if match else None


def for_database(statement: SqlStatement, name: str) -> str:
    """The text with database `postgres`, where it is altered, replaced by another one."""
    comments = statement.text[: len(statement.text) - len(statement.body)]
    quoted = '"' + name.replace('"', '""') + '"'
    match = _DATABASE.match(statement.body)
    return comments + (match[1] + quoted + statement.body[match.end() :] if match else statement.body)


def superuser_statement(statement: SqlStatement) -> SuperuserStatement | None:
    """What the statement needs a superuser for; None when it needs none."""
    body = statement.body
    if match := _SUPERUSER.match(body):
        kind = " ".join(match["kind"].lower().split())
        verb = match["verb"].lower()
        if kind == "publication" and verb == "create" and not _EVERYTHING.search(body):
            return None
        return SuperuserStatement(kind, verb, unquote(match["name"]))  # type: ignore[arg-type]
    if (match := _ROLE_SETTING.match(body)) and match["role"].lower() in _ROLES and _SETTINGS.match(match["name"]):
        return SuperuserStatement("role setting", "alter", match["role"].lower())
    return None


def unquote(name: str) -> str:
    """An identifier as the catalog has it."""
    if name.startswith('"'):
        return name[1:-1].replace('""', '"')
    return name.lower()
