"""Token buckets."""

from emulator.rate_limit import Rate, RateLimiter


def test_bucket_empties_and_refills() -> None:
    limiter = RateLimiter(Rate(events=2, per_s=10, burst=2))
    assert [limiter.take("a", 0) == 0, limiter.take("a", 0) == 0, limiter.take("a", 0) == 0] == [True, True, False]
    assert limiter.take("b", 0) == 0
    assert limiter.take("a", 4) > 0
    assert limiter.take("a", 5) == 0
    assert limiter.is_exhausted("a", 5)
    assert not limiter.is_exhausted("a", 10)
    assert not limiter.is_exhausted("c", 0)
    assert RateLimiter(Rate(0, 3600, 0)).take("", 0) > 0
