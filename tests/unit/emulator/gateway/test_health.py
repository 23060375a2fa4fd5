"""Waiting for health: as soon as all are well, or with the names of those that take too long."""

from emulator.gateway.health import Health, check_health, wait_until_healthy


async def test_it_ends_when_all_are_well() -> None:
    answers = iter([Health({"rest": False, "auth": True}), Health({"rest": True, "auth": True})])

    async def ask() -> Health:
        return next(answers)

    assert await wait_until_healthy(ask, 60) == ()
    assert next(answers, None) is None


async def test_it_names_who_takes_too_long() -> None:
    async def breaks() -> bool:
        raise OSError

    async def well() -> bool:
        return True

    async def ask() -> Health:
        return await check_health({"realtime": breaks, "auth": well})

    assert await wait_until_healthy(ask, 0) == ("realtime",)
