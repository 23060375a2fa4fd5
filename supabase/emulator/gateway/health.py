"""The health of the whole: every service is asked by its own endpoint, all at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

HealthCheck = Callable[[], Awaitable[bool]]
TIMEOUT_S = 3.0
PAUSE_S = 0.02


@dataclass(frozen=True)
class Health:
    """Which services are healthy; the whole is when all are."""

    services: Mapping[str, bool]

    @property
    def is_healthy(self) -> bool:
        """Whether every service is."""
        return all(self.services.values())

    @property
    def unwell(self) -> tuple[str, ...]:
        """The services that are not."""
        return tuple(name for name, is_well in self.services.items() if not is_well)


async def check_health(checks: Mapping[str, HealthCheck]) -> Health:
    """Ask every service at once; one that does not answer within TIMEOUT_S is not healthy."""
    answers = await asyncio.gather(*(_answer(check) for check in checks.values()))
    return Health(dict(zip(checks, answers, strict=True)))


async def wait_until_healthy(ask: Callable[[], Awaitable[Health]], patience_s: float) -> tuple[str, ...]:
    """Ask until every service is healthy; which are not, when that takes too long."""
    deadline = time.monotonic() + patience_s
    while unwell := (await ask()).unwell:
        if time.monotonic() >= deadline:
            break
        await asyncio.sleep(PAUSE_S)
    return unwell


async def _answer(check: HealthCheck) -> bool:
    try:
        return await asyncio.wait_for(check(), TIMEOUT_S)
    except Exception:  # whatever a service raises, the answer is no
        return False
