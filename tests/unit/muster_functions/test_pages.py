"""The gateways answer 404 for paths that are no page: their table has every path of the router, and no other."""

import re

from emulator.gateway.config import read_pages
from emulator.paths import CHECKOUT

ROUTER = CHECKOUT / "web" / "src" / "app" / "router.tsx"
PATH = re.compile(r"\{\s*path: '([^'*/][^']*)', lazy:")


def test_the_pages_are_those_of_the_router() -> None:
    text = ROUTER.read_text("utf8")
    before, of_admins, after = re.split(
        r"const adminPages: RouteObject\[\] = \[|^const adminArea", text, flags=re.MULTILINE
    )
    paths = (
        PATH.findall(before) + PATH.findall(after) + ["admin", *(f"admin/{path}" for path in PATH.findall(of_admins))]
    )
    declared = read_pages(CHECKOUT / "edge_functions" / "muster_functions" / "routes.toml")
    assert sorted(declared) == sorted("/" + re.sub(r":\w+", "*", path) for path in paths)
