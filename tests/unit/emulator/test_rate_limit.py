"""Token buckets: bursts, refills, keys apart, bounded memory."""

import math

import pytest

from emulator.rate_limit import Rate, RateLimiter


def test_a_burst_is_granted_then_the_wait_is_told() -> None:
    limiter = RateLimiter(Rate(events=2, per_s=60, burst=2))
    assert [limiter.take("a", 0.0) for _ in range(3)] == [0.0, 0.0, 30.0]
    assert limiter.take("a", 15.0) == 15.0
    assert limiter.take("a", 30.0) == 0.0


def test_keys_have_buckets_of_their_own() -> None:
    limiter = RateLimiter(Rate(1, 60, 1))
    assert (limiter.take("a", 0.0), limiter.take("b", 0.0)) == (0.0, 0.0)
    assert limiter.is_exhausted("a", 0.0)
    assert not limiter.is_exhausted("c", 0.0)


def test_asking_whether_takes_nothing() -> None:
    limiter = RateLimiter(Rate(1, 60, 1))
    assert [limiter.is_exhausted("a", 0.0) for _ in range(3)] == [False] * 3
    assert limiter.take("a", 0.0) == 0.0


def test_a_bucket_never_holds_more_than_its_burst_and_a_clock_set_back_takes_nothing() -> None:
    limiter = RateLimiter(Rate(events=60, per_s=60, burst=2))
    limiter.take("a", 100.0)
    assert [limiter.take("a", 1e6) for _ in range(3)] == [0.0, 0.0, 1.0]
    assert limiter.take("a", 0.0) == 1.0


@pytest.mark.parametrize("rate", [Rate(0, 60, 0), Rate(10, 60, 0)])
def test_no_burst_is_never_granted(rate: Rate) -> None:
    limiter = RateLimiter(rate)
    assert limiter.take("a", 0.0) == math.inf
    assert limiter.is_exhausted("a", 1e9)


def test_without_refill_the_burst_is_all() -> None:
    limiter = RateLimiter(Rate(0, 60, 1))
    assert [limiter.take("a", 0.0), limiter.take("a", 1e9)] == [0.0, math.inf]


def test_the_least_recently_used_key_is_forgotten() -> None:
    limiter = RateLimiter(Rate(1, 60, 1), max_keys=2)
    for key in ("a", "b", "a", "c"):
        limiter.take(key, 0.0)
    assert not limiter.is_exhausted("b", 0.0)
    assert limiter.is_exhausted("a", 0.0)
