"""How many values a JSON text has, before it is parsed: parsing megabytes of brackets holds everybody up. Pure."""

_PIECE_BYTES = 128 * 1024
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def has_more_values(data: bytes, limit: int) -> bool:
    """Whether a JSON text has more than about `limit` values: commas and brackets outside of strings.

    Reads piece by piece, and no further than it must. What is no JSON has some answer, too.
    """
    if len(data) <= limit or _separators(data) <= limit:
        return False
    count, start, is_inside = 0, 0, False
    while start < len(data):
        end = start + _PIECE_BYTES
        while data[end - 1 : end] == b"\\":  # an escape stays in one piece
            end += 1
        piece = data[start:end] if end - start < len(data) else data
        start = end
        found = _separators(piece)
        if (quotes := piece.count(b'"')) and found:
            outside, is_inside = _outside_of_strings(piece, is_inside)
            found = _separators(outside)
        elif quotes:
            is_inside = _outside_of_strings(piece, is_inside)[1]
        elif is_inside:
            found = 0
        count += found
        if count > limit:
            return True
    return False


def _separators(text: bytes) -> int:
    return len(text) - len(text.translate(None, b",[{"))  # one pass, however many there are


def _outside_of_strings(piece: bytes, is_inside: bool) -> tuple[bytes, bool]:
    """What of a piece is outside of strings, and whether it ends inside of one."""
    parts = piece.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')
    return b"".join(parts[int(is_inside) :: 2]), is_inside ^ (len(parts) % 2 == 0)


def is_deeper(data: bytes, levels: int) -> bool:
    """Whether a JSON text may be nested deeper: what is in brackets is taken away, level by level, from within."""
    if len(data) <= 2 * levels or len(data) - len(data.translate(None, b"[{")) <= levels:
        return False
    outside = _outside_of_strings(data, False)[0] if b'"' in data else data
    brackets = outside.translate(None, _NO_BRACKETS)
    for _ in range(levels):
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if not brackets:
            return False
    return True
