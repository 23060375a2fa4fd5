"""Applications that members sign in to: what the database lets them do in a member's place (§15.6)."""

from uuid import UUID, uuid4

import psycopg
import pytest

from muster_product.database.policy_world import member_id
from tests.sql.test_account_security import REFUSED, act, add_app, add_session, refusal, value

OWN_PROFILE = "count(*) from public.profiles where id = %(owner)s"


def add_client(world: psycopg.Connection) -> UUID:
    """A client of Auth's OAuth server."""
    made = uuid4()
    world.execute(
        "insert into auth.oauth_clients (id, registration_type, redirect_uris, grant_types, client_type,"
        " token_endpoint_auth_method)"
        " values (%s, 'dynamic', 'https://app.test/', 'authorization_code', 'public', 'none')",
        (made,),
    )
    return made


@pytest.fixture
def client(world: psycopg.Connection) -> UUID:
    """The application that is asked about."""
    world.execute("set local search_path = public")
    return add_client(world)


def add_request(world: psycopg.Connection, client: UUID, member: str, status: str = "pending", age: str = "0") -> str:
    """A request that a member's consent page shows."""
    named = uuid4().hex
    world.execute(
        "insert into auth.oauth_authorizations (id, authorization_id, client_id, user_id, redirect_uri, scope,"
        " code_challenge, code_challenge_method, response_type, status, created_at, expires_at)"
        " values (%s, %s, %s, %s, 'https://app.test/', 'email', repeat('c', 43), 's256', 'code', %s,"
        " now() - %s::interval, now() - %s::interval + interval '10 minutes')",
        (uuid4(), named, client, member_id(member), status, age, age),
    )
    return named


def add_application_session(world: psycopg.Connection, client: UUID, member: str) -> UUID:
    """What Auth writes when a client takes its tokens."""
    world.execute("reset role")
    session = uuid4()
    world.execute(
        "insert into auth.sessions (id, user_id, created_at, updated_at, aal, oauth_client_id)"
        " values (%s, %s, now(), now(), 'aal1', %s)",
        (session, member_id(member), client),
    )
    return session


def test_an_application_reads_what_its_member_reads(world: psycopg.Connection, client: UUID) -> None:
    """§15.6: without a second factor a consent is enough; an ended session reads nothing."""
    session = add_application_session(world, client, "owner")
    act(world, "owner", session, client_id=str(client))
    assert value(world, OWN_PROFILE) == 1
    world.execute("reset role")
    world.execute("delete from auth.sessions where id = %s", (session,))
    act(world, "owner", session, client_id=str(client))
    assert value(world, OWN_PROFILE) == 0


def test_a_consent_without_the_second_factor_opens_nothing(world: psycopg.Connection, client: UUID) -> None:
    """§15.6: who has only the password lets no application in; a consent that was confirmed lets in one session."""
    add_app(world, "owner")
    request = add_request(world, client, "owner")
    mine = add_session(world, "owner")
    act(world, "owner", mine)
    assert refusal(world, f"confirm_application('{request}')") == ("PT401", REFUSED)
    unproven = add_application_session(world, client, "owner")
    act(world, "owner", unproven, client_id=str(client))
    assert value(world, OWN_PROFILE) == 0
    act(world, "owner", mine, aal="aal2")
    assert value(world, f"confirm_application('{request}')") is True
    proven, next_one = (add_application_session(world, client, "owner") for _ in range(2))
    for session, rows in ((proven, 1), (unproven, 0), (next_one, 0)):
        act(world, "owner", session, client_id=str(client))
        assert value(world, OWN_PROFILE) == rows
    world.execute("reset role")
    world.execute("update private.application_consents set confirmed_at = now()")
    assert world.execute("select count(*) from private.application_consents").fetchone() == (0,)


def test_a_consent_waits_ten_minutes(world: psycopg.Connection, client: UUID) -> None:
    """§15.6: the code of an authorization lives as long."""
    add_app(world, "owner")
    request = add_request(world, client, "owner")
    act(world, "owner", add_session(world, "owner"), aal="aal2")
    assert value(world, f"confirm_application('{request}')") is True
    world.execute("reset role")
    world.execute("update private.application_consents set confirmed_at = now() - interval '10 minutes'")
    session = add_application_session(world, client, "owner")
    act(world, "owner", session, client_id=str(client))
    assert value(world, OWN_PROFILE) == 0


@pytest.mark.parametrize(
    ("member", "status", "age"),
    [
        pytest.param("other", "pending", "0", id="somebody else's"),
        pytest.param("owner", "denied", "0", id="denied"),
        pytest.param("owner", "pending", "11 minutes", id="too old"),
    ],
)
def test_only_an_open_request_of_ones_own_is_confirmed(
    world: psycopg.Connection, client: UUID, member: str, status: str, age: str
) -> None:
    """§15.6: nothing else lets an application in."""
    request = add_request(world, client, member, status, age)
    act(world, "owner", add_session(world, "owner"), aal="aal2")
    assert value(world, f"confirm_application('{request}')") is False
    assert value(world, "confirm_application('no such')") is False
    assert value(world, "confirm_application(null)") is False


@pytest.mark.parametrize(
    "call",
    [
        "end_session(%(owner)s)",
        "delete_own_account()",
        "use_recovery_code('7KQ2-MX4T')",
        "make_recovery_codes()",
        "confirm_application('none')",
    ],
)
def test_an_application_does_not_touch_the_account(world: psycopg.Connection, client: UUID, call: str) -> None:
    """§15.6: sessions, codes, the account itself and other applications are the member's own business."""
    session = add_application_session(world, client, "owner")
    amr = [{"method": "oauth_provider/authorization_code", "timestamp": 4_000_000_000}]
    act(world, "owner", session, client_id=str(client), amr=amr)
    assert refusal(world, call)[0] in ("PT401", "PT403")
    assert value(world, "count(*) from my_sessions()") == 0


def test_an_application_is_no_admin(world: psycopg.Connection, client: UUID) -> None:
    """§15.6: an admin's application is a member's; and its sessions are not among the devices."""
    session, mine = add_application_session(world, client, "admin"), add_session(world, "admin")
    act(world, "admin", mine)
    assert [row[0] for row in world.execute("select id from my_sessions()")] == [mine]
    assert (value(world, "admin_access()"), value(world, "private.caller_is_admin()")) == ("open", True)
    act(world, "admin", session, client_id=str(client))
    assert (value(world, "admin_access()"), value(world, "private.caller_is_admin()")) == ("none", False)
    assert refusal(world, "set_admin(%(owner)s, true)")[0] == "PT403"
