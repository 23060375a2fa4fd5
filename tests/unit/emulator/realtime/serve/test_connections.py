"""Admission of connections, and the bound on what all of them hold."""

from dataclasses import dataclass

import pytest

from emulator.realtime.errors import Refused
from emulator.realtime.serve.connections import Connections
from emulator.realtime.settings import Limits
from emulator.realtime.topics.load import LoadMeter


@dataclass(eq=False)
class Client:
    address: str = ""
    counted_as: str = ""
    held: int = 0
    is_cut: bool = False

    def check_idle(self, now: float) -> None: ...

    def write_pending(self) -> None: ...

    def cut(self) -> None:
        self.is_cut = True

    def check_tokens(self) -> None: ...


def connections(**limits: int) -> Connections:
    chosen = Limits.model_validate(limits)
    return Connections(LoadMeter(chosen), chosen)


def test_an_address_has_a_limit_but_for_loopback_and_unknown_ones() -> None:
    some = connections(sockets_per_address=2)
    clients = [Client("203.0.113.9") for _ in range(3)]
    for client in clients[:2]:
        some.admit(client)
    with pytest.raises(Refused, match="Too many connected users"):
        some.admit(clients[2])
    for address in ("127.0.0.1", "", "2001:db8::/64"):
        for _ in range(2):
            some.admit(Client(address))
    with pytest.raises(Refused):
        some.admit(Client("2001:db8::/64"))
    some.remove(clients[0])
    some.remove(clients[0])
    some.admit(clients[2])
    with pytest.raises(Refused):
        some.admit(clients[0])


def test_the_fullest_is_cut_when_all_hold_too_much() -> None:
    some = connections(held_bytes=100)
    few, many, other = Client(), Client(), Client()
    for client in (few, many, other):
        some.admit(client)
    some.note(few, 30)
    some.note(many, 60)
    some.note(other, 10)
    assert not any(client.is_cut for client in (few, many, other))
    some.note(few, 31)
    assert [client.is_cut for client in (few, many, other)] == [False, True, False]
    assert many not in some.all
    some.note(other, 69)
    assert not other.is_cut
