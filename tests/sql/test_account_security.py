"""Second factors, recovery codes, sessions and the admins' second factor, as the database enforces them (§15)."""

import json
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from muster_product.database.policies import act_as
from muster_product.database.policy_world import PARAMETERS, member_id

HOURS = 3600
REFUSED = "Only members can do this"


def add_session(world: psycopg.Connection, member: str, user_agent: str = "", ip: str | None = None) -> UUID:
    """A session of a member, at aal1."""
    session = uuid4()
    world.execute(
        "insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip)"
        " values (%s, %s, now(), now(), 'aal1', %s, %s)",
        (session, member_id(member), user_agent, ip),
    )
    return session


def add_app(world: psycopg.Connection, member: str, status: str = "verified") -> UUID:
    """An authenticator app of a member."""
    factor = uuid4()
    world.execute(
        "insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)"
        " values (%s, %s, %s, 'totp', %s, now(), now(), 'SECRET')",
        (factor, member_id(member), str(factor), status),
    )
    return factor


def add_passkey(world: psycopg.Connection, member: str) -> UUID:
    """A passkey of a member."""
    passkey = uuid4()
    world.execute(
        "insert into auth.webauthn_credentials (id, user_id, credential_id, public_key, attestation_type, sign_count,"
        " transports, backup_eligible, backed_up, friendly_name, created_at, updated_at)"
        " values (%s, %s, %s, %s, 'none', 7, '[\"internal\"]', true, false, '', now(), now())",
        (passkey, member_id(member), passkey.bytes, bytes(range(77))),
    )
    return passkey


def act(world: psycopg.Connection, member: str, session: UUID | None = None, **claims: object) -> None:
    """Act as a member whose token has these claims, `aal1` unless said otherwise."""
    act_as(world, member)
    own = {"role": "authenticated", "sub": str(member_id(member)), "aal": "aal1", "amr": []}
    given = own | ({"session_id": str(session)} if session else {}) | claims
    world.execute("select set_config('request.jwt.claims', %s, true)", (json.dumps(given),))


def proof(world: psycopg.Connection, method: str, age_s: int = 0) -> list[dict[str, object]]:
    """An amr claim with one method."""
    row = world.execute("select floor(extract(epoch from now()))::bigint - %s", (age_s,)).fetchone()
    assert row is not None
    return [{"method": method, "timestamp": row[0]}]


def value(world: psycopg.Connection, expression: str) -> object:
    """The value of an expression as the present actor."""
    row = world.execute(f"select {expression}", PARAMETERS).fetchone()
    assert row is not None
    return row[0]


def refusal(world: psycopg.Connection, expression: str) -> tuple[str | None, str | None]:
    """SQLSTATE and message of what is refused."""
    with pytest.raises(psycopg.Error) as refused, world.transaction():
        world.execute(f"select {expression}", PARAMETERS)
    return refused.value.sqlstate, refused.value.diag.message_primary


@pytest.mark.parametrize(
    ("enrolled", "aal", "amr", "rows"),
    [
        pytest.param("nothing", "aal1", "password", 1, id="without a factor a password suffices"),
        pytest.param("unverified app", "aal1", "password", 1, id="an app that was not verified asks for nothing"),
        pytest.param("app", "aal1", "password", 0, id="a password alone reads nothing"),
        pytest.param("app", "aal2", "totp", 1, id="the second factor opens"),
        pytest.param("app", "aal1", "passkey", 1, id="a sign-in by passkey is two factors"),
        pytest.param("passkey", "aal1", "password", 0, id="a passkey is a second factor, too"),
        pytest.param("passkey", "aal2", "mfa/webauthn", 1, id="and opens as one"),
    ],
)
def test_a_second_factor_is_demanded(world: psycopg.Connection, enrolled: str, aal: str, amr: str, rows: int) -> None:
    """§15.2: with a factor enrolled, the database shows nothing to a session that has not given it."""
    if enrolled == "passkey":
        add_passkey(world, "owner")
    elif enrolled != "nothing":
        add_app(world, "owner", "unverified" if enrolled.startswith("un") else "verified")
    session = add_session(world, "owner")
    world.execute("set local search_path = public")
    act(world, "owner", session, aal=aal, amr=proof(world, amr))
    assert value(world, "count(*) from public.profiles where id = %(owner)s") == rows
    assert value(world, "sign_in_state()") == ("active" if rows else "second_factor")
    assert bool(value(world, "connection_count(%(owner)s) is not null")) is bool(rows)
    changed = world.execute("update public.profiles set bio = 'New' where id = %(owner)s", PARAMETERS).rowcount
    assert changed == rows


