"""muster shots: which screens a name means, and what a state makes of an answer."""

import pytest

from muster_cli.output import UserError
from muster_product.commands.shots import choose
from muster_product.shots.camera import file_name
from muster_product.shots.screens import LOOKUPS, SCREENS
from muster_product.shots.states import LONG_TEXT, stretched


@pytest.mark.parametrize(
    ("names", "want"),
    [
        pytest.param(["feed"], ["feed"], id="a name means its screen alone"),
        pytest.param(["quiz-1", "blog"], ["quiz-1", "blog"], id="two"),
        pytest.param(
            ["settings-"],
            ["settings-notifications", "settings-mentions", "settings-safety", "settings-security"],
            id="how names begin",
        ),
        pytest.param([], [screen.name for screen in SCREENS], id="all"),
    ],
)
def test_names_choose_screens(names: list[str], want: list[str]) -> None:
    assert [screen.name for screen in choose(names)] == want


def test_a_name_of_nothing_is_refused() -> None:
    with pytest.raises(UserError, match="no screen is called 'fed'"):
        choose(["feed", "fed"])


def test_every_screen_has_its_own_files_and_known_look_ups() -> None:
    files = [file_name(screen, state, 390, "dark") for screen in SCREENS for state in screen.states]
    assert len(files) == len(set(files))
    for screen in SCREENS:
        screen.path.format(**dict.fromkeys(LOOKUPS, "x"))


def test_only_what_people_write_becomes_long() -> None:
    answer = [{"id": "1", "full_name": "Ada", "title": "", "profiles": {"department": None, "bio": "x"}, "slug": "s"}]
    want = [
        {"id": "1", "full_name": f"Ada{LONG_TEXT}", "title": "", "slug": "s"}
        | {"profiles": {"department": None, "bio": f"x{LONG_TEXT}"}}
    ]
    assert stretched(answer) == want
    assert stretched("as it is") == "as it is"
