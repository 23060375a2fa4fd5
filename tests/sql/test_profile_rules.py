"""Profiles: created with the account, kept valid by the database, deleted with the account (§3.1)."""

import psycopg
import pytest
from psycopg.types.json import Jsonb

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS, member_id

NEW_ACCOUNT = """
insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_user_meta_data, created_at, updated_at,
  confirmation_token, recovery_token, email_change, email_change_token_new)
values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', %s, %s, %s, now(),
  now(), '', '', '', '')
returning id
"""  # noqa: E501


def profile_of(connection: psycopg.Connection, metadata: object, email: str = "new@members.test") -> dict[str, object]:
    """The profile that a new account with this metadata gets."""
    new = connection.execute(NEW_ACCOUNT, (email, None, Jsonb(metadata))).fetchone()
    assert new is not None
    with connection.cursor(row_factory=psycopg.rows.dict_row) as cursor:
        row = cursor.execute("select * from profiles where id = %s", (new[0],)).fetchone()
    assert row is not None
    return row


def change_own(connection: psycopg.Connection, column: str, value: object) -> object:
    """Change a column of the owner's profile as the owner; returns what is stored."""
    with connection.transaction():
        act_as(connection, "owner")
        row = connection.execute(
            f"update profiles set {column} = %s where id = %s returning {column}", (value, member_id("owner"))
        ).fetchone()
    connection.execute("set local role none")
    assert row is not None
    return row[0]


def test_new_account_has_a_profile_with_the_defaults(world: psycopg.Connection) -> None:
    """§1.4 §3.1 §3.4 §3.5 §3.6 §3.7 §3.8 §3.11 §3.12 §3.13: settings of a new member."""
    got = profile_of(world, {"full_name": "New Member", "firefighter_type": "Wildland", "department": "Station 9"})
    assert (got["full_name"], got["email"], got["firefighter_type"]) == ("New Member", "new@members.test", "Wildland")
    assert got["privacy_settings"] == {
        "profile_visibility": "public",
        "connection_visibility": "connections",
        "allow_messages_from_anyone": True,
        "daily_message_limit_reached": False,
        "non_connection_messages_today": 0,
        "last_limit_reset": None,
    }
    kinds = ("messages", "connections", "mentions", "system", "certifications", "digest", "trainings", "growth")
    assert got["notification_settings"] == {
        "globalMute": False,
        "emailGlobalMute": False,
        "preferences": {
            kind: {
                "type": kind,
                "enabled": True,
                "muted": False,
                "displayInApp": True,
                "email_enabled": kind in ("system", "certifications", "trainings", "growth"),
            }
            for kind in kinds
        },
    }


@pytest.mark.parametrize(
    ("metadata", "full_name"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param(None, None, id="json-null"),
        pytest.param([1, 2], None, id="array"),
        pytest.param({"name": "From Provider"}, "From Provider", id="oauth-name"),
        pytest.param({"full_name": "   "}, None, id="blank"),
        pytest.param({"full_name": "x" * 500}, "x" * 120, id="too-long"),
        pytest.param({"full_name": {"a": 1}}, '{"a": 1}', id="object"),
        pytest.param({"full_name": "A", "rank": "r" * 900, "firefighter_type": "Astronaut"}, "A", id="other-fields"),
    ],
)
def test_no_metadata_prevents_an_account(world: psycopg.Connection, metadata: object, full_name: str | None) -> None:
    """§3.1: whatever the metadata of the sign-up, account and profile are created."""
    assert profile_of(world, metadata)["full_name"] == full_name


@pytest.mark.parametrize(
    ("written", "stored"),
    [("Career", "Career"), ("Military", "Military"), ("Retired", "Retired"), ("career", None), ("", None)],
)
def test_unknown_firefighter_types_become_null(
    world: psycopg.Connection, written: str | None, stored: str | None
) -> None:
    """§3.2 §11.5: one of seven; any other value becomes null."""
    assert change_own(world, "firefighter_type", written) == stored


def test_email_follows_the_account(world: psycopg.Connection) -> None:
    """§3.1: the profile's e-mail is the account's."""
    world.execute("update auth.users set email = 'moved@members.test' where id = %s", (member_id("owner"),))
    got = world.execute("select email from profiles where id = %s", (member_id("owner"),)).fetchone()
    assert got == ("moved@members.test",)


