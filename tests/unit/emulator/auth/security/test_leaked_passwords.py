"""The search in a file of breached passwords."""

from io import BytesIO

from hypothesis import given
from hypothesis import strategies as st

from emulator.auth.security.leaked_passwords import _search

digests = st.integers(0, 2**160 - 1).map(lambda number: f"{number:040X}".encode())


@given(
    st.lists(digests, max_size=30, unique=True), digests, st.sampled_from([b"\n", b"\r\n", b":7\n", b":12345678\r\n"])
)
def test_every_line_is_found_and_no_other(listed: list[bytes], other: bytes, end: bytes) -> None:
    lines = b"".join(digest + end for digest in sorted(listed))
    for text in (lines, lines.rstrip(b"\r\n")):
        file = BytesIO(text)
        assert [_search(file, len(text), digest) for digest in listed] == [True] * len(listed)
        assert _search(file, len(text), other) is (other in listed)


@given(st.binary(max_size=500), digests)
def test_any_file_ends_the_search(content: bytes, digest: bytes) -> None:
    assert _search(BytesIO(content), len(content), digest) in (True, False)
