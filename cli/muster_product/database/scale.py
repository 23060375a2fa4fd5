"""Generate any number of members, posts and messages, to measure a stack under load.

Set-based: PostgreSQL computes the rows from their numbers and the seed, so the same arguments give the same community
(times count back from today). Activity is skewed: few members have much, many have little. Not for demonstration: that
is sql/seeds/dev. Needs a superuser: triggers and foreign keys are disabled during the load, whose rows are consistent
by construction, and the secondary indexes of the big tables are rebuilt afterwards.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
from psycopg import sql

from muster_product.database import scale_sql as seed_sql

# Called as (what, done, total) after each batch; `what` is a table or "indexes" or "statistics".
Progress = Callable[[str, int, int], None]

BATCH = 100_000
WORTH_LEAVING_OUT = 500_000  # posts and messages, from where rebuilding the indexes is faster
_BIG = ("messages", "posts", "comments", "reactions", "notifications", "connections", "profiles")


@dataclass(frozen=True)
class Scale:
    """How much to generate. Other tables follow from members and posts (see `rows`)."""

    members: int = 10_000
    posts: int = 50_000
    messages: int = 200_000
    seed: int = 1

    def __post_init__(self) -> None:
        if self.members < 10 or self.posts < 0 or self.messages < 0:
            raise ValueError("at least 10 members, and no negative numbers")

    def rows(self) -> dict[str, int]:
        """How many rows of each table are generated, in order. Duplicate pairs are skipped."""
        return {
            "members": self.members,
            "connections": self.members * 10,
            "posts": self.posts,
            "articles": min(self.posts // 1000, 80),
            "comments": self.posts,
            "reactions": self.posts,
            "messages": self.messages,
            "notifications": self.members * 10,
            "certifications": self.members * 2,
            "career_milestones": self.members,
            "waitlist": self.members // 2,
            "feedback": self.members // 50,
        }


def seed_scale(dsn: str, scale: Scale, progress: Progress, password_hash: str = "") -> dict[str, int]:
    """Generate the community; returns how many rows of each table were written.

    `dsn` is a superuser's. With a bcrypt `password_hash` every member (member1@scale.test, ...) can sign in with its
    password. Existing rows stay; the same seed adds nothing a second time, another seed adds a second community.
    """
    written = {}
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("set synchronous_commit = off")
        connection.execute("set maintenance_work_mem = '512MB'")
        connection.execute("set work_mem = '128MB'")
        connection.execute(_with_numbers(seed_sql.PREPARE, scale))
        totals = scale.rows()
        with _without_indexes(connection, progress, enough=scale.posts + scale.messages >= WORTH_LEAVING_OUT):
            for what, total in totals.items():
                statements = [_with_numbers(statement, scale) for statement in seed_sql.STATEMENTS[what]]
                written[what] = _fill(connection, what, statements, total, password_hash, progress)
        progress("statistics", 0, 1)
        connection.execute("delete from private.daily_stats")
        for derived in ("conversations", "accounts", "quiz_answers", "post_words", "directory"):
            connection.execute(f"select private.rebuild_{derived}()")
        connection.execute("vacuum analyze")
        progress("statistics", 1, 1)
    return written


def _with_numbers(statement: str, scale: Scale) -> bytes:
    """A statement of seed_sql with the numbers of the scale in it. Integers only, so nothing needs quoting."""
    numbers = {
        "seed": scale.seed,
        "members": scale.members,
        "posts": scale.posts,
        "conversations": max(scale.messages // 25, 1),
    }
    for name, number in numbers.items():
        statement = statement.replace("{" + name + "}", str(int(number)))
    return statement.encode()


def _fill(
    connection: psycopg.Connection, what: str, statements: list[bytes], total: int, password_hash: str,
    progress: Progress,
) -> int:  # fmt: skip
    """Run the statements of one kind batch by batch; returns the rows of the last one."""
    written = 0
    progress(what, 0, total)
    for low in range(1, total + 1, BATCH):
        high = min(low + BATCH - 1, total)
        with connection.transaction():
            for statement in statements:
                done = connection.execute(statement, {"low": low, "high": high, "password_hash": password_hash})
        written += done.rowcount
        progress(what, high, total)
    return written


@contextmanager
def _without_indexes(connection: psycopg.Connection, progress: Progress, enough: bool) -> Iterator[None]:
    """Drop the secondary indexes of the big tables for a block, if the load is big enough to gain.

    They come back whatever happens. Indexes of constraints, and unique ones that keep rows right, stay.
    """
    definitions: list[tuple[str, str]] = []
    if enough:
        definitions = connection.execute(seed_sql.SECONDARY_INDEXES, {"tables": list(_BIG)}).fetchall()
        for name, _ in definitions:
            connection.execute(sql.SQL("drop index public.{}").format(sql.Identifier(name)))
    try:
        yield
    finally:
        for done, (_, definition) in enumerate(definitions):
            progress("indexes", done, len(definitions))
            connection.execute(definition.encode())
        if definitions:
            progress("indexes", len(definitions), len(definitions))
