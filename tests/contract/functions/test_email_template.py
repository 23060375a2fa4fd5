"""The templates of auth's mails, as GoTrue fetches them."""

from collections.abc import Callable
from typing import Any

import pytest

from emulator.paths import SUPABASE
from muster_functions.emails.auth import AUTH_MAILS


@pytest.mark.parametrize("kind", AUTH_MAILS)
async def test_every_template_is_public(serve: Callable[..., Any], kind: str) -> None:
    got = await (await serve()).get(f"email-template/{kind}")
    assert (got.status_code, got.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert got.text == (SUPABASE / "templates" / f"{kind}.html").read_text("utf8")


@pytest.mark.parametrize("kind", ["nothing", "layout.html", "..%2flayout.html", ""])
async def test_nothing_else_is(serve: Callable[..., Any], kind: str) -> None:
    assert (await (await serve()).get(f"email-template/{kind}")).status_code == 404
