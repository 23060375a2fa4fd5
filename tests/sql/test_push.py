"""Web push (§17.3) as the database keeps it: devices, what is queued for them, and when."""

import json
from collections.abc import Iterator
from datetime import time
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.types.json import Jsonb

from emulator.branches.testing import unfinished
from muster_functions.extension import EXTENSION
from muster_functions.push.message import KINDS
from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id

POINT, SECRET = "B" + "A" * 86, "A" * 22
ADD = """
insert into push_subscriptions (endpoint, p256dh, auth, server_key, preferences, quiet_from, quiet_until)
values (%(endpoint)s, %(p256dh)s, %(auth)s, %(server_key)s, %(preferences)s, %(quiet_from)s, %(quiet_until)s)
returning id
"""
ALL = ["messages", "connections", "mentions", "certifications", "trainings", "growth", "system"]
CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"


class Devices:
    """The devices of members, who have none at first."""

    def __init__(self, world: psycopg.Connection[Any]) -> None:
        self.world = world
        for table in ("push_subscriptions", "notifications"):
            world.execute(f"delete from {table}")

    def session(self, member: str) -> UUID:
        id = uuid4()
        self.world.execute(
            "insert into auth.sessions (id, user_id, created_at, updated_at, user_agent)"
            " values (%s, %s, now(), now(), %s)",
            (id, member_id(member), CHROME),
        )
        return id

    def be(self, member: str, session: UUID | None) -> None:
        act_as(self.world, member)
        claims = {"role": "authenticated", "sub": str(member_id(member)), "session_id": str(session)}
        self.world.execute("select set_config('request.jwt.claims', %s, true)", (json.dumps(claims),))

    def add(self, member: str = "owner", session: UUID | None = None, **values: object) -> UUID:
        """Add a device as its member does; a session of its own unless given."""
        given = {
            "endpoint": f"https://push.example.net/{uuid4()}", "p256dh": POINT, "auth": SECRET, "server_key": POINT,
            "preferences": ALL, "quiet_from": None, "quiet_until": None,
        }  # fmt: skip
        session = session or self.session(member)
        with self.world.transaction():
            self.be(member, session)
            row = self.world.execute(ADD, given | values).fetchone()
            self.world.execute("reset role")
        assert row is not None
        id: UUID = row[0]
        return id

    def tell(self, kind: str = "message", actor: str | None = "other", member: str = "owner") -> UUID:
        row = self.world.execute(
            "insert into notifications (user_id, actor_id, type, title, content, metadata)"
            " values (%s, %s, %s, 'Other sent you a message', 'Hi', '{\"url\": \"/messages\"}') returning id",
            (member_id(member), actor and member_id(actor), kind),
        ).fetchone()
        assert row is not None
        id: UUID = row[0]
        return id

    def be_quiet(self, device: UUID) -> None:
        """Quiet hours from an hour ago to an hour from now, by the member's clock."""
        self.world.execute(
            "update push_subscriptions as s"
            " set quiet_from = local.t::time - interval '1 hour', quiet_until = local.t::time + interval '1 hour'"
            " from profiles as p, lateral (select now() at time zone private.time_zone_of(p) as t) as local"
            " where p.id = s.user_id and s.id = %s",
            (device,),
        )

    def queued(self) -> list[tuple[UUID, UUID]]:
        return self.world.execute("select subscription_id, notification_id from functions.push_queue").fetchall()

    def claim(self, busy: tuple[UUID, ...] = ()) -> tuple[UUID, list[str]] | None:
        """The device, and the notifications that are due for it."""
        row = self.world.execute(
            "select subscription_id, notifications from functions.claim_pushes('1 minute', %s)", (list(busy),)
        ).fetchone()
        return None if row is None else (row[0], [one["id"] for one in row[1]])

    def choose(self, **settings: object) -> None:
        self.world.execute(
            "update profiles set notification_settings = notification_settings || %s where id = %s",
            (Jsonb(settings), member_id("owner")),
        )


@pytest.fixture(scope="module")
def nobody_told(shared_world: psycopg.Connection[Any]) -> Devices:
    """The world, made once: each test goes back to it."""
    return Devices(shared_world)


