"""The known name most similar to an unknown one: by n-grams first, by edit distance among the best of them. Pure.

Follows the library that PostgREST uses (fuzzyset, with grams of 3 and 2): names are compared in lower case and without
what is neither letter, digit, blank nor comma; the first size of grams that finds anything decides.
"""

import math
from collections import Counter
from collections.abc import Iterable

_MAX_COMPARED = 50
# Comparing longer words takes longer than an error message is worth; a name has 63 bytes at most.
_MAX_WORD = 500


def suggest(word: str, known: Iterable[str], min_similarity: float) -> str | None:
    """Return the known name most similar to `word`, or None when no similarity reaches `min_similarity` (0 to 1)."""
    if len(word) > _MAX_WORD:
        return None
    names = {name.lower(): name for name in reversed(list(known))}
    lowered = word.lower()
    if lowered in names:
        return names[lowered]
    for size in (3, 2):
        grams = _grams(lowered, size)
        near = sorted(
            ((_cosine(grams, _grams(name, size)), name) for name in reversed(names)), key=lambda pair: -pair[0]
        )
        scored = [
            (_similarity(lowered, name), name)
            for cosine, name in near[:_MAX_COMPARED]
            # The distance is at least the difference in length.
            if cosine > 0 and len(name) * min_similarity <= len(lowered) and len(lowered) * min_similarity <= len(name)
        ]
        good = [pair for pair in scored if pair[0] >= min_similarity]
        if good:
            return names[max(good, key=lambda pair: pair[0])[1]]
    return None


def _grams(word: str, size: int) -> Counter[str]:
    padded = f"-{''.join(char for char in word if char.isalnum() or char.isspace() or char == ',')}-"
    return Counter(padded[at : at + size] for at in range(len(padded) - size + 1))


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[gram] for gram, count in one.items())
    if not shared:
        return 0.0
    return shared / math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))


def _similarity(one: str, other: str) -> float:
    """Return 1 for equal texts, 0 for texts that share nothing: 1 minus the normalized Levenshtein distance."""
    longest = max(len(one), len(other))
    return 1 - _distance(one, other) / longest if longest else 1.0


def _distance(one: str, other: str) -> int:
    """Return the Levenshtein distance."""
    previous = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        current = [row]
        for column, right in enumerate(other, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right)))
        previous = current
    return previous[-1]
