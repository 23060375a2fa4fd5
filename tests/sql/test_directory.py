"""The directory: what members are found by, with counts, near first (§11.5 to §11.7)."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy, deepcopy
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg.types.json import Jsonb

from emulator.paths import CHECKOUT
from muster_product.database.policies import act_as, make_world
from muster_product.database.policy_world import member_id
from tests.support.postgres import Database

OWNER = member_id("owner")
VALUES: dict[str, list[str | None]] = {
    "state": ["IA", "IL", "MN", "TX", None],
    "department": ["Ames Fire", "ames  fire ", "Waterloo Fire Rescue", None],
    "rank": ["Captain", "CAPTAIN", "Engineer", None],
    "type": ["Career", "Volunteer", "Military", "Retired", None],
}
MANY = {"specialty": ["EMS", "Hazmat", "ems"], "certification": ["Paramedic", "Fire Officer I"]}
FACETS = (*VALUES, *MANY)


def key(written: str) -> str:
    """How the database compares what members write."""
    return " ".join(written.split()).lower()


def somebody(chance: random.Random) -> dict[str, Any]:
    """What one member says."""
    return {
        **{facet: chance.choice(values) for facet, values in VALUES.items()},
        "specialty": chance.sample(MANY["specialty"], chance.randrange(3)),
        # Days from today until it expires; the middle one is good today for the last time.
        "certification": [(name, chance.choice([None, -1, 0, 90])) for name in MANY["certification"]
                          if chance.random() < 0.5],
        "visibility": chance.choice(["public", "public", "public", "connections", "private"]),
    }  # fmt: skip


def write(connection: psycopg.Connection, member: UUID, said: dict[str, Any]) -> None:
    """Save it as superuser; the triggers do the rest."""
    connection.execute(
        "update profiles set state = %s, department = %s, rank = %s, firefighter_type = %s, specialties = %s,"
        " privacy_settings = privacy_settings || %s where id = %s",
        (*(said[facet] for facet in VALUES), said["specialty"],
         Jsonb({"profile_visibility": said["visibility"]}), member),
    )  # fmt: skip
    connection.execute("delete from certifications where user_id = %s", (member,))
    for name, days in said["certification"]:
        connection.execute(
            "insert into certifications (user_id, name, expires_on) values (%s, %s, current_date + %s::integer)",
            (member, name, days),
        )


class Community:
    """Members with what they say, the owner among them, who is connected to some and blocked with others."""

    def __init__(self, connection: psycopg.Connection, seed: int) -> None:
        self.connection = connection
        self.chance = random.Random(seed)
        self.members = {UUID(int=0xE0000000_0000_4000_8000_000000000000 + n): somebody(self.chance) for n in range(60)}
        ids = list(self.members)
        # The others of the world have nothing to be found by, and no name.
        connection.execute("delete from auth.users where id <> %s", (OWNER,))
        connection.execute("update profiles set state = 'IA' where id = %s", (OWNER,))
        connection.execute(
            "insert into auth.users (instance_id, id, aud, role, email, email_confirmed_at, raw_user_meta_data,"
            " created_at, updated_at, confirmation_token, recovery_token, email_change, email_change_token_new)"
            " select '00000000-0000-0000-0000-000000000000', m.id, 'authenticated', 'authenticated',"
            " m.id || '@x.test', now(), jsonb_build_object('full_name', 'Member ' || m.place %% 40), now(), now(),"
            " '', '', '', '' from unnest(%s::uuid[]) with ordinality as m (id, place)",
            (ids,),
        )
        for member, said in self.members.items():
            write(connection, member, said)
        self.connected, self.blocked = set(ids[:25]), set(ids[20:30])
        for member in self.connected:
            connection.execute("insert into connections (user_id, connected_user_id, status)"
                               " values (%s, %s, 'accepted')", (member, OWNER))  # fmt: skip
        for n, member in enumerate(sorted(self.blocked)):
            pair = (OWNER, member) if n % 2 else (member, OWNER)
            connection.execute("insert into blocks (blocker_id, blocked_id) values (%s, %s)", pair)

    def facts(self, member: UUID) -> set[tuple[str, str]]:
        """Facet and value of what the member is found by today."""
        said = self.members[member]
        found = {(facet, key(said[facet])) for facet in VALUES if said[facet]}
        found |= {("specialty", key(one)) for one in said["specialty"]}
        return found | {("certification", key(n)) for n, days in said["certification"] if days is None or days >= 0}

    def seen(self) -> Iterator[UUID]:
        """The members whom the owner may find."""
        for member, said in self.members.items():
            is_shown = said["visibility"] == "public" or (
                said["visibility"] == "connections" and member in self.connected - self.blocked
            )
            if is_shown and member not in self.blocked:
                yield member

    def counts(self, filters: dict[str, str]) -> dict[tuple[str, str], int]:
        """What directory_counts must say."""
        asked = {(facet, key(value)) for facet, value in filters.items()}
        counted: Counter[tuple[str, str]] = Counter()
        for member in self.seen():
            facts = self.facts(member)
            if asked <= facts:
                counted["everyone", ""] += 1
            counted.update(
                (facet, value) for facet, value in facts if {a for a in asked if a[0] != facet} <= facts
            )  # fmt: skip
        return dict(counted)

    def matching(self, filters: dict[str, str]) -> set[UUID]:
        """Whom directory must list."""
        asked = {(facet, key(value)) for facet, value in filters.items()}
        return {member for member in self.seen() if asked <= self.facts(member)}

    def some_filters(self) -> dict[str, str]:
        """Some of the six, with values that occur or not."""
        choices = {"state": ["IA", "tx", "WY"], "department": ["AMES fire"], "rank": ["captain", "Chief"],
                   "type": ["Career", "retired"], "specialty": ["EMS", "hazmat"],
                   "certification": ["paramedic", "Fire Officer I"]}  # fmt: skip
        return {
            facet: self.chance.choice(choices[facet]) for facet in self.chance.sample(FACETS, self.chance.randrange(4))
        }


@pytest.fixture(scope="module")
def settled(new_database: Callable[[], Database]) -> Iterator[Community]:
    """Sixty members besides the owner, in a transaction of a database of their own: each test goes back to them."""
    with psycopg.connect(new_database().dsn("supabase_admin")) as connection:
        make_world(connection)
        yield Community(connection, 1)
        connection.rollback()


@pytest.fixture
def community(settled: Community) -> Iterator[Community]:
    """The same, for one test to change."""
    mine = copy(settled)
    mine.members, mine.chance = deepcopy(settled.members), deepcopy(settled.chance)
    with mine.connection.transaction(force_rollback=True):
        yield mine


def counted(connection: psycopg.Connection, filters: object) -> dict[tuple[str, str], int]:
    """directory_counts as the owner."""
    with connection.transaction(force_rollback=True):
        act_as(connection, "owner")
        rows = connection.execute(
            "select facet, lower(value), members from public.directory_counts(%s)", (Jsonb(filters),)
        ).fetchall()
    found = {(facet, value): members for facet, value, members in rows}
    assert len(found) == len(rows)
    return found


def listed(connection: psycopg.Connection, filters: object, size: int = 24) -> list[tuple[Any, ...]]:
    """All pages of the directory, as the owner: nearness, name, id."""
    rows: list[tuple[Any, ...]] = []
    with connection.transaction(force_rollback=True):
        act_as(connection, "owner")
        while True:
            after = rows[-1] if rows else (None, None, None)
            page = connection.execute(
                "select nearness, full_name, id from public.directory(%s, %s, %s, %s, %s)",
                (Jsonb(filters), *after, size),
            ).fetchall()
            rows += page
            assert len(page) <= size
            if len(page) < size:
                return rows


def count_by_bits(connection: psycopg.Connection) -> None:
    """As with more than a thousand members who match: no rows are counted, and lists are walked."""
    for name in ("private.directory_counts(jsonb)", "private.directory_page(jsonb, integer, text, uuid, integer)"):
        row = connection.execute("select pg_get_functiondef(%s::regprocedure)", (name,)).fetchone()
        assert row is not None
        changed, times = re.subn(r"few constant integer := \d+", "few constant integer := -1", row[0])
        assert times == 1
        connection.execute(changed)


@pytest.mark.parametrize("by_bits", [False, True], ids=["rows", "bits"])
@pytest.mark.parametrize("merged", ["never", "before", "after"])
def test_counts_and_lists_are_those_of_the_members(community: Community, merged: str, *, by_bits: bool) -> None:
    """§11.6: filters combined, counts of each value under the other filters, before and after changes are merged."""
    connection, chance = community.connection, community.chance
    if by_bits:
        count_by_bits(connection)
    if merged == "before":
        connection.execute("select private.merge_directory()")
    for member in chance.sample(list(community.members), 12):
        community.members[member] = somebody(chance)
        write(connection, member, community.members[member])
    for member in chance.sample(list(community.members), 4):
        connection.execute("delete from auth.users where id = %s", (member,))
        del community.members[member]
    if merged == "after":
        connection.execute("select private.merge_directory()")
        assert connection.execute("select from private.directory_changes").rowcount == 0
    for filters in [{}, *(community.some_filters() for _ in range(8))]:
        assert counted(connection, filters) == community.counts(filters), filters
        rows = listed(connection, filters, size=7)
        assert {row[2] for row in rows} == community.matching(filters), filters
        assert rows == sorted(rows), filters


def test_near_means_own_state_then_its_neighbors(community: Community) -> None:
    """§11.7: 0 the member's own state, 1 the neighboring ones, 2 the others; without a state all are the same."""
    for by_bits in (False, True):
        if by_bits:
            count_by_bits(community.connection)
        near = {row[2]: row[0] for row in listed(community.connection, {})}
        want = {"IA": 0, "IL": 1, "MN": 1, "TX": 2, None: 2}
        assert near == {member: want[community.members[member]["state"]] for member in community.seen()}
    community.connection.execute("update profiles set state = null where id = %s", (OWNER,))
    assert {row[0] for row in listed(community.connection, {})} == {2}


