"""Members say of a lesson that they will use it (§16.4): how many, from which kinds of departments, and never who."""

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import COMMAND, PARAMETERS, POST, PUBLISHED, member_id

USE = "insert into public.lesson_uses (post_id) values (%s)"


def uses(world: psycopg.Connection, post: object = POST) -> int:
    row = world.execute("select public.use_count(p) from public.posts as p where id = %s", (post,)).fetchone()
    assert row is not None
    count: int = row[0]
    return count


def kinds(world: psycopg.Connection, actor: str) -> list[tuple[str, int]]:
    act_as(world, actor)
    said = world.execute("select * from public.lesson_use_kinds(%s)", (POST,)).fetchall()
    world.execute("reset role")
    return [(kind, count) for kind, count in said]


def test_uses_are_counted_and_taken_back(world: psycopg.Connection) -> None:
    """§16.4: once a member; the number is in the post, which does not count as edited, also when an account goes."""
    before = world.execute("select updated_at from public.posts where id = %s", (POST,)).fetchone()
    assert uses(world) == 1
    act_as(world, "stranger")
    world.execute(USE, (POST,))
    with pytest.raises(psycopg.errors.UniqueViolation), world.transaction():
        world.execute(USE, (POST,))
    assert uses(world) == 2
    world.execute("delete from public.lesson_uses")
    assert uses(world) == 1
    world.execute("reset role")
    world.execute("delete from auth.users where id = %s", (member_id("other"),))
    assert uses(world) == 0
    assert world.execute("select updated_at from public.posts where id = %s", (POST,)).fetchone() == before


@pytest.mark.parametrize(("actor", "post"), [("owner", POST), ("stranger", COMMAND), ("stranger", PUBLISHED)])
def test_only_lessons_of_others_are_used(world: psycopg.Connection, actor: str, post: object) -> None:
    """§16.4: not one's own, not what is no lesson, not an article."""
    act_as(world, actor)
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        world.execute(USE, (post,))


def test_nobody_learns_who_uses_a_lesson(world: psycopg.Connection) -> None:
    """§16.4: the author neither, nor who follows the changes; a member knows their own."""
    for actor, want in (("owner", 0), ("stranger", 0), ("admin", 0), ("other", 1)):
        act_as(world, actor)
        assert world.execute("select from public.lesson_uses where post_id = %s", (POST,)).rowcount == want
    world.execute("reset role")
    assert world.execute(
        "select from pg_publication_tables where tablename = 'lesson_uses' and pubname = 'supabase_realtime'"
    ).rowcount == 0  # fmt: skip


def test_the_author_sees_kinds_of_departments(world: psycopg.Connection) -> None:
    """§16.4: with their numbers; a kind of fewer than five could tell who it was, and is left out."""
    world.execute("delete from public.lesson_uses")
    world.execute(
        "insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at)"
        " select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',"
        " n || '@uses.test', now() from generate_series(1, 12) as n"
    )
    world.execute(
        "update public.profiles as p set firefighter_type ="
        " case when n.place <= 6 then 'Volunteer' when n.place <= 10 then 'Wildland' end"
        " from (select id, row_number() over (order by id) as place from public.profiles"
        "   where email like '%%@uses.test') as n where n.id = p.id"
    )
    world.execute(
        "insert into public.lesson_uses (member_id, post_id)"
        " select id, %s from public.profiles where email like '%%@uses.test'", (POST,)
    )  # fmt: skip
    assert kinds(world, "owner") == [("Volunteer", 6)]
    world.execute("update public.profiles set firefighter_type = 'Wildland' where firefighter_type is null")
    assert kinds(world, "owner") == [("Volunteer", 6), ("Wildland", 6)]
    assert kinds(world, "other") == []  # a reader sees only how many
    assert kinds(world, "admin") == []
    assert uses(world) == 12
    world.execute("update public.posts set user_id = null where id = %s", (POST,))
    assert kinds(world, "owner") == []
    assert PARAMETERS["post"] == POST


def test_every_change_is_announced(world: psycopg.Connection) -> None:
    """§16.4: open feeds read the number then, which is not the same for everybody; the broadcast names no member."""
    world.execute("delete from realtime.messages")
    act_as(world, "stranger")
    world.execute(USE, (POST,))
    world.execute("reset role")
    sent = world.execute("select payload from realtime.messages where event = 'post_update'").fetchall()
    assert [{**payload, "id": None} for (payload,) in sent] == [{"id": None}]
    assert str(member_id("stranger")) not in str(sent)
