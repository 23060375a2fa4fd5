"""The export of the waitlist: the columns of the admin area, whatever somebody answered."""

import json

import pytest

from muster_product.commands.waitlist import EXPORTED, exported

ROW = {"email": "ada@example.org", "status": "waitlist", "created_at": "2026-01-01", "updated_at": "2026-01-02"}


def test_the_answers_stand_beside_the_address() -> None:
    said = {
        "connection_platforms": ["LinkedIn", "Facebook"], "connection_platforms_other": "a forum",
        "platform_frustrations": "noise", "platform_wishlist": "mentors",
    }  # fmt: skip
    answers = {
        "firefighter_type": "other", "firefighter_type_other": "airport", "current_rank": "Captain",
        "years_of_service": "6-10", "linkedin_missing": json.dumps(said),
    }  # fmt: skip
    assert dict(zip(EXPORTED, exported({**ROW, "answers": answers}), strict=True)) == {
        "email": "ada@example.org", "status": "waitlist", "joined": "2026-01-01", "type": "airport", "role": "Captain",
        "years": "6-10", "platforms": "LinkedIn; Facebook; a forum", "frustrations": "noise", "wishlist": "mentors",
    }  # fmt: skip


@pytest.mark.parametrize(
    "answers",
    [None, {}, *({"linkedin_missing": text} for text in (None, "null", "[]", "{", '{"connection_platforms": 7}'))],
)
def test_who_answered_nothing_usable_has_empty_cells(answers: object) -> None:
    assert [cell or "" for cell in exported({**ROW, "answers": answers})][3:] == [""] * 6
