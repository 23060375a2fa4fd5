"""How long a mail waits before it is tried again."""

from muster_functions.mailer.backoff import Backoff


def test_waiting_grows_and_ends() -> None:
    backoff = Backoff()
    waits = [backoff.delay_s(attempt, 0.5) for attempt in range(1, 14)]
    assert waits[:4] == [15, 45, 135, 405]
    assert waits[-2] == 7200
    assert waits[-1] is None
    assert [round(backoff.delay_s(1, chance) or 0) for chance in (0.0, 1.0)] == [12, 18]