@pytest.fixture
def devices(nobody_told: Devices) -> Iterator[Devices]:
    with nobody_told.world.transaction(force_rollback=True):
        yield nobody_told


# -- devices ----------------------------------------------------------------------------------------------------------


def test_a_device_is_of_a_session_and_ends_with_it(devices: Devices) -> None:
    """§17.3 §15.1: named by its browser, one a session, gone with the session and all that waits for it."""
    session = devices.session("owner")
    first = devices.add(session=session)
    second = devices.add(session=session)
    other = devices.add()
    devices.tell()
    with devices.world.transaction(force_rollback=True):
        devices.be("owner", session)
        listed = devices.world.execute("select id, device, is_this from push_devices()").fetchall()
    assert listed == [(second, "Chrome on Windows", True), (other, "Chrome on Windows", False)]
    assert first not in {row[0] for row in listed}
    assert {device for device, _ in devices.queued()} == {second, other}
    devices.world.execute("delete from auth.sessions where id = %s", (session,))
    assert {device for device, _ in devices.queued()} == {other}


@pytest.mark.parametrize("whose", ["stranger", "nobody"])
def test_a_foreign_session_adds_no_device(devices: Devices, whose: str) -> None:
    """§17.3: neither another member's nor one that has ended."""
    session = devices.session("stranger") if whose == "stranger" else uuid4()
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        devices.add(session=session)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/1", "https://127.0.0.1/1", "https://[::1]/1", "https://localhost/1", "https://0x7f.1/1",
        "https://printer.local/1", "https://db.internal/1", "https://push.example.net:22/1", "https://a@push.example.net/1",
        "https://push.example.net", "https://push.example.net/\n", "https://push.example.net/ä", "file:///etc/passwd",
        "https://push.example.net/" + "a" * 1000, "", "https://db/1", "https://push.example.net\\@db.internal/1",
    ],
)  # fmt: skip
def test_an_address_is_one_of_a_push_service(devices: Devices, endpoint: str) -> None:
    """§17.3: nothing of this machine or its networks can be written down; the sender looks up the rest."""
    with pytest.raises(psycopg.errors.CheckViolation):
        devices.add(endpoint=endpoint)


@pytest.mark.parametrize(
    ("values", "sqlstate"),
    [
        pytest.param({"p256dh": "B" + "A" * 10_000}, "23514", id="ten-kilobytes"),
        pytest.param({"p256dh": "A" * 87}, "23514", id="no-point"),
        pytest.param({"p256dh": "B" + "+" * 86}, "23514", id="another-alphabet"),
        pytest.param({"auth": "A" * 21}, "23514", id="short-secret"),
        pytest.param({"auth": ""}, "23514", id="no-secret"),
        pytest.param({"server_key": "x"}, "23514", id="no-server-key"),
        pytest.param({"quiet_from": time(22)}, "23514", id="half-a-night"),
        pytest.param({"quiet_from": time(22), "quiet_until": time(22)}, "23514", id="no-time-at-all"),
        pytest.param({"preferences": ["digest"]}, "PT400", id="only-mailed"),
        pytest.param({"preferences": ["nonsense"]}, "PT400", id="unknown-kind"),
        pytest.param({"preferences": [None]}, "PT400", id="null-kind"),
        pytest.param({"preferences": ["messages"] * 21}, "PT400", id="many-kinds"),
        pytest.param({"preferences": None}, "PT400", id="no-kinds"),
    ],
)
def test_what_no_browser_gives_is_refused(devices: Devices, values: dict[str, Any], sqlstate: str) -> None:
    """§17.3: broken keys, half quiet hours, kinds that there are not."""
    with pytest.raises(psycopg.Error) as refused:
        devices.add(**values)
    assert refused.value.sqlstate == sqlstate


def test_a_member_has_twenty_devices(devices: Devices) -> None:
    """§17.3: and another member's address is nobody else's."""
    for _ in range(19):
        devices.add()
    devices.add(endpoint="https://push.example.net/mine")
    with pytest.raises(psycopg.Error, match="at most 20 devices"):
        devices.add()
    with pytest.raises(psycopg.errors.UniqueViolation):
        devices.add("other", endpoint="https://push.example.net/mine")


