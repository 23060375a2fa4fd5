"""Names of prepared statements: the most recently used ones are kept."""

from emulator.db.prepared import MAX_PREPARED, PreparedNames


def test_a_statement_keeps_its_name_per_key() -> None:
    names = PreparedNames()
    first, second = names.add(("anon", "select 1")), names.add(("member", "select 1"))
    assert first != second
    assert names.find(("anon", "select 1")) == first
    names.forget(first)
    assert names.find(("anon", "select 1")) is None
    assert names.stale == [], "what could not be prepared needs no closing"


def test_the_least_recently_used_name_is_closed() -> None:
    names = PreparedNames()
    oldest, next_oldest = names.add(("", "0")), names.add(("", "1"))
    for number in range(2, MAX_PREPARED):
        names.add(("", str(number)))
    assert names.find(("", "0")) == oldest
    names.add(("", "one more"))
    assert names.stale == [next_oldest]
    names.forget_all()
    assert len(names.stale) == MAX_PREPARED + 1
    assert names.find(("", "0")) is None
