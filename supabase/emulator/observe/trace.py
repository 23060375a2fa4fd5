"""The request being served: an id that log lines, answers and SQL share. Pure but for one context variable.

An id that the client (or a proxy in front) brought is kept and marked as given: such a request is traced further, into
`application_name` of its SQL. One that we made costs nothing there; it stands in the answer and in the logs.
"""

import os
import re
from contextvars import ContextVar
from itertools import count
from typing import NamedTuple

HEADER = b"x-request-id"
LONGEST_APPLICATION_NAME = 63  # PostgreSQL cuts what is longer
_ACCEPTED = re.compile(rb"[A-Za-z0-9][A-Za-z0-9._:/+=@-]{0,127}")


class Trace(NamedTuple):
    """The request being served. `is_given`: the id came with it."""

    id: str
    is_given: bool


NO_REQUEST = Trace("-", False)
current: ContextVar[Trace] = ContextVar("current_request", default=NO_REQUEST)


def read(value: bytes | None) -> Trace | None:
    """The trace of a header's value; None when there is none, or none that is safe in logs and headers."""
    if value is None or _ACCEPTED.fullmatch(value) is None:
        return None
    return Trace(value.decode("ascii"), True)


_new = tuple.__new__  # what a named tuple's own constructor does, in a third of the time
# Ids that no other process makes: a random part, then a counter.
_process = os.urandom(6).hex()
_numbers = count(1)


def make() -> Trace:
    """A new trace."""
    return _new(Trace, (f"{_process}-{next(_numbers):06x}", False))


def application_name(service: str) -> str | None:
    """What SQL of a traced request runs as, such as `rest 7f3a`; None for a request that brought no id."""
    trace = current.get()
    return f"{service} {trace.id}"[:LONGEST_APPLICATION_NAME] if trace.is_given else None