# -- what is queued ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "preference"),
    [
        ("message", "messages"), ("connection", "connections"), ("mention", "mentions"), ("comment", "mentions"),
        ("reaction", "mentions"), ("certification", "certifications"), ("training", "trainings"),
        ("endorsement", "growth"), ("system", "system"), ("unheard_of", "system"),
    ],
)  # fmt: skip
def test_each_device_is_told_of_the_kinds_it_chose(devices: Devices, kind: str, preference: str) -> None:
    """§17.3: by kind and by device, also of kinds that nobody knew when it was added."""
    device = devices.add(preferences=[preference])
    devices.add(preferences=[other for other in ALL if other != preference])
    told = devices.tell(kind)
    assert devices.queued() == [(device, told)]


def test_every_kind_has_words_that_name_no_content(devices: Devices) -> None:
    """§17.3: for pushes that hide what they say; a new preference needs its own."""
    query = "select distinct preference from private.notification_kinds where preference is not null and not mail_only"
    assert {name for (name,) in devices.world.execute(query).fetchall()} == KINDS.keys()


@pytest.mark.parametrize(
    "settings",
    [
        {"globalMute": True},
        {"preferences": {"messages": {"muted": True}}},
        {"preferences": {"messages": {"enabled": False}}},
        {"preferences": {"messages": {"displayInApp": False}}},
    ],
)
def test_what_raises_no_alert_is_not_pushed(devices: Devices, settings: dict[str, object]) -> None:
    """§17.3 §3.12: chosen before the notification, or while its push waits."""
    devices.add()
    with devices.world.transaction(force_rollback=True):
        devices.choose(**settings)
        devices.tell()
        assert devices.queued() == []
    devices.tell()
    devices.choose(**settings)
    assert devices.claim() is None
    assert devices.queued() == []


SILENCES = [
    "insert into blocks (blocker_id, blocked_id) values (%(owner)s, %(other)s)",
    "insert into blocks (blocker_id, blocked_id) values (%(other)s, %(owner)s)",
    "insert into mutes (member_id, muted_id) values (%(owner)s, %(other)s)",
]


@pytest.mark.parametrize("silence", SILENCES)
def test_blocked_and_muted_members_push_nothing(devices: Devices, silence: str) -> None:
    """§17.3 §13.3 §13.4: not after it, and nothing that still waits."""
    devices.add()
    both = {"owner": member_id("owner"), "other": member_id("other")}
    devices.tell()
    devices.world.execute(silence, both)
    assert devices.claim() is None
    devices.tell()
    assert devices.queued() == []
    devices.tell("system")
    assert devices.claim() is not None, "the house's word is not theirs"


def test_only_what_is_unseen_is_pushed(devices: Devices) -> None:
    """§17.3: not what was seen or withdrawn while it waited, not to who was suspended, not after a day."""
    devices.add()
    for change in (
        "update notifications set seen = true where id = %s",
        "delete from notifications where id = %s",
        "update functions.push_queue set requested_at = now() - interval '25 hours' where notification_id = %s",
        "update auth.users set banned_until = 'infinity' where id = (select user_id from notifications where id = %s)",
    ):
        devices.world.execute(change, (devices.tell(),))
        assert devices.claim() is None, change
        assert devices.queued() == []


def test_a_newer_message_is_pushed_again(devices: Devices) -> None:
    """§17.3: it takes the place of the open notification (§4.19); a worker that has the old one spares it."""
    device = devices.add()
    told = devices.tell()
    assert devices.claim() == (device, [str(told)])
    assert devices.claim() is None, "it is another worker's for a minute"
    devices.world.execute("update notifications set content = 'And?', created_at = now() + interval '1 s'")
    attempts = devices.world.execute("select attempts from functions.push_queue").fetchall()
    assert attempts == [(0,)]
    assert devices.claim() == (device, [str(told)])


def test_a_settled_branch_has_pushed_what_is_due(devices: Devices) -> None:
    """§17.3: what waits for a worker, or is on its way, is not finished; quiet hours may go on."""
    world = devices.world
    assert unfinished(world, EXTENSION.queues) == []
    device = devices.add()
    told = devices.tell()
    assert unfinished(world, EXTENSION.queues) == ["pushes"]
    assert devices.claim() == (device, [str(told)])
    assert unfinished(world, EXTENSION.queues) == ["pushes"]
    world.execute("update functions.push_queue set attempts = 0, next_attempt_at = now() + interval '1 hour'")
    assert unfinished(world, EXTENSION.queues) == []
    world.execute(
        "insert into functions.mail_queue (kind, recipient, recipient_name, subject, text_body, html_body, headers)"
        " values ('message', 'a@b.test', '', 'Hi', 'Hi', '<p>Hi</p>', '{}')"
    )
    assert unfinished(world, EXTENSION.queues) == ["mails"]


