"""Whether the house is well: every service is asked through its own door, all at once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Check = Callable[[], Awaitable[bool]]
TIMEOUT_S = 3.0


@dataclass(frozen=True)
class Health:
    """What each service said; the house is well when all are."""

    services: Mapping[str, bool]

    @property
    def well(self) -> bool:
        """Whether every service answered that it is."""
        return all(self.services.values())


async def examine(checks: Mapping[str, Check]) -> Health:
    """Ask every service at once; who does not answer within TIMEOUT_S is not well."""
    answers = await asyncio.gather(*(_answer(check) for check in checks.values()))
    return Health(dict(zip(checks, answers, strict=True)))


async def _answer(check: Check) -> bool:
    try:
        return await asyncio.wait_for(check(), TIMEOUT_S)
    except Exception:  # whatever a service raises, the answer is no
        return False
