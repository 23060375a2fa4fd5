"""Names, media types, sizes and the lock of an object."""

import pytest

from emulator.storage.errors import StorageError
from emulator.storage.wire.names import (
    check_allowed_types,
    check_bucket_name,
    check_key,
    check_robots_tag,
    check_segments,
    check_type,
    lock_number,
    parse_size,
)  # fmt: skip


@pytest.mark.parametrize("key", ["a", "a//b", "/a", "a/", "a b!-_.*'()&$@=;:+,?", "...", "x" * 1024])
def test_keys_that_may_be(key: str) -> None:
    check_key(key)
    check_segments("b", key)


@pytest.mark.parametrize("key", ["", "ü", "a%b", "a#b", "a~b", "a[b", "a\\b", "a\nb", "a\0b", "x" * 1025])
def test_keys_that_may_not_be(key: str) -> None:
    with pytest.raises(StorageError, match="Invalid key"):
        check_key(key)


@pytest.mark.parametrize("key", ["..", "a/../b", "./a", "a/."])
def test_no_segment_leads_elsewhere(key: str) -> None:
    with pytest.raises(StorageError, match="dot path segment"):
        check_segments("b", key)


@pytest.mark.parametrize("name", ["", " a", "a ", "a/b", "ü", "x" * 101, "a--table-s3"])
def test_bucket_names_that_may_not_be(name: str) -> None:
    with pytest.raises(StorageError, match="Bucket name invalid"):
        check_bucket_name(name)


@pytest.mark.parametrize(
    ("text", "size"), [("20MB", 20_000_000), ("1.5kb", 1500), ("3b", 3), ("1.2345MB", 1_230_000), (7, 7), (None, None)]
)
def test_sizes_are_decimal(text: "int | str | None", size: int | None) -> None:
    assert parse_size(text, 10**9) == size


def test_a_size_above_the_services_own_is_refused() -> None:
    with pytest.raises(StorageError, match="maximum allowed size"):
        parse_size("2GB", 10**9)


@pytest.mark.parametrize(
    ("mime_type", "allowed", "fits"),
    [
        ("image/png", ["image/*"], True),
        ("image/png", ["image/png"], True),
        ("text/plain;charset=UTF-8", ["text/plain"], False),
        ("image/png", ["*"], False),
        ("png", ["image/png"], False),
        ("anything", [], True),
    ],
)
def test_types_against_a_list(mime_type: str, allowed: list[str], fits: bool) -> None:
    if fits:
        check_type(mime_type, allowed)
    else:
        with pytest.raises(StorageError, match="not supported"):
            check_type(mime_type, allowed)


def test_entries_of_a_list_are_types() -> None:
    check_allowed_types(["image/*", "*", "text/plain; charset=utf-8", "*/*"])
    with pytest.raises(StorageError):
        check_allowed_types(["im age/png"])


@pytest.mark.parametrize("value", ["none", "noindex, nofollow", "bot: noindex", "unavailable_after: 1 Jan, 2030, none"])
def test_robots_tags(value: str) -> None:
    check_robots_tag(value)


@pytest.mark.parametrize("value", [" ", "rubbish", "max-snippet: x", "bot:", "noindex,,none"])
def test_robots_tags_that_are_none(value: str) -> None:
    with pytest.raises(StorageError, match="X-Robots-Tag"):
        check_robots_tag(value)


def test_the_lock_is_the_originals() -> None:
    assert lock_number("") == 5381
    assert lock_number("a") == (5381 * 33) ^ ord("a")
    assert 0 <= lock_number("bucket/" + "x" * 500) < 2**32
