"""Invitations are valid for 14 days: what their link shows, and how a new one is requested."""

import psycopg
import psycopg.types.json
import pytest

from muster_product.database.policies import act_as

# The world's first@waitlist.test is invited, second@waitlist.test waits.
STANDINGS = [
    pytest.param("first@waitlist.test", "13 days 23 hours", "invited", id="in time"),
    pytest.param("  First@Waitlist.TEST ", "1 hour", "invited", id="any spelling"),
    pytest.param("first@waitlist.test", "14 days 1 minute", "expired", id="too late"),
    pytest.param("second@waitlist.test", "0", "waiting", id="not invited"),
    pytest.param("nobody@waitlist.test", "0", None, id="not on the list"),
    pytest.param("%@waitlist.test", "0", None, id="no pattern"),
    pytest.param(None, "0", None, id="null"),
]


def age(world: psycopg.Connection, since: str) -> None:
    """Move the invitation that far into the past."""
    world.execute("update waitlist set invited_at = now() - %s::interval where status = 'invited'", (since,))


def ask(world: psycopg.Connection, actor: str, call: str, address: str | None) -> object:
    """The value that an actor gets; its effects stay."""
    with world.transaction():
        act_as(world, actor)
        row = world.execute(f"select public.{call}(%s)", (address,)).fetchone()
        world.execute("reset role")
    assert row is not None
    return row[0]


@pytest.mark.parametrize("actor", ["visitor", "stranger"])
@pytest.mark.parametrize(("address", "since", "want"), STANDINGS)
def test_an_address_is_told_where_it_stands(
    world: psycopg.Connection, actor: str, address: str | None, since: str, want: str | None
) -> None:
    age(world, since)
    assert ask(world, actor, "invitation_status", address) == want


@pytest.mark.parametrize(("since", "want"), [("1 day", "invited"), ("90 days", "expired")])
@pytest.mark.parametrize("actor", ["visitor", "stranger"])
def test_an_invitation_in_use_looks_like_any_other(
    world: psycopg.Connection, actor: str, since: str, want: str
) -> None:
    """It would tell that the address has an account."""
    age(world, since)
    world.execute("update waitlist set status = 'active' where email = 'first@waitlist.test'")
    assert ask(world, actor, "invitation_status", "first@waitlist.test") == want
    assert ask(world, actor, "request_invitation", "first@waitlist.test") is (want == "expired")
    after = "waiting" if want == "expired" else want
    assert ask(world, actor, "invitation_status", "first@waitlist.test") == after
    assert ask(world, "service", "invitation_status", "first@waitlist.test") == "used"


def test_an_account_without_an_invitation_looks_as_if_it_waited(world: psycopg.Connection) -> None:
    world.execute("update waitlist set status = 'active' where email = 'second@waitlist.test'")
    assert ask(world, "visitor", "invitation_status", "second@waitlist.test") == "waiting"


def test_only_what_has_run_out_can_be_asked_for_again(world: psycopg.Connection) -> None:
    """The entry becomes pending, once; nothing else changes."""
    for address in ("first@waitlist.test", "second@waitlist.test", "nobody@waitlist.test", "%", None):
        assert ask(world, "visitor", "request_invitation", address) is False
    age(world, "15 days")
    assert ask(world, "visitor", "request_invitation", "First@waitlist.test") is True
    assert ask(world, "visitor", "request_invitation", "first@waitlist.test") is False
    rows = world.execute("select email, status from waitlist order by email").fetchall()
    assert rows == [("first@waitlist.test", "pending"), ("second@waitlist.test", "waitlist")]


def test_setting_the_status_again_renews_it(world: psycopg.Connection) -> None:
    """Inviting again renews the invitation; other updates of the row do not."""
    age(world, "15 days")
    world.execute("update waitlist set email = 'late@waitlist.test' where email = 'first@waitlist.test'")
    assert ask(world, "visitor", "invitation_status", "late@waitlist.test") == "expired"
    with world.transaction():
        act_as(world, "admin")
        world.execute("update public.waitlist set status = 'invited' where email = 'late@waitlist.test'")
        world.execute("reset role")
    assert ask(world, "visitor", "invitation_status", "late@waitlist.test") == "invited"


