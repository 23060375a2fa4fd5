"""Which columns of relations a view shows, read from its stored rule (a pg_node_tree). Pure.

Only the outermost query's target list counts: PostgreSQL keeps there, per result column, the relation and column it
was taken from (resorigtbl, resorigcol), through joins and subqueries, and zero for an expression.
"""

import re
from collections.abc import Iterator

_TOKEN = re.compile(r"\{|\}|\(|\)|:\w+|(?:\\.|[^\s(){}\\])+")


def read_view_columns(rule: str) -> Iterator[tuple[int, int, int]]:
    """Yield (position in the view, origin relation's oid, origin column's position)."""
    depth = 0
    label = ""
    in_targets = False
    targets_parens = parens = 0
    entry: dict[str, int] = {}
    for match in _TOKEN.finditer(rule):
        token = match[0]
        if token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
            if depth == 1 and in_targets and entry:
                if entry.get(":resorigtbl"):
                    yield entry[":resno"], entry[":resorigtbl"], entry[":resorigcol"]
                entry = {}
        elif token == "(":
            parens += 1
            if depth == 1 and label == ":targetList":
                in_targets, targets_parens, label = True, parens, ""
        elif token == ")":
            if in_targets and parens == targets_parens and depth == 1:
                in_targets = False
            parens -= 1
        elif token.startswith(":"):
            label = token
        elif in_targets and depth == 2 and label in (":resno", ":resorigtbl", ":resorigcol"):
            entry[label], label = int(token), ""
