"""`page`, `per_page` and `sort` of admin lists, and the headers that link to other pages."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from emulator.auth import errors
from emulator.auth.context import RequestContext

SORTABLE = ("created_at", "updated_at", "email", "last_sign_in_at", "phone", "id")
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
    """X-Total-Count and Link: `page` is the first parameter, clients rely on it."""
    last = -(-total // page.size)
    others = {name: value for name, value in ctx.request.query_params.items() if name != "page"}
    rest = urlencode(sorted({"per_page": str(page.size), **others}.items()))
    links = [] if page.number >= last else [("next", page.number + 1)]
    links.append(("last", last))
    text = ", ".join(f'<{ctx.request.url.path}?page={number}&{rest}>; rel="{name}"' for name, number in links)
    return {"X-Total-Count": str(total), "Link": text}


def parse_sort(ctx: RequestContext) -> tuple[tuple[str, bool], ...]:
    """`sort`: (column, descending) of each; raises validation_failed."""
    parts = []
    for item in (ctx.query("sort") or "created_at desc").split(","):
        name, _, direction = item.strip().partition(" ")
        if name not in SORTABLE or direction.strip().lower() not in ("", "asc", "desc"):
            raise errors.validation_failed(f"Bad Sort Parameters: bad field or direction for sort '{item.strip()}'")
        parts.append((name, direction.strip().lower() != "asc"))
    return tuple(parts)