def test_a_device_gets_all_at_once_and_a_busy_member_waits(devices: Devices) -> None:
    """§17.3: what is due for one device is one claim; a slow one holds up its own member."""
    device = devices.add()
    told = [devices.tell("message"), devices.tell("connection")]
    assert devices.claim(busy=(member_id("owner"),)) is None
    claimed = devices.claim()
    assert claimed is not None
    assert (claimed[0], set(claimed[1])) == (device, set(map(str, told)))


# -- quiet hours ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("zone", "from_", "until", "at", "want"),
    [
        pytest.param("UTC", "22:00", "07:00", "2026-05-01 21:59Z", None, id="before"),
        pytest.param("UTC", "22:00", "07:00", "2026-05-01 22:00Z", "2026-05-02 07:00Z", id="evening"),
        pytest.param("UTC", "22:00", "07:00", "2026-05-02 06:59Z", "2026-05-02 07:00Z", id="morning"),
        pytest.param("UTC", "22:00", "07:00", "2026-05-02 07:00Z", None, id="after"),
        pytest.param("UTC", "08:00", "16:00", "2026-05-02 12:00Z", "2026-05-02 16:00Z", id="a-day"),
        pytest.param("UTC", "08:00", "16:00", "2026-05-02 17:00Z", None, id="an-evening"),
        pytest.param("America/Denver", "22:00", "07:00", "2026-05-02 05:00Z", "2026-05-02 13:00Z", id="own-zone"),
        pytest.param("America/Denver", "22:00", "07:00", "2026-03-08 06:00Z", "2026-03-08 13:00Z", id="shorter-night"),
        pytest.param("America/Denver", "22:00", "07:00", "2026-11-01 05:00Z", "2026-11-01 14:00Z", id="longer-night"),
        pytest.param("America/Denver", "22:00", "02:30", "2026-03-08 06:00Z", "2026-03-08 09:30Z", id="no-such-time"),
        pytest.param("UTC", None, None, "2026-05-02 03:00Z", None, id="none"),
    ],
)
def test_quiet_hours_are_the_members(
    devices: Devices, zone: str, from_: str | None, until: str | None, at: str, want: str | None
) -> None:
    """§17.3: in their own time zone, over midnight, also when the clock is changed in that night."""
    row = devices.world.execute(
        "select private.end_of_quiet_hours(%s, %s, %s, %s) is not distinct from %s::timestamptz",
        (from_, until, zone, at, want),
    ).fetchone()
    assert row == (True,)


def test_what_comes_in_quiet_hours_waits_for_their_end(devices: Devices) -> None:
    """§17.3: also where they were chosen after it was queued; other devices are told at once."""
    quiet = devices.add()
    loud = devices.add()
    devices.tell()
    devices.be_quiet(quiet)
    claimed = devices.claim()
    assert claimed is not None
    assert claimed[0] == loud
    assert devices.claim() is None
    devices.tell("connection")
    waits = devices.world.execute(
        "select round(extract(epoch from next_attempt_at - now()) / 60) from functions.push_queue"
        " where subscription_id = %s and attempts = 0",
        (quiet,),
    ).fetchall()
    assert waits == [(60,), (60,)]


def test_what_failed_before_quiet_hours_is_finished_in_them(devices: Devices) -> None:
    """§17.3: it waits for their end like what was never tried."""
    world = devices.world
    device = devices.add()
    devices.tell()
    assert devices.claim() is not None
    world.execute("update functions.push_queue set next_attempt_at = now()")  # as it is after an attempt that failed
    assert unfinished(world, EXTENSION.queues) == ["pushes"]
    devices.be_quiet(device)
    assert devices.claim() is None
    assert len(devices.queued()) == 1
    assert unfinished(world, EXTENSION.queues) == []