def test_no_position_is_stored(world: psycopg.Connection) -> None:
    """§11.7: the state is the only place of a member; no column holds coordinates."""
    assert world.execute(
        "select c.relname, a.attname from pg_attribute as a inner join pg_class as c on c.oid = a.attrelid"
        " where c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)"
        " and (a.attname ~ '(^|_)(lat|lon|lng|latitude|longitude|coordinates?|geo|zip|postal)(_|$)'"
        "   or a.atttypid in ('point'::regtype, 'box'::regtype, 'circle'::regtype))"
    ).fetchall() == []  # fmt: skip


def test_a_certification_counts_until_it_expires(community: Community) -> None:
    """§11.6: "holds certification X, not expired" is true on the day, not only after the next merge."""
    connection = community.connection
    holder = next(member for member in community.seen() if community.members[member]["visibility"] == "public")
    community.members[holder]["certification"] = [("Rope Technician", 0)]
    write(connection, holder, community.members[holder])
    connection.execute("select private.merge_directory()")
    rope = {"certification": "rope technician"}
    assert [row[2] for row in listed(connection, rope)] == [holder]
    # As it is tomorrow: expired yesterday, and the bits still say otherwise.
    connection.execute("set local session_replication_role = replica")
    connection.execute("update certifications set expires_on = current_date - 1 where user_id = %s", (holder,))
    connection.execute("set local session_replication_role = origin")
    connection.execute("update private.directory_merges set merged_on = current_date - 1")
    for _ in range(2):
        community.members[holder]["certification"] = []
        assert counted(connection, {}) == community.counts({})
        assert counted(connection, rope) == community.counts(rope)
        assert listed(connection, rope) == []
        connection.execute("select private.merge_directory()")
    assert connection.execute("select from private.directory_bits where fact ~ 'rope technician'").rowcount == 0


