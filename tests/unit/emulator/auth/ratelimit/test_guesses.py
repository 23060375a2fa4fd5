"""Wrong passwords per account and network."""

from emulator.auth.ratelimit.guesses import MAX_WAITING, NETWORKS, PACE_S, PasswordGuesses, network_of
from emulator.rate_limit import Rate

RATE = Rate(2, 300, 2)


def test_networks() -> None:
    assert network_of("198.51.100.7") == network_of("198.51.100.250") != network_of("198.51.101.7")
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff") != network_of("2001:db8:0:1::1")


def test_a_network_that_guesses_is_refused_and_others_are_not() -> None:
    guesses = PasswordGuesses(RATE)
    for _ in range(2):
        guesses.failed("a", "n1", 0.0)
    assert guesses.delay_s("a", "n1", 0.0) is None
    assert guesses.delay_s("a", "n2", 0.0) == 0.0
    assert guesses.delay_s("b", "n1", 0.0) == 0.0
    assert guesses.delay_s("a", "n1", 200.0) == 0.0


def test_many_networks_wait_in_turn_but_the_owners_does_not() -> None:
    guesses = PasswordGuesses(RATE)
    guesses.succeeded("a", "home")
    for number in range(2 * NETWORKS):
        guesses.failed("a", f"n{number}", 0.0)
    waits = [guesses.delay_s("a", f"m{number}", 0.0) for number in range(MAX_WAITING + 1)]
    assert waits == [PACE_S * number for number in range(MAX_WAITING)] + [None]
    assert guesses.delay_s("a", "home", 0.0) == 0.0
    assert guesses.delay_s("a", "later", PACE_S * MAX_WAITING) == 0.0
