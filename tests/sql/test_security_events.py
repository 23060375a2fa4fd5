"""Security mails with an undo (§15.4): what is noted, who is told, and what a link undoes, as the database does it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id
from tests.sql.test_account_security import (
    CHROME,
    SAFARI,
    act,
    add_app,
    add_passkey,
    add_session,
    made_codes,
    use,
    value,
)
from tests.sql.test_applications import add_client, add_request

World = psycopg.Connection[Any]
OWNER = "owner@muster.test"


def as_auth(world: World, statement: str, *values: object) -> None:
    """What Auth does, in its own role."""
    world.execute("set local role supabase_auth_admin")
    world.execute(statement, values)
    world.execute("reset role")


def asked(world: World) -> list[dict[str, Any]]:
    """The facts of the mails that were asked for, and no longer are."""
    rows = world.execute("delete from functions.mail_requests where kind = 'security' returning facts").fetchall()
    return sorted((row[0] for row in rows), key=lambda facts: str(facts["event"]))


def undo(world: World, token: str, actor: str = "visitor") -> list[tuple[Any, ...]]:
    """What a link does for whoever opens it."""
    act_as(world, actor)
    rows = world.execute("select email from public.undo_security_event(%s)", (token,)).fetchall()
    world.execute("reset role")
    return rows


def shown(world: World, token: str) -> list[tuple[Any, ...]]:
    """What the page of a link says that it undoes."""
    act_as(world, "visitor")
    rows = world.execute("select kind, detail from public.security_event(%s)", (token,)).fetchall()
    world.execute("reset role")
    return rows


def account(world: World) -> tuple[Any, ...]:
    """The owner's account: address, whether a password signs in, sessions, factors."""
    row = world.execute(
        "select u.email, u.encrypted_password <> '', (select count(*) from auth.sessions as s where s.user_id = u.id),"
        " array(select f.friendly_name from auth.mfa_factors as f where f.user_id = u.id order by 1)"
        " from auth.users as u where u.id = %s",
        (member_id("owner"),),
    ).fetchone()
    assert row is not None
    return tuple(row)


@pytest.fixture
def secured(world: World) -> World:
    """The owner has an address that is confirmed, a password and a session from a known device; nothing was mailed."""
    world.execute(
        "update auth.users set email = %s, email_confirmed_at = now(), encrypted_password = 'old' where id = %s",
        (OWNER, member_id("owner")),
    )
    world.execute("delete from auth.sessions")
    world.execute("delete from private.known_devices")
    add_session(world, "owner", CHROME, "198.51.100.7")
    world.execute("update private.known_devices set first_seen_at = now() - interval '1 day'")
    world.execute("delete from private.security_events")
    asked(world)
    return world


def change_password(world: World) -> None:
    as_auth(world, "update auth.users set encrypted_password = 'new' where id = %s", member_id("owner"))


def change_email(world: World) -> None:
    as_auth(world, "update auth.users set email = 'thief@evil.test' where id = %s", member_id("owner"))


def add_factor(world: World) -> None:
    factor = add_app(world, "owner", "unverified")
    as_auth(world, "update auth.mfa_factors set status = 'verified', friendly_name = 'Phone' where id = %s", factor)


def sign_in_elsewhere(world: World) -> None:
    add_session(world, "owner", SAFARI, "203.0.113.9")


@pytest.mark.parametrize(
    ("act", "want"),
    [
        pytest.param(change_password, ("password_changed", "", ""), id="password"),
        pytest.param(change_email, ("email_changed", "thief@evil.test", ""), id="address"),
        pytest.param(add_factor, ("factor_added", "Phone", ""), id="factor"),
        pytest.param(sign_in_elsewhere, ("new_device", "", "Safari on iPhone"), id="device"),
    ],
)
def test_it_is_told_and_undone(secured: World, act: Callable[[World], None], want: tuple[str, str, str]) -> None:
    """§15.4: to the address of before, with a token that is kept as a hash; undone, only the mailbox signs in."""
    act(secured)
    (facts,) = asked(secured)
    assert (facts["event"], facts["detail"], facts["device"]) == want
    assert facts["to"] == OWNER
    assert facts["when"].endswith("M, Eastern Time")
    stored = secured.execute("select token_hash, detail, previous::text from private.security_events").fetchone()
    assert stored is not None
    assert len(stored[0]) == 32
    assert facts["token"] not in str(stored)
    assert shown(secured, facts["token"]) == [want[:2]]
    assert undo(secured, facts["token"]) == [(OWNER,)]
    assert account(secured) == (OWNER, False, 0, [])
    assert value(secured, "email from public.profiles where id = %(owner)s") == OWNER
    assert asked(secured) == [], "undoing is no news"
    assert undo(secured, facts["token"]) == [], "used"
    assert shown(secured, facts["token"]) == []


