"""Web push (§17.3), from the notification's row to what a browser decrypts, by a stand-in of the push services."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from psycopg.types.json import Jsonb

from muster_cli.stack.secrets import generate
from muster_functions.push import worker
from muster_functions.push.encryption import from_base64url
from muster_functions.settings import PushSettings
from tests.contract.functions.conftest import ANON, SERVICE, People, token, until
from tests.support.push_service import HOST, PushService, Receiver

MADE = generate(0)
KEYS = {"public_key": MADE.vapid_public_key, "private_key": MADE.vapid_private_key}
NO_POINT = "B" + "A" * 86  # of the right length and form, and not on the curve


@pytest.fixture
async def client(serve: Callable[..., Any], pushes: PushService) -> httpx.AsyncClient:
    """A service with keys; nobody has a device yet."""
    made: httpx.AsyncClient = await serve(push=PushSettings(**KEYS, stand_in_url=pushes.url))
    return made


class Devices:
    """Members with browsers."""

    def __init__(self, people: People) -> None:
        self.people = people

    def add(self, member: UUID, **values: Any) -> tuple[UUID, Receiver]:
        receiver, session = Receiver(), uuid4()
        self.people.connection.execute(
            "insert into auth.sessions (id, user_id, created_at, updated_at) values (%s, %s, now(), now())",
            (session, member),
        )
        given = {"p256dh": receiver.p256dh, "auth": receiver.auth, "server_key": KEYS["public_key"]} | values
        id = self.people.add(
            "push_subscriptions", user_id=member, session_id=session, endpoint=receiver.endpoint, **given
        )
        return id, receiver

    def tell(self, member: UUID, actor: UUID | None = None, title: str = "Ada sent you a message") -> UUID:
        return self.people.add(
            "notifications", user_id=member, actor_id=actor, type="message", title=title, content="Coffee?",
            metadata=Jsonb({"url": "/messages?with=ada"}),
        )  # fmt: skip

    def waiting(self) -> int:
        return self.people.count("functions.push_queue")

    def left(self) -> int:
        return self.people.count("public.push_subscriptions")


@pytest.fixture
def devices(people: People) -> Devices:
    return Devices(people)


async def turn_on(client: httpx.AsyncClient, member: UUID, device: UUID) -> httpx.Response:
    headers = {"authorization": f"Bearer {token(sub=member)}"}
    return await client.post("push", json={"id": str(device)}, headers=headers)


async def test_a_notification_reaches_the_device_encrypted(
    client: httpx.AsyncClient, pushes: PushService, people: People, devices: Devices
) -> None:
    """§17.3: the first device is confirmed; what comes then is pushed at once, signed, for that browser only."""
    ben, ada = people.member("Ben"), people.member("Ada")
    device, browser = devices.add(ben)
    assert (await turn_on(client, ben, device)).json() == {"success": True, "gone": False}
    assert [said["title"] for said in pushes.read(browser)] == ["Notifications are on"]
    told = devices.tell(ben, ada)
    await until(lambda: len(pushes.of(browser)) == 2 and devices.waiting() == 0)
    taken = pushes.of(browser)[-1]
    assert pushes.read(browser)[-1] == {
        "title": "Ada sent you a message", "body": "Coffee?", "url": "/messages?with=ada", "tag": str(told),
    }  # fmt: skip
    assert b"Ada" not in taken.body
    sent = {name: taken.headers[name] for name in ("host", "content-encoding", "ttl", "urgency")}
    assert sent == {"host": HOST, "content-encoding": "aes128gcm", "ttl": "86400", "urgency": "high"}
    assert len(taken.headers["topic"]) <= 32
    signed = taken.headers["authorization"].removeprefix("vapid t=").partition(",")[0]
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(KEYS["public_key"]))
    claims = pyjwt.decode(signed, point, algorithms=["ES256"], audience=f"https://{HOST}")
    assert claims["sub"] == "mailto:no-reply@muster.local"
    used = people.connection.execute("select last_sent_at is not null from push_subscriptions").fetchone()
    assert used == (True,)


async def test_what_a_push_says_is_chosen_by_device(
    client: httpx.AsyncClient, pushes: PushService, people: People, devices: Devices
) -> None:
    """§17.3: one names no content; a kind that a device does not take is not sent to it; many at once become one."""
    ben = people.member("Ben")
    (plain_id, plain), (_, hidden) = devices.add(ben), devices.add(ben, hides_content=True)
    _, other = devices.add(ben, preferences=["connections"])
    devices.tell(ben)
    await turn_on(client, ben, plain_id)
    await until(lambda: devices.waiting() == 0)
    assert {said["title"] for said in pushes.read(plain)} == {"Notifications are on", "Ada sent you a message"}
    (said,) = pushes.read(hidden)
    assert (said["title"], said["body"]) == ("New message", "")
    assert pushes.of(other) == []
    with people.connection.transaction():
        for number in range(5):
            devices.tell(ben, title=f"Message {number}")
    await until(lambda: devices.waiting() == 0)
    assert pushes.read(hidden)[-1] == {
        "title": "5 new notifications", "body": "", "url": "/notifications", "tag": "many",
    }  # fmt: skip


async def test_a_dead_subscription_is_dropped(
    client: httpx.AsyncClient, pushes: PushService, people: People, devices: Devices
) -> None:
    """§17.3: where the push service says so, where its keys are none, and where it is for earlier keys of ours."""
    ben = people.member("Ben")
    dead = [devices.add(ben)[1] for _ in range(2)]
    answers = {receiver.endpoint.rpartition("/")[2]: status for receiver, status in zip(dead, (404, 410), strict=True)}
    pushes.answer = lambda taken: (answers.get(taken.path.rpartition("/")[2], 201), {})
    unusable = devices.add(ben, p256dh=NO_POINT)[1]
    earlier = devices.add(ben, server_key=generate(0).vapid_public_key)[1]
    alive_id, alive = devices.add(ben)
    devices.tell(ben)
    await turn_on(client, ben, alive_id)
    await until(lambda: devices.left() == 1 and devices.waiting() == 0)
    assert [len(pushes.of(browser)) for browser in (*dead, unusable, earlier)] == [1, 1, 0, 0]
    assert len(pushes.of(alive)) == 2


async def test_a_busy_push_service_is_asked_again(
    client: httpx.AsyncClient, pushes: PushService, people: People, devices: Devices
) -> None:
    """§17.3: 429 and 5xx later; what it refuses is given up, and the device stays."""
    ben, ada = people.member("Ben"), people.member("Ada")
    device, browser = devices.add(ben)
    _, refused = devices.add(ada)
    await turn_on(client, ben, device)
    statuses = [429, 503, 500]
    refused_path = refused.endpoint.rpartition("/")[2]

    def answer(taken: Any) -> tuple[int, dict[str, str]]:
        if taken.path.endswith(refused_path):
            return 403, {}
        return (statuses.pop(0) if statuses else 201), {}

    pushes.answer = answer
    devices.tell(ben)
    devices.tell(ada)
    await until(lambda: devices.waiting() == 0)
    assert (len(pushes.of(browser)), len(pushes.of(refused))) == (1 + 4, 1)
    assert devices.left() == 2


async def test_only_the_own_device_is_asked_for(
    client: httpx.AsyncClient, serve: Callable[..., Any], pushes: PushService, people: People, devices: Devices
) -> None:
    """§17.3: another member's is as unknown as none; a dead one is dropped at once; without keys nothing is pushed."""
    ben, ada = people.member("Ben"), people.member("Ada")
    device, browser = devices.add(ben)
    for member, id in ((ada, device), (ben, uuid4())):
        answer = await turn_on(client, member, id)
        assert (answer.status_code, answer.json()["code"]) == (404, "NO_DEVICE")
    people.connection.execute("update auth.users set banned_until = 'infinity' where id = %s", (ben,))
    assert (await turn_on(client, ben, device)).status_code == 404
    people.connection.execute("update auth.users set banned_until = null where id = %s", (ben,))
    for key in (ANON, SERVICE):
        answer = await client.post("push", json={"id": str(device)}, headers={"authorization": f"Bearer {key}"})
        assert (answer.status_code, answer.json()["code"]) == (401, "MEMBERS_ONLY")
    assert pushes.of(browser) == []
    keyless = await serve()
    answer = await turn_on(keyless, ben, device)
    assert (answer.status_code, answer.json()["code"]) == (404, "PUSH_OFF")
    pushes.answer = lambda _: (410, {})
    assert (await turn_on(client, ben, device)).json() == {"success": False, "gone": True}
    assert devices.left() == 0


async def test_it_listens_again_after_its_connection_broke(
    client: httpx.AsyncClient,
    pushes: PushService,
    people: People,
    devices: Devices,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """§17.3: as when PostgreSQL restarts; what came meanwhile is sent then."""
    monkeypatch.setattr(worker, "DATABASE_PAUSE_S", 0.05)
    ben = people.member("Ben")
    device, browser = devices.add(ben)
    await turn_on(client, ben, device)
    listening = (
        "pg_stat_activity where application_name = 'functions: push' and datname = current_database()"
        " and query = 'listen push'"
    )
    await until(lambda: people.count(listening) == 1)
    people.connection.execute(f"select pg_terminate_backend(pid) from {listening}")
    devices.tell(ben)
    await until(lambda: len(pushes.of(browser)) == 2 and people.count(listening) == 1)
    devices.tell(ben)
    await until(lambda: len(pushes.of(browser)) == 3 and devices.waiting() == 0)