def test_a_passkey_is_a_factor_as_long_as_it_lasts(world: psycopg.Connection) -> None:
    """§15.1, §15.2: its credential as GoTrue's library stores it; removing it lowers the sessions that it raised."""
    passkey = add_passkey(world, "owner")
    row = world.execute(
        "select status::text, factor_type::text, web_authn_credential from auth.mfa_factors where id = %s", (passkey,)
    ).fetchone()
    assert row is not None
    status, kind, credential = row
    assert (status, kind, credential["authenticator"]["signCount"]) == ("verified", "webauthn", 7)
    assert "\n" not in credential["publicKey"]
    assert credential["transport"] == ["internal"]
    session = add_session(world, "owner")
    world.execute("update auth.sessions set aal = 'aal2', factor_id = %s where id = %s", (passkey, session))
    world.execute(
        "insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)"
        " values (gen_random_uuid(), %s, now(), now(), 'mfa/webauthn')", (session,),
    )  # fmt: skip
    world.execute("delete from auth.webauthn_credentials where id = %s", (passkey,))
    left = world.execute(
        "select s.aal::text, s.factor_id, (select count(*) from auth.mfa_amr_claims), (select count(*) from"
        " auth.mfa_factors) from auth.sessions as s where s.id = %s", (session,),
    ).fetchone()  # fmt: skip
    assert left == ("aal1", None, 0, 0)


def test_a_third_authenticator_app_is_refused(world: psycopg.Connection) -> None:
    """§15.1: up to two; one that was not verified does not count."""
    add_app(world, "owner", "unverified")
    for _ in range(2):
        add_app(world, "owner")
    with pytest.raises(psycopg.Error) as refused, world.transaction():
        add_app(world, "owner", "unverified")
    assert refused.value.sqlstate == "PT422"
    add_app(world, "other")


def made_codes(world: psycopg.Connection, member: str = "owner") -> list[str]:
    """Ten new codes of a member."""
    act(world, member, aal="aal2", amr=proof(world, "totp"))
    codes = [row[0] for row in world.execute("select make_recovery_codes()")]
    world.execute("reset role")
    return codes


def use(world: psycopg.Connection, code: str, session: UUID, member: str = "owner") -> tuple[object, ...]:
    """What use_recovery_code answers at aal1."""
    act(world, member, session)
    row = world.execute("select * from use_recovery_code(%s)", (code,)).fetchone()
    world.execute("reset role")
    assert row is not None
    return tuple(row)


def test_a_recovery_code_raises_its_session_once(world: psycopg.Connection) -> None:
    """§15.1, §15.2: ten, stored as hashes; each works once, written in any case, for its owner's session only."""
    world.execute("set local search_path = public")
    add_app(world, "owner")
    add_app(world, "other")
    first, second = add_session(world, "owner"), add_session(world, "owner")
    codes = made_codes(world)
    assert len(set(codes)) == 10
    stored = world.execute("select string_agg(code_hash, ' ') from private.recovery_codes").fetchone()
    assert stored is not None
    assert not any(code.replace("-", "") in stored[0] for code in codes)
    others = add_session(world, "other")
    assert use(world, codes[0], others, "other")[0] is False
    assert use(world, f" {codes[0].lower().replace('-', ' ')} ", first) == (True, 9, None)
    levels: dict[UUID, str] = dict(world.execute("select id, aal::text from auth.sessions").fetchall())
    assert levels[first] == "aal2"
    assert second not in levels, "the other session at aal1 ends, as when Auth verifies a factor"
    methods = world.execute("select authentication_method from auth.mfa_amr_claims where session_id = %s", (first,))
    assert methods.fetchall() == [("totp",)]
    assert use(world, codes[0], first)[0] is False, "replayed"
    act(world, "owner", aal="aal2", amr=proof(world, "totp"))
    assert value(world, "recovery_codes_left()") == 9
    world.execute("reset role")
    assert made_codes(world)[0] not in codes
    assert use(world, codes[1], first)[0] is False, "replaced"


