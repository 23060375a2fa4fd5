"""Perhaps you meant ...: the nearest known name, by n-grams first and edit distance among the best. Pure."""

import math
from collections import Counter
from collections.abc import Iterable


def suggest(word: str, known: Iterable[str], least: float) -> str | None:
    """Return the known name most like `word`, or None when none is at least `least` like it."""
    names = list(known)
    for size in (3, 2):
        grams = _grams(word, size)
        near = [name for name in names if _cosine(grams, _grams(name, size)) > 0]
        scored = [(1 - _distance(word.lower(), name.lower()) / max(len(word), len(name), 1), name) for name in near]
        good = [pair for pair in scored if pair[0] >= least]
        if good:
            best = max(score for score, _ in good)
            return next(name for score, name in good if score == best)
    return None


def _grams(word: str, size: int) -> Counter[str]:
    padded = f"-{word.lower()}-"
    return Counter(padded[at : at + size] for at in range(max(len(padded) - size + 1, 1)))


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[gram] for gram, count in one.items())
    if not shared:
        return 0.0
    return shared / math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))


def _distance(one: str, other: str) -> int:
    """Return the Levenshtein distance."""
    previous = list(range(len(other) + 1))
    for row, left in enumerate(one, 1):
        current = [row]
        for column, right in enumerate(other, 1):
            current.append(min(previous[column] + 1, current[-1] + 1, previous[column - 1] + (left != right)))
        previous = current
    return previous[-1]