def test_members_of_a_value_do_not_wait_for_each_other(database: Database) -> None:
    """§11.6: two members take one rank at the same time, and the 256th change merges without waiting."""
    with (
        psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as one,
        psycopg.connect(database.dsn("supabase_admin"), autocommit=True) as other,
    ):
        make_world(one)
        Community(one, 1)
        first, second = (UUID(int=0xE0000000_0000_4000_8000_000000000000 + n) for n in range(2))
        other.execute("set lock_timeout = '2s'")
        with one.transaction():
            one.execute("update profiles set rank = 'Chief' where id = %s", (first,))
            for n in range(257):
                other.execute("update profiles set rank = %s where id = %s", (f"Chief {n % 2}", second))
            row = other.execute("select count(*) from private.directory_changes").fetchone()
            assert row is not None
            assert row[0] < 257
        other.execute("select private.merge_directory()")
        assert dict(other.execute(
            "select fact, members from private.directory_values where fact ~ '^rank:chief'"
        ).fetchall()) == {"rank:chief": 1, "rank:chief 0": 1}  # fmt: skip


HOSTILE: list[object] = [
    [], "x", 7, None, {"state": 7}, {"rank": ["Captain"]}, {"rank": {"a": 1}}, {"rank": None}, {"rank": "  "},
    {"unknown": "x"}, {"everyone": "x"}, {"state": ""},
]  # fmt: skip


@pytest.mark.parametrize("filters", HOSTILE, ids=repr)
def test_what_is_no_filter_is_ignored(community: Community, filters: object) -> None:
    """§11.6: other types, unknown names and empty values leave everyone."""
    assert counted(community.connection, filters) == community.counts({})