def test_recovery_codes_cannot_be_guessed(world: psycopg.Connection) -> None:
    """§15.2: after five wrong codes a right one is refused, too, for a quarter of an hour."""
    world.execute("set local search_path = public")
    add_app(world, "owner")
    session = add_session(world, "owner")
    codes = made_codes(world)
    for wrong in ("", "7KQ2-MX4T", "x" * 5000, "%", "' or true --"):
        accepted, left, again_at = use(world, wrong, session)
        assert (accepted, left) == (False, None)
    assert again_at is not None
    assert use(world, codes[0], session)[0] is False
    world.execute("update private.recovery_attempts set attempted_at = now() - interval '15 minutes'")
    assert use(world, codes[0], session)[0] is True


@pytest.mark.parametrize(
    ("call", "claims", "want"),
    [
        pytest.param("make_recovery_codes()", {}, ("PT401", REFUSED), id="codes at aal1"),
        pytest.param("make_recovery_codes()", {"amr": [{"method": "passkey"}]},
                     ("PT403", "Confirm your second factor first"), id="codes after a passkey alone"),
        pytest.param("end_session(%(owner)s)", {}, ("PT401", REFUSED), id="end a session at aal1"),
        pytest.param("use_recovery_code('7KQ2-MX4T')", {"session_id": str(UUID(int=1))}, ("PT401", REFUSED),
                     id="a session that was ended"),
        pytest.param("use_recovery_code('7KQ2-MX4T')", {}, ("PT401", REFUSED), id="a token without session"),
        pytest.param("reset_second_factor(%(owner)s)", {"aal": "aal2"},
                     ("42501", "permission denied for function reset_second_factor"), id="an operator's way out"),
        pytest.param("set_admins_need_second_factor(false)", {"aal": "aal2"},
                     ("42501", "permission denied for function set_admins_need_second_factor"), id="its switch"),
    ],
)  # fmt: skip
def test_what_needs_the_second_factor_is_refused_without(
    world: psycopg.Connection, call: str, claims: dict[str, Any], want: tuple[str, str]
) -> None:
    """§15.2: aal1 calls nothing that needs aal2, and no member what is the operator's."""
    world.execute("set local search_path = public")
    add_app(world, "owner")
    act(world, "owner", **claims)
    assert refusal(world, call) == want


def test_codes_go_with_the_last_factor(world: psycopg.Connection) -> None:
    """§15.1: without a factor there is nothing to recover, and the operator's reset leaves none of the three."""
    world.execute("set local search_path = public")
    left = "select (select count(*) from private.recovery_codes), (select count(*) from auth.mfa_factors)"
    first = add_app(world, "owner")
    add_app(world, "owner")
    made_codes(world)
    world.execute("delete from auth.mfa_factors where id = %s", (first,))
    assert world.execute(left).fetchone() == (10, 1)
    world.execute("delete from auth.mfa_factors")
    assert world.execute(left).fetchone() == (0, 0)
    add_passkey(world, "owner")
    add_session(world, "owner")
    made_codes(world)
    act_as(world, "service")
    world.execute("select reset_second_factor(%(owner)s)", PARAMETERS)
    world.execute("reset role")
    assert world.execute(left).fetchone() == (0, 0)
    assert world.execute("select count(*) from auth.sessions").fetchone() == (0,)


CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile Safari/604.1"


