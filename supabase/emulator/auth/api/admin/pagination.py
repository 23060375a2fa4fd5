"""`page`, `per_page` and `sort` of admin lists, and the headers that link to other pages."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from emulator.auth import errors
from emulator.auth.context import RequestContext

SORTABLE = ("created_at",)
_NUMBER = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True)
class Page:
    """The part of a list that is asked for."""

    number: int
    size: int

    @property
    def offset(self) -> int:
        """Rows to skip."""
        return (self.number - 1) * self.size


def parse_page(ctx: RequestContext) -> Page:
    """`page` and `per_page`; raises validation_failed."""
    values = []
    for name, default in (("page", 1), ("per_page", 50)):
        text = ctx.query(name)
        if text and (_NUMBER.fullmatch(text) is None or int(text) == 0):
            detail = f'strconv.ParseUint: parsing "{text}": invalid syntax'
            raise errors.validation_failed(f"Bad Pagination Parameters: {detail}")
        values.append(int(text) if text else default)
    return Page(*values)


def page_headers(ctx: RequestContext, page: Page, total: int) -> dict[str, str]:
    """X-Total-Count and Link: the parameters of the request with another `page`, sorted by name as in Go."""
    last = -(-total // page.size)
    links = [] if page.number >= last else [("next", page.number + 1)]
    links.append(("last", last))
    others = [(name, value) for name, value in ctx.request.query_params.multi_items() if name != "page"]

    def url(number: int) -> str:
        items = sorted([*others, ("page", str(number))], key=lambda item: item[0])
        return f"{ctx.request.url.path}?{urlencode(items)}"

    text = ", ".join(f'<{url(number)}>; rel="{name}"' for name, number in links)
    return {"X-Total-Count": str(total), "Link": text}


def parse_sort(ctx: RequestContext) -> tuple[tuple[str, bool], ...]:
    """(column, descending) of each `sort`; raises validation_failed."""
    parts = []
    for item in ctx.request.query_params.getlist("sort") or ["created_at desc"]:
        name, _, direction = item.partition(" ")
        if name not in SORTABLE:
            raise errors.validation_failed(f"Bad Sort Parameters: bad field for sort '{name}'")
        if direction.lower() not in ("", "asc", "desc"):
            detail = f"bad direction for sort '{direction}', only 'asc' and 'desc' allowed"
            raise errors.validation_failed(f"Bad Sort Parameters: {detail}")
        parts.append((name, direction.lower() != "asc"))
    return tuple(parts)