@pytest.mark.parametrize("value", ["'; drop table profiles --", "%", "captain' or true", "x" * 100_000, "\x01", "🔥"])
def test_hostile_values_find_nobody(community: Community, value: str) -> None:
    """§11.6: a value is compared, never run, and bounded."""
    assert listed(community.connection, {"rank": value}) == []
    assert counted(community.connection, {"rank": value, "state": "IA"}).get(("everyone", "")) is None


def test_pages_are_bounded(community: Community) -> None:
    """§11.6: 24 at a time, at most 50."""
    act_as(community.connection, "owner")
    sizes = []
    for call in ("directory()", "directory('{}', null, null, null, 1000)", "directory('{}', null, null, null, -1)"):
        sizes.append(community.connection.execute(f"select from public.{call}").rowcount)
    visible = len(list(community.seen()))
    assert visible > 24
    assert sizes == [24, min(visible, 50), 1]


def test_only_members_read_the_directory(world: psycopg.Connection) -> None:
    """§11.6 §13.2: neither visitors nor who is suspended, and nobody the tables behind it."""
    for actor in ("visitor", "stranger", "admin", "suspended"):
        for statement in (
            "select from public.directory()", "select from public.directory_counts()",
            "select from private.directory", "select from private.directory_bits", "select private.merge_directory()",
            "select private.rebuild_directory()", "select private.refresh_directory(gen_random_uuid())",
            "select from private.states",
        ):  # fmt: skip
            with world.transaction(force_rollback=True):
                act_as(world, actor)
                if statement.startswith("select from public") and actor != "visitor":
                    assert (world.execute(statement).rowcount > 0) == (actor != "suspended"), (actor, statement)
                else:
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        world.execute(statement)


# -- what a profile says ----------------------------------------------------------------------------------------------


def test_the_states_are_those_of_the_web(world: psycopg.Connection) -> None:
    """§11.5 §11.7: codes and names are the application's; who borders on whom is mutual."""
    states = {code: (name, neighbors) for code, name, neighbors in
              world.execute("select code, name, neighbors from private.states").fetchall()}  # fmt: skip
    module = (CHECKOUT / "web" / "src" / "lib" / "format" / "states.ts").read_text("utf-8")
    assert dict(re.findall(r"^  ([A-Z]{2}): '(.*)',$", module, re.MULTILINE)) == {
        code: name for code, (name, _) in states.items()
    }
    assert len(states) == 56
    for code, (_, neighbors) in states.items():
        assert code not in neighbors
        assert all(code in states[neighbor][1] for neighbor in neighbors), code


@pytest.mark.parametrize(("written", "error"), [("OH", None), (None, None), ("oh", "23503"), ("XX", "23503")])
def test_a_state_is_a_known_one(world: psycopg.Connection, written: str | None, error: str | None) -> None:
    """§11.5: a member chooses the state of their own profile, from those there are."""
    act_as(world, "owner")
    change = "update profiles set state = %s"
    if error is None:
        assert world.execute(change, (written,)).rowcount == 1
        return
    with pytest.raises(psycopg.Error) as refused:
        world.execute(change, (written,))
    assert refused.value.sqlstate == error


def test_signing_up_takes_a_known_state_only(world: psycopg.Connection) -> None:
    """§11.5: another one in the metadata prevents no account."""
    for n, (given, stored) in enumerate([("oh", "OH"), ("Ohio", None), (7, None), ("", None)]):
        member = UUID(int=0xE1000000_0000_4000_8000_000000000000 + n)
        world.execute("insert into auth.users (instance_id, id, aud, role, email, raw_user_meta_data)"
                      " values ('00000000-0000-0000-0000-000000000000', %s, 'authenticated', 'authenticated', %s, %s)",
                      (member, f"{n}@x.test", json.dumps({"state": given})))  # fmt: skip
        assert world.execute("select state from profiles where id = %s", (member,)).fetchone() == (stored,)


def test_state_rank_and_type_are_shown_with_the_profile(world: psycopg.Connection) -> None:
    """§11.5: whoever may not see the profile sees none of it, in the table or in the directory."""
    world.execute("update profiles set state = 'OH', rank = 'Captain', firefighter_type = 'Retired',"
                  " specialties = '{EMS}' where id in (%s, %s)", (member_id("hidden"), member_id("guarded")),
                  )  # fmt: skip
    read = "select id from profiles where state = 'OH'"
    in_directory = 'select id from directory(\'{"state": "OH"}\')'
    for statement in (read, in_directory):
        seen = {}
        for actor in ("stranger", "owner"):
            with world.transaction(force_rollback=True):
                act_as(world, actor)
                world.execute("set local search_path = public")
                seen[actor] = [row[0] for row in world.execute(statement).fetchall()]
        assert seen == {"stranger": [], "owner": [member_id("guarded")]}