BAD_PROFILES = [
    # column, value, constraint (§3.3, §3.10, §3.11 for the settings)
    ("privacy_settings", Jsonb([]), "profiles_privacy_settings_are_valid"),
    ("privacy_settings", Jsonb("public"), "profiles_privacy_settings_are_valid"),
    ("privacy_settings", Jsonb({"profile_visibility": "friends"}), "profiles_privacy_settings_are_valid"),
    ("privacy_settings", Jsonb({"connection_visibility": 1}), "profiles_privacy_settings_are_valid"),
    ("privacy_settings", Jsonb({"allow_messages_from_anyone": "no"}), "profiles_privacy_settings_are_valid"),
    ("privacy_settings", Jsonb({"x": "y" * 5000}), "profiles_privacy_settings_are_valid"),
    ("notification_settings", Jsonb([]), "profiles_notification_settings_are_valid"),
    ("notification_settings", Jsonb({"globalMute": "yes"}), "profiles_notification_settings_are_valid"),
    ("notification_settings", Jsonb({"preferences": []}), "profiles_notification_settings_are_valid"),
    ("notification_settings", Jsonb({"preferences": {"messages": 1}}), "profiles_notification_settings_are_valid"),
    (
        "notification_settings",
        Jsonb({"preferences": {"messages": {"muted": "no"}}}),
        "profiles_notification_settings_are_valid",
    ),
    ("full_name", "x" * 121, "profiles_full_name_is_short"),
    ("bio", "x" * 2001, "profiles_bio_is_short"),
    ("years_of_service", -1, "profiles_years_of_service_are_possible"),
    ("years_of_service", 81, "profiles_years_of_service_are_possible"),
    ("specialties", ["x"] * 31, "profiles_specialties_are_few"),
    ("avatar_url", "javascript:alert(1)", "profiles_avatar_url_is_a_picture"),
    ("avatar_url", "//elsewhere.test/a.png", "profiles_avatar_url_is_a_picture"),
    ("avatar_url", "https://tracker.test/pixel.gif", "profiles_avatar_url_is_a_picture"),
    ("avatar_url", "data:image/svg+xml;base64,AAAA", "profiles_avatar_url_is_a_picture"),
]


@pytest.mark.parametrize(
    ("column", "value", "constraint"), BAD_PROFILES, ids=[f"{n}-{line[0]}" for n, line in enumerate(BAD_PROFILES)]
)
def test_bad_values_are_refused_by_name(world: psycopg.Connection, column: str, value: object, constraint: str) -> None:
    """§3.3 §3.10 §3.11: the constraint names the field, and the row stays unchanged."""
    with pytest.raises(psycopg.errors.CheckViolation) as refused:
        change_own(world, column, value)
    assert refused.value.diag.constraint_name == constraint


def test_settings_may_be_partial(world: psycopg.Connection) -> None:
    """§5.12 §3.10: the client merges defaults, so a part is accepted and stored as sent."""
    assert change_own(world, "notification_settings", Jsonb({"globalMute": True})) == {"globalMute": True}


def test_deleted_account_leaves_nothing_personal(world: psycopg.Connection) -> None:
    """§3.1: profile, connections, messages and notifications are deleted; posts and comments stay, anonymous."""
    world.execute("delete from auth.users where id = %s", (member_id("owner"),))

    def count(table: str, condition: str) -> int:
        row = world.execute(f"select count(*) from {table} where {condition}", PARAMETERS).fetchone()
        assert row is not None
        return int(row[0])

    assert count("profiles", "id = %(owner)s") == 0
    assert count("connections", "%(owner)s in (user_id, connected_user_id)") == 0
    assert count("messages", "%(owner)s in (sender_id, recipient_id)") == 0
    assert count("notifications", "%(owner)s in (user_id, actor_id)") == 0
    assert count("certifications", "user_id = %(owner)s") == 0
    assert count("posts", "id = %(post)s and user_id is null") == 1
    assert count("comments", "id = %(answer)s and user_id is null") == 1
    assert count("feedback", "user_id is null and email is null and name is null") == 2


def test_deleted_member_counts_no_more(world: psycopg.Connection) -> None:
    """The counters of posts are right after an account with reactions is deleted."""
    before = world.execute("select public.reaction_count(posts) from posts where id = %(post)s", PARAMETERS).fetchone()
    world.execute("delete from auth.users where id = %s", (member_id("other"),))
    after = world.execute(
        "select public.reaction_count(posts), public.comment_count(posts) from posts where id = %(post)s", PARAMETERS
    ).fetchone()
    assert (before, after) == ((1,), (0, 2))
