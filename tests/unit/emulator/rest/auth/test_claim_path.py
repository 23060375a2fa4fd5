"""Which claim has the role."""

import pytest

from emulator.rest.auth.claim_path import ClaimPath


@pytest.mark.parametrize(
    ("path", "want"),
    [
        ("$.role", "a"),
        (".role", "a"),
        ('$.app["x.y"].roles[0]', "b"),
        ("$.app['x.y'].roles[-1]", "c"),
        ("$.missing", None),
        ('."app"."x.y".number', "5"),
        ("$.app['x.y'].roles[?(@ == 'c')]", "c"),
    ],
)
def test_the_role_is_found_by_its_path(path: str, want: str | None) -> None:
    claims = {"role": "a", "app": {"x.y": {"roles": ["b", "c"], "number": 5}}}
    assert ClaimPath(path).find(claims) == want