@pytest.mark.parametrize("add", [add_app, add_passkey])
def test_a_removed_factor_comes_back(secured: World, add: Callable[[World, str], UUID]) -> None:
    """§15.4: an app with its secret, a passkey with its key, and the factor that the passkey is."""
    factor = add(secured, "owner")
    before = secured.execute("select to_jsonb(f) from auth.mfa_factors as f").fetchall()
    (added,) = asked(secured)
    assert added["event"] == "factor_added"
    table = "mfa_factors" if add is add_app else "webauthn_credentials"
    as_auth(secured, f"delete from auth.{table} where id = %s", factor)
    (facts,) = asked(secured)
    assert facts["event"] == "factor_removed"
    assert account(secured)[3] == []
    undo(secured, facts["token"])
    assert secured.execute("select to_jsonb(f) from auth.mfa_factors as f").fetchall() == before


def test_one_undo_takes_back_what_came_after(secured: World) -> None:
    """§15.4: after a change of address the other mails went to the thief, and a flood is mailed only in part."""
    add_app(secured, "owner")
    asked(secured)
    change_email(secured)
    (told,) = asked(secured)
    change_password(secured)
    add_passkey(secured, "owner")
    as_auth(secured, "delete from auth.mfa_factors where factor_type = 'totp'")
    assert {facts["to"] for facts in asked(secured)} == {"thief@evil.test"}
    kinds = [kind for kind, _ in shown(secured, told["token"])]
    assert kinds == ["email_changed", "password_changed", "factor_added", "factor_removed"]
    assert undo(secured, told["token"]) == [(OWNER,)]
    address, has_password, sessions, factors = account(secured)
    assert (address, has_password, sessions, len(factors)) == (OWNER, False, 0, 1)
    left = secured.execute("select count(*) from private.security_events where undone_at is null and id >= %s", (0,))
    assert left.fetchone() == (1,), "the app was added before"


def test_undoing_disconnects_every_application(secured: World) -> None:
    """§15.6: what was allowed is asked again, and a code that is under way opens nothing."""
    client = add_client(secured)
    request = add_request(secured, client, "owner", "approved")
    secured.execute(
        "insert into auth.oauth_consents (id, user_id, client_id, scopes) select gen_random_uuid(), u.id, %s, 'email'"
        " from unnest(%s) as u (id)",
        (client, [member_id("owner"), member_id("other")]),
    )
    act(secured, "owner", add_session(secured, "owner"), aal="aal2")
    assert secured.execute("select public.confirm_application(%s)", (request,)).fetchone() == (True,)
    secured.execute("reset role")
    asked(secured)
    change_password(secured)
    (told,) = asked(secured)
    undo(secured, told["token"])
    left = secured.execute("select user_id from auth.oauth_consents where revoked_at is null").fetchall()
    assert left == [(member_id("other"),)]
    assert secured.execute("select count(*) from auth.oauth_authorizations").fetchone() == (0,)
    assert secured.execute("select count(*) from private.application_consents").fetchone() == (0,)


def test_recovery_codes_are_told_and_come_back(secured: World) -> None:
    """§15.4: making new ones brings back the earlier; a used one ends the list, which somebody else has."""
    secured.execute("set local search_path = public")
    add_app(secured, "owner")
    first = made_codes(secured)
    asked(secured)
    second = made_codes(secured)
    (facts,) = asked(secured)
    assert facts["event"] == "codes_made"
    undo(secured, facts["token"])
    session = add_session(secured, "owner", CHROME, "198.51.100.7")
    assert use(secured, second[0], session)[0] is False
    assert use(secured, first[0], session)[0] is True
    (used,) = asked(secured)
    assert (used["event"], used["device"]) == ("code_used", "Chrome on Windows")
    undo(secured, used["token"])
    assert value(secured, "count(*) from private.recovery_codes") == 0


def test_a_known_device_is_not_told(secured: World) -> None:
    """§15.4: nor the first sign-in of all; another network is a new device; after an undo it is new again."""
    add_session(secured, "owner", CHROME, "198.51.3.4")
    add_session(secured, "other", SAFARI, "203.0.113.9")
    add_session(secured, "owner", CHROME.replace("141", "142"), "198.51.100.7")
    assert asked(secured) == []
    add_session(secured, "owner", CHROME, "203.0.113.9")
    (facts,) = asked(secured)
    assert (facts["device"], facts["network"]) == ("Chrome on Windows", "Network 203.0/16")
    add_session(secured, "owner", CHROME, "203.0.113.9")
    assert asked(secured) == []
    undo(secured, facts["token"])
    add_session(secured, "owner", CHROME, "203.0.113.9")
    assert len(asked(secured)) == 1


