"""Generated requests over all services of a small project's stack: none ends with an undocumented 500, or with nothing.

`./muster bench attack` sends 20,000 of them, and looks at memory.
"""

import asyncio
import shlex

from bench.attack import own_stack
from bench.attack_fuzz import SEED, requests, send
from tests.support.commands import in_shell


def test_generated_requests_end_as_documented() -> None:
    with own_stack(shlex.split(in_shell())) as (port, _, keys):
        statuses, undocumented = asyncio.run(send(port, keys, 400))
    assert undocumented == []
    assert sum(statuses.values()) == 400
    assert len(statuses) > 8, "requests of many kinds were answered in many ways"


def test_requests_are_the_same_for_the_same_seed() -> None:
    assert list(requests(("a", "b"), 50)) == list(requests(("a", "b"), 50, SEED))
    assert list(requests(("a", "b"), 50)) != list(requests(("a", "b"), 50, SEED + 1))
