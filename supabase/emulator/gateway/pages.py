"""The addresses of the web application's pages, which a product's routes.toml lists. Pure.

A star stands for one part of a path.
"""

import re
from collections.abc import Iterable


def page_address(pages: Iterable[str], path: str) -> str | None:
    """The address of the page that a path names, in whatever case and with or without a slash at its end.

    A star in `pages` is one part of a path, which stays as it is. None when no page is named.
    """
    parts = path.removesuffix("/").split("/")
    for page in pages:
        own = page.split("/")
        if len(own) == len(parts) and all(
            part if wanted == "*" else part.lower() == wanted.lower() for wanted, part in zip(own, parts, strict=True)
        ):
            return "/".join(part if wanted == "*" else wanted for wanted, part in zip(own, parts, strict=True))
    return None


def page_pattern(page: str) -> str:
    """A regular expression for the path of a page, or for one behind its slash; each star is a group."""
    return re.escape(page).replace("/\\*", "/([^/?]+)")
