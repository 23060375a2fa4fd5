"""What profile_visibility and connection_visibility hide (§3.4, §3.5)."""

from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id


def show(connection: psycopg.Connection, member: str, **settings: str) -> None:
    """Change a member's privacy settings, as superuser."""
    connection.execute(
        "update profiles set privacy_settings = privacy_settings || %s where id = %s",
        (Jsonb(settings), member_id(member)),
    )


def ask(connection: psycopg.Connection, actor: str, statement: str, *arguments: object) -> list[object]:
    """The first column of what an actor gets."""
    with connection.transaction(force_rollback=True):
        act_as(connection, actor)
        return [row[0] for row in connection.execute(statement, arguments).fetchall()]


SEES = [
    # (profile_visibility, who can see owner's profile). owner asked `asked`; other is a connection.
    ("public", {"stranger", "asked", "other", "owner", "admin"}),
    ("connections", {"asked", "other", "owner", "admin"}),
    ("private", {"owner", "admin"}),
]
ACTORS = ("stranger", "asked", "other", "owner", "admin")


@pytest.mark.parametrize(("visibility", "want"), SEES, ids=[line[0] for line in SEES])
def test_profile_visibility_hides_the_row(world: psycopg.Connection, visibility: str, want: set[str]) -> None:
    """§3.4 §7.3: by id, in the search, and with all entries of the profile."""
    show(world, "owner", profile_visibility=visibility)
    owner = member_id("owner")
    by_id = {a for a in ACTORS if ask(world, a, "select id from profiles where id = %s", owner)}
    found = {a for a in ACTORS if owner in ask(world, a, "select id from search_profiles('owner')")}
    hangs = {a for a in ACTORS if ask(world, a, "select id from certifications where user_id = %s", owner)}
    assert by_id == want
    assert found == want - {"owner"}
    assert hangs == want


def test_pending_request_opens_a_profile_one_way_only(world: psycopg.Connection) -> None:
    """§3.4: asking to connect shows one's own profile, not the other one's."""
    show(world, "asked", profile_visibility="connections")
    assert ask(world, "owner", "select id from profiles where id = %s", member_id("asked")) == []


def test_missing_setting_is_public(world: psycopg.Connection) -> None:
    """§3.4 §3.10: the default of profile_visibility is public."""
    world.execute("update profiles set privacy_settings = '{}' where id = %s", (member_id("owner"),))
    assert ask(world, "stranger", "select id from profiles where id = %s", member_id("owner"))


def test_visitors_see_the_card_of_authors_only(world: psycopg.Connection) -> None:
    """§3.40 §6.1: five columns, of authors of published articles only."""
    cards = ask(world, "visitor", "select id from profiles")
    assert cards == [member_id("admin")]
    for column in ("email", "privacy_settings", "notification_settings", "bio"):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ask(world, "visitor", f"select {column} from profiles")
    world.execute("update posts set is_public_blog = false")
    assert ask(world, "visitor", "select id from profiles") == []


COUNTED = [
    # (connection_visibility, what connection_count of owner, who has two, says to each)
    ("public", {"stranger": 2, "other": 2, "owner": 2}),
    ("connections", {"stranger": None, "other": 2, "owner": 2}),
    ("private", {"stranger": None, "other": None, "owner": 2}),
]


@pytest.mark.parametrize(("visibility", "want"), COUNTED, ids=[line[0] for line in COUNTED])
def test_connection_visibility(world: psycopg.Connection, visibility: str, want: dict[str, int | None]) -> None:
    """§3.5 §6.2: number and list of connections follow the setting."""
    show(world, "owner", connection_visibility=visibility)
    owner = member_id("owner")
    got = {actor: ask(world, actor, "select connection_count(%s)", owner)[0] for actor in want}
    assert got == want
    for actor, count in want.items():
        listed = ask(world, actor, "select id from connections_of(%s)", owner)
        # guarded shows itself to connections: a stranger's list leaves it out although owner shows their connections.
        hidden = {member_id("guarded")} if actor != "owner" else set[UUID]()
        assert set(listed) == ({member_id("other"), member_id("guarded")} - hidden if count else set())


def test_connections_of_a_hidden_member_are_hidden(world: psycopg.Connection) -> None:
    """§3.4: connections of a hidden profile cannot be counted either."""
    show(world, "owner", profile_visibility="private", connection_visibility="public")
    assert ask(world, "other", "select connection_count(%s)", member_id("owner")) == [None]


def test_connections_in_common(world: psycopg.Connection) -> None:
    """§11.6: a number that the caller could count by hand; nobody counts who shows their connections to nobody."""
    guarded, common = member_id("guarded"), "select (member_id, shared)::text from shared_connections(%s)"
    assert ask(world, "other", common, [guarded]) == []  # shows its profile to connections only
    show(world, "guarded", profile_visibility="public")
    want = [f"({guarded},1)"]
    assert ask(world, "other", common, [guarded, guarded, None, member_id("stranger")]) == want
    assert ask(world, "other", common, [member_id("stranger")] * 49 + [None] * 2 + [guarded]) == []  # 50 at most
    show(world, "owner", connection_visibility="private")
    assert ask(world, "other", common, [guarded]) == []


def test_people_one_may_know(world: psycopg.Connection) -> None:
    """Connections of connections, without existing connections, hidden profiles and oneself."""
    known = ask(world, "other", "select id from people_you_may_know()")
    assert known == []  # owner's other connection shows its profile to connections only
    show(world, "guarded", profile_visibility="public")
    assert ask(world, "other", "select id from people_you_may_know()") == [member_id("guarded")]
    world.execute("update profiles set department = 'Station 9' where id = any(%s)",
                  ([member_id(name) for name in ("stranger", "owner", "asked", "hidden")],))  # fmt: skip
    assert ask(world, "owner", "select id from people_you_may_know()") == [member_id("stranger")]
