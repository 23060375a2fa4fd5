"""Batches that are broadcast over HTTP: what is refused, and in which words."""

from typing import Any

import pytest

from emulator.realtime.errors import Invalid
from emulator.realtime.wire.batches import BLANK, INVALID, TOO_LARGE, batch_messages

FINE: dict[str, Any] = {"topic": "t", "event": "e", "payload": {}}

REFUSED = [
    pytest.param(None, [BLANK], id="no-object"),
    pytest.param({}, [BLANK], id="no-messages"),
    pytest.param({"messages": []}, [BLANK], id="none"),
    pytest.param({"messages": None}, [INVALID], id="null"),
    pytest.param({"messages": "x"}, [INVALID], id="text"),
    pytest.param({"messages": {"topic": "t"}}, [INVALID], id="object"),
    pytest.param({"messages": [FINE, None]}, [INVALID], id="a-null-message"),
    pytest.param({"messages": [FINE, {}]}, [{}, {"topic": [BLANK], "event": [BLANK], "payload": [BLANK]}], id="empty"),
    pytest.param({"messages": [{"topic": " ", "event": 1, "payload": []}]},
                 [{"topic": [BLANK], "event": [INVALID], "payload": [INVALID]}], id="wrong-kinds"),
    pytest.param({"messages": [{**FINE, "private": "zzz"}]}, [{"private": [INVALID]}], id="private"),
    pytest.param({"messages": [{**FINE, "private": 1, "id": 2}]}, [{"private": [INVALID], "id": [INVALID]}],
                 id="numbers"),
    pytest.param({"messages": [{**FINE, "payload": {"x": "y" * 100}}]}, [{"payload": [TOO_LARGE]}], id="too-large"),
]  # fmt: skip


@pytest.mark.parametrize(("document", "want"), REFUSED)
def test_batches_are_refused(document: object, want: list[object]) -> None:
    with pytest.raises(Invalid) as refused:
        batch_messages(document, 100)
    assert refused.value.problems == {"messages": want}


@pytest.mark.parametrize("more", [{}, {"private": "1", "id": "x"}, {"private": None}, {"private": False}])
def test_batches_are_accepted(more: dict[str, Any]) -> None:
    assert batch_messages({"messages": [{**FINE, **more}]}, 100) == [{**FINE, **more}]
    assert batch_messages({"messages": {"0": FINE}}, 100) == [FINE]