def test_sessions_are_listed_and_ended(world: psycopg.Connection) -> None:
    """§15.1: device, network and last use; only one's own; the tokens of an ended session read nothing."""
    world.execute("set local search_path = public")
    world.execute("delete from auth.sessions")
    mine = add_session(world, "owner", CHROME, "198.51.100.7")
    phone = add_session(world, "owner", SAFARI, "10.1.2.3")
    theirs = add_session(world, "other", CHROME, "2001:db8::1")
    act(world, "owner", mine)
    rows = world.execute("select id, device, network, is_current from my_sessions()").fetchall()
    assert rows == [
        (mine, "Chrome on Windows", "Network 198.51/16", True),
        (phone, "Safari on iPhone", "Local network", False),
    ]
    assert world.execute("select end_session(%s)", (theirs,)).fetchone() == (False,)
    assert world.execute("select end_session(%s)", (phone,)).fetchone() == (True,)
    act(world, "owner", phone, aal="aal2")
    assert value(world, "count(*) from public.profiles where id = %(owner)s") == 0
    assert value(world, "sign_in_state()") == "ended"
    act(world, "owner", theirs, aal="aal2")
    assert value(world, "count(*) from public.profiles where id = %(owner)s") == 0, "somebody else's session"


@pytest.mark.parametrize(
    ("user_agent", "want"),
    [
        (None, "Unknown device"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
        ("Mozilla/5.0 (Macintosh) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0", "Edge on Mac"),
        ("python-httpx/0.28", "python-httpx"),
        ("<script>alert(1)</script>" + "x" * 500, "<script>alert(1)<"),
    ],
)
def test_devices_have_names(world: psycopg.Connection, user_agent: str | None, want: str) -> None:
    """§15.1: also a browser that says nothing, a program, and what somebody made up."""
    assert world.execute("select private.device_of(%s)", (user_agent,)).fetchone() == (want,)


def demand(world: psycopg.Connection, needed: bool = True) -> None:
    """The operator's setting."""
    act_as(world, "service")
    world.execute("select public.set_admins_need_second_factor(%s)", (needed,))
    world.execute("reset role")


@pytest.mark.parametrize(
    ("aal", "method", "age_s", "access"),
    [
        pytest.param("aal1", "password", 0, "second_factor", id="a password alone"),
        pytest.param("aal2", "totp", 0, "open", id="an app"),
        pytest.param("aal2", "mfa/webauthn", 11 * HOURS, "open", id="a passkey, 11 hours ago"),
        pytest.param("aal2", "totp", 12 * HOURS, "second_factor", id="12 hours ago"),
        pytest.param("aal1", "passkey", 0, "second_factor", id="a sign-in by passkey, which is aal1"),
        pytest.param("aal1", "totp", 0, "second_factor", id="a method without its level"),
    ],
)
def test_admins_need_their_second_factor(
    world: psycopg.Connection, aal: str, method: str, age_s: int, access: str
) -> None:
    """§15.3: policies and procedures of the admin area, by `aal`, asked again after 12 hours."""
    world.execute("set local search_path = public")
    add_app(world, "admin")
    demand(world)
    act(world, "admin", aal=aal, amr=proof(world, method, age_s))
    is_open = access == "open"
    is_member = aal == "aal2" or method == "passkey"
    assert bool(value(world, "count(*) from public.feedback")) is is_open
    if is_open:
        assert value(world, "count(*) from admin_members()") == 7
    else:
        said = "Confirm your second factor first" if is_member else "Only admins can do this"
        assert refusal(world, "count(*) from admin_members()") == ("PT403", said)
    if is_member:
        assert value(world, "admin_access()") == access
        assert value(world, "is_admin(%(admin)s)") is True
        assert value(world, "is_admin(%(owner)s)") is False


def test_the_setting_shuts_nobody_out(world: psycopg.Connection) -> None:
    """§15.3: it is refused while no admin has a factor; an admin without one is told to set one up; off is off."""
    world.execute("set local search_path = public")
    act_as(world, "service")
    assert refusal(world, "set_admins_need_second_factor(true)")[0] == "PT409"
    world.execute("reset role")
    factor = add_app(world, "admin")
    demand(world)
    world.execute("delete from auth.mfa_factors where id = %s", (factor,))
    act(world, "admin")
    assert value(world, "admin_access()") == "no_factor"
    assert refusal(world, "count(*) from admin_members()") == ("PT403", "Confirm your second factor first")
    act(world, "owner")
    assert value(world, "admin_access()") == "none"
    world.execute("reset role")
    demand(world, needed=False)
    act(world, "admin")
    assert value(world, "admin_access()") == "open"
    assert value(world, "count(*) from admin_members()") == 7
