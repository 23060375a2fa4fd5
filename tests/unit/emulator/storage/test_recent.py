"""What is kept of answers: by the row, up to so many bytes, the least used goes first."""

from emulator.storage.recent import LARGEST, Kept, Recent


def answer(size: int = 1) -> Kept:
    return Kept([("content-type", "image/png")], b"x" * size)


def test_another_row_is_another_answer() -> None:
    recent = Recent()
    recent.keep(b'{"public": true}', answer(3))
    assert recent.find(b'{"public": true}') == answer(3)
    assert recent.find(b'{"public": false}') is None


def test_the_least_used_goes_when_there_is_no_room() -> None:
    recent = Recent(most_bytes=30_000)
    for name in (b"a", b"b"):
        recent.keep(name, answer(10_000))
    recent.find(b"a")
    recent.keep(b"c", answer(10_000))
    assert [recent.find(name) is not None for name in (b"a", b"b", b"c")] == [True, False, True]
    assert recent.size <= 30_000


def test_nothing_is_counted_twice_and_nothing_large_is_kept() -> None:
    recent = Recent()
    for _ in range(2):
        recent.keep(b"a", answer(10))
    once = recent.size
    recent.keep(b"large", answer(LARGEST + 1))
    assert recent.find(b"large") is None
    assert recent.size == once < 5_000