@pytest.mark.parametrize("actor", ["visitor", "stranger", "admin"])
def test_nobody_writes_the_day_themselves(world: psycopg.Connection, actor: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), world.transaction():
        act_as(world, actor)
        world.execute("update public.waitlist set invited_at = 'infinity'")


def token_of(world: psycopg.Connection, address: str) -> str:
    row = world.execute(
        "select t.token::text from private.invitation_tokens as t join waitlist as w on w.id = t.waitlist_id"
        " where w.email = %s", (address,),
    ).fetchone()  # fmt: skip
    assert row is not None
    return str(row[0])


def sign_up(world: psycopg.Connection, address: str, **metadata: str) -> None:
    world.execute(
        "insert into auth.users (instance_id, id, aud, role, email, raw_user_meta_data)"
        " values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated', %s, %s)",
        (address, psycopg.types.json.Jsonb(metadata)),
    )


def is_confirmed(world: psycopg.Connection, address: str) -> bool:
    query = "select email_confirmed_at is not null from auth.users where email = %s"
    return world.execute(query, (address,)).fetchone() == (True,)


def metadata_of(world: psycopg.Connection, address: str) -> object:
    row = world.execute("select raw_user_meta_data from auth.users where email = %s", (address,)).fetchone()
    return row and row[0]


def test_an_account_made_with_the_token_of_its_mail_is_confirmed(world: psycopg.Connection) -> None:
    """The quiz answers of the address become the first facts of the profile; the token is kept nowhere."""
    world.execute("update quiz_responses set firefighter_type = 'volunteer', current_rank = ' Probie '")
    token = token_of(world, "first@waitlist.test")
    sign_up(world, "First@waitlist.test", invitation_token=token, full_name="First")
    assert is_confirmed(world, "First@waitlist.test")
    facts = world.execute("select rank, firefighter_type from profiles where email = 'First@waitlist.test'").fetchone()
    assert facts == ("Probie", "Volunteer")
    again = psycopg.types.json.Jsonb({"full_name": "First", "email_verified": False, "invitation_token": token})
    world.execute("update auth.users set raw_user_meta_data = %s where email = 'First@waitlist.test'", (again,))
    assert metadata_of(world, "First@waitlist.test") == {"full_name": "First", "email_verified": True}


@pytest.mark.parametrize(
    "case", ["without", "other token", "no token", "other address", "expired", "invited anew", "not invited", "late"]
)
def test_nothing_else_confirms_an_account(world: psycopg.Connection, case: str) -> None:
    """An account that a stranger registered with the address, and a password of theirs, stays unconfirmed."""
    address, metadata = "first@waitlist.test", {"invitation_token": token_of(world, "first@waitlist.test")}
    if case == "without":
        metadata = {}
    elif case == "other token":
        metadata = {"invitation_token": "00000000-0000-4000-8000-000000000000"}
    elif case == "no token":
        metadata = {"invitation_token": "' or true --"}
    elif case == "other address":
        address = "second@waitlist.test"
    elif case == "expired":
        age(world, "15 days")
    elif case == "invited anew":
        world.execute("update waitlist set status = 'invited' where email = 'first@waitlist.test'")
    elif case == "not invited":
        world.execute("update waitlist set status = 'pending' where email = 'first@waitlist.test'")
    sign_up(world, address, **({} if case == "late" else metadata))
    if case == "late":
        world.execute(
            "update auth.users set raw_user_meta_data = %s where email = %s",
            (psycopg.types.json.Jsonb(metadata), address),
        )
    assert not is_confirmed(world, address)
    assert metadata_of(world, address) == {}


@pytest.mark.parametrize("actor", ["visitor", "stranger", "admin"])
def test_nobody_reads_the_tokens(world: psycopg.Connection, actor: str) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege), world.transaction():
        act_as(world, actor)
        world.execute("select token from private.invitation_tokens")
