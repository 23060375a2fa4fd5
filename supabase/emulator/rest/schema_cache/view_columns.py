"""Which columns of relations a view shows, read from its stored rule (a pg_node_tree). Pure.

Only the outermost query's target list counts: PostgreSQL keeps there, per result column, the relation and column it
was taken from (resorigtbl, resorigcol), through joins and subqueries, and zero for an expression.
"""

import re
from collections.abc import Iterator

# What tells where in the tree one is, and the three fields of an entry of a target list. Anything else is passed over.
_TOKEN = re.compile(r"\\.|[{}()]|:targetList\b|:(res(?:no|origtbl|origcol)) (\d+)", re.DOTALL)


def read_view_columns(rule: str) -> Iterator[tuple[int, int, int]]:
    """Yield (position in the view, origin relation's oid, origin column's position)."""
    depth = parens = targets_parens = 0
    is_expected = in_targets = False
    entry: dict[str, int] = {}
    for match in _TOKEN.finditer(rule):
        token = match[0]
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 1 and in_targets and entry:
                if entry.get("resorigtbl"):
                    yield entry["resno"], entry["resorigtbl"], entry["resorigcol"]
                entry = {}
        elif token == "(":
            parens += 1
            if is_expected and depth == 1:
                in_targets, targets_parens = True, parens
            is_expected = False
        elif token == ")":
            if in_targets and parens == targets_parens and depth == 1:
                in_targets = False
            parens -= 1
        elif token == ":targetList":
            is_expected = True
        elif in_targets and depth == 2 and match[1]:
            entry[match[1]] = int(match[2])
