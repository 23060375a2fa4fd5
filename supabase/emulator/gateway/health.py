"""The health of the whole: every service is asked by its own endpoint, all at once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

HealthCheck = Callable[[], Awaitable[bool]]
TIMEOUT_S = 3.0


@dataclass(frozen=True)
class Health:
    """Which services are healthy; the whole is when all are."""

    services: Mapping[str, bool]

    @property
    def is_healthy(self) -> bool:
        """Whether every service is."""
        return all(self.services.values())


async def check_health(checks: Mapping[str, HealthCheck]) -> Health:
    """Ask every service at once; one that does not answer within TIMEOUT_S is not healthy."""
    answers = await asyncio.gather(*(_answer(check) for check in checks.values()))
    return Health(dict(zip(checks, answers, strict=True)))


async def _answer(check: HealthCheck) -> bool:
    try:
        return await asyncio.wait_for(check(), TIMEOUT_S)
    except Exception:  # whatever a service raises, the answer is no
        return False