@pytest.mark.parametrize("token", ["", "0" * 64, "x" * 100_000, "%", "' or true --", "\\x00", "ünï"])
def test_a_wrong_link_does_nothing(secured: World, token: str) -> None:
    """§15.4: whatever it is, the answer is the same."""
    change_password(secured)
    assert undo(secured, token) == []
    assert shown(secured, token) == []
    assert account(secured)[:3] == (OWNER, True, 1)


def test_links_end_and_guesses_are_limited(secured: World) -> None:
    """§15.4: after seven days; 120 wrong ones a minute from everybody, which never refuses a right one."""
    change_password(secured)
    (facts,) = asked(secured)
    secured.execute("update private.security_events set happened_at = now() - interval '7 days'")
    assert undo(secured, facts["token"]) == []
    secured.execute("update private.security_events set happened_at = now() - interval '6 days 23 hours'")
    secured.execute("update private.undo_guesses set guesses = 120")
    act_as(secured, "stranger")
    for call in ("undo_security_event", "security_event"):
        with pytest.raises(psycopg.Error) as refused, secured.transaction():
            secured.execute(f"select * from public.{call}('guess')")
        assert refused.value.sqlstate == "PT429"
    secured.execute("reset role")
    assert undo(secured, facts["token"], "stranger") == [(OWNER,)], "the link is the proof, whoever is signed in"


def test_a_flood_is_noted_and_mailed_a_few_times(secured: World) -> None:
    """§15.4: five mails of a kind an hour; the rest is noted, and the undo of the last mail covers it."""
    for number in range(9):
        as_auth(secured, "update auth.users set encrypted_password = %s where id = %s", str(number), member_id("owner"))
    tokens = [facts["token"] for facts in asked(secured)]
    assert len(tokens) == 5
    noted = secured.execute("select count(*), count(token_hash) from private.security_events").fetchone()
    assert noted == (9, 5)
    assert [len(shown(secured, token)) for token in tokens].count(5) == 1


def test_nothing_to_tell(secured: World) -> None:
    """§15.4: before an address is confirmed, of unchanged values, unverified apps and deleted accounts."""
    stranger = member_id("stranger")
    secured.execute("update auth.users set email_confirmed_at = null where id = %s", (stranger,))
    as_auth(secured, "update auth.users set encrypted_password = 'x', email = 's@x.test' where id = %s", stranger)
    as_auth(secured, "update auth.users set encrypted_password = 'old' where id = %s", member_id("owner"))
    factor = add_app(secured, "owner", "unverified")
    as_auth(secured, "delete from auth.mfa_factors where id = %s", factor)
    as_auth(
        secured,
        "update auth.users set email = 'h', encrypted_password = null, deleted_at = now() where id = %s",
        member_id("asked"),
    )
    add_app(secured, "owner")
    asked(secured)
    as_auth(secured, "delete from auth.users where id = %s", member_id("owner"))
    assert asked(secured) == []
    assert value(secured, "count(*) from private.security_events") == 0


@pytest.mark.parametrize(("is_confirmed", "want"), [(False, OWNER), (True, None)])
def test_an_address_that_was_taken_meanwhile(secured: World, is_confirmed: bool, want: str | None) -> None:
    """§15.4: an account that nobody confirmed gives way; else this one has no address, and the thief's is gone."""
    change_email(secured)
    (facts,) = asked(secured)
    secured.execute(
        "insert into auth.users (id, email, email_confirmed_at) values (%s, %s, case when %s then now() end)",
        (uuid4(), OWNER, is_confirmed),
    )
    assert undo(secured, facts["token"]) == [(want,)]
    assert account(secured)[:3] == (want, False, 0)


def test_a_failure_never_stops_a_sign_in(secured: World) -> None:
    """§15.4: neither one of the queue nor one of the record."""
    secured.execute("alter table functions.mail_requests add constraint broken check (kind <> 'security') not valid")
    change_password(secured)
    sign_in_elsewhere(secured)
    secured.execute("alter table private.known_devices add constraint broken check (false) not valid")
    add_session(secured, "owner", SAFARI, "192.0.2.1")
    assert account(secured)[:3] == (OWNER, True, 3)
    assert asked(secured) == []


def test_what_is_old_goes(secured: World) -> None:
    """§15.4: events, with the earlier address and the secrets of removed apps, when no link undoes them any more."""
    change_email(secured)
    secured.execute("select private.delete_old_security_events()")
    assert value(secured, "count(*) from private.security_events") == 1
    secured.execute("update private.security_events set happened_at = now() - interval '8 days'")
    secured.execute("update private.known_devices set last_seen_at = now() - interval '366 days'")
    secured.execute("select private.delete_old_security_events()")
    counts = "(select count(*) from private.security_events) + (select count(*) from private.known_devices)"
    assert value(secured, counts) == 0
