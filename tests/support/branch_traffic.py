"""Random traffic on several branches at once, and what each must have afterwards: what was done in it, nothing else."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx
import psycopg
import websockets

BRANCHES, STEPS = 8, 8
ORGANIZATION = "00000000-0000-0000-0000-00000000000a"


@dataclass(frozen=True)
class Keys:
    """Where the stack is."""

    url: str
    anon: str
    service_role: str

    @property
    def control(self) -> str:
        """Where branches are made."""
        return f"{self.url}/control/v1/branches"


@dataclass
class World:
    """One branch and what was done in it. `events`: titles that its socket was told of."""

    branch: dict[str, Any]
    client: httpx.AsyncClient
    socket: Any
    anon: str
    titles: Counter[str] = field(default_factory=Counter)
    emails: set[str] = field(default_factory=set)
    mailed: Counter[str] = field(default_factory=Counter)
    files: set[str] = field(default_factory=set)
    broadcasts: list[str] = field(default_factory=list)

    async def insert(self, number: int) -> None:
        title = f"{self.branch['name']} {number}"
        row = {"organization_id": ORGANIZATION, "title": title}
        assert (await self.client.post("/rest/v1/documents", json=row)).status_code == 201
        self.titles[title] += 1

    async def sign_up(self, number: int) -> None:
        """The same addresses in every branch."""
        user = {"email": f"user-{number}@same.test", "password": "correct-horse-1"}
        answer = await self.client.post("/auth/v1/signup", json=user, headers={"apikey": self.anon})
        assert answer.status_code == 200, answer.text
        self.emails.add(user["email"])

    async def recover(self, number: int) -> None:
        """A mail, to an account that the others have, too, or not."""
        await self.sign_up(1000 + number)
        email = f"user-{1000 + number}@same.test"
        assert (await self.client.post("/auth/v1/recover", json={"email": email})).status_code == 200
        self.mailed[email] += 1

    async def upload(self, number: int) -> None:
        content = self.branch["name"].encode()
        answer = await self.client.post(f"/storage/v1/object/documents/{number}.txt", content=content)
        assert answer.status_code == 200, answer.text
        self.files.add(f"{number}.txt")

    async def broadcast(self, number: int) -> None:
        message = {"topic": "room", "event": "said", "payload": {"by": self.branch["name"], "number": number}}
        answer = await self.client.post("/realtime/v1/api/broadcast", json={"messages": [message]})
        assert answer.status_code == 202, answer.text
        self.broadcasts.append(f"{self.branch['name']} {number}")

    async def set_role(self, number: int) -> None:
        """What belongs to the cluster, made the branch's own."""
        name = self.branch["database"]
        statement = f'alter role anon in database "{name}" set statement_timeout to {770_000 + number}'
        connection = await psycopg.AsyncConnection.connect(self.branch["database_url"], autocommit=True)
        async with connection:
            await connection.execute(statement.encode())
            # A lock that others would wait for, had they the same table.
            async with connection.transaction():
                await connection.execute("lock table public.organizations in access exclusive mode")
                await asyncio.sleep(random.uniform(0, 0.01))


@asynccontextmanager
async def world(keys: Keys, name: str) -> AsyncIterator[World]:
    key = keys.service_role
    headers = {"apikey": key}
    async with httpx.AsyncClient(timeout=60, headers=headers) as client:
        made = await client.post(keys.control, json={"name": name})
        assert made.status_code == 201, made.text
        branch = made.json()
        url = branch["url"].replace("http://", "ws://") + f"/realtime/v1/websocket?apikey={key}&vsn=1.0.0"
        async with websockets.connect(url, open_timeout=30) as socket:
            join = {"topic": "realtime:room", "event": "phx_join", "ref": "1", "join_ref": "1"}
            await socket.send(json.dumps({**join, "payload": {"config": {}, "access_token": key}}))
            while json.loads(await socket.recv())["event"] != "phx_reply":
                pass
            async with httpx.AsyncClient(base_url=branch["url"], timeout=60, headers=headers) as own:
                yield World(branch, own, socket, keys.anon)
        assert (await client.delete(f"{keys.control}/{name}")).status_code == 204


async def act(one: World, dice: random.Random) -> None:
    actions = [one.insert, one.sign_up, one.recover, one.upload, one.broadcast, one.set_role]
    for number in range(STEPS):
        await dice.choice(actions)(number)


async def judge(one: World) -> None:
    """What is in a branch is what was done in it."""
    rows = (await one.client.get("/rest/v1/documents?select=title&title=not.like.Plan*")).json()
    assert Counter(row["title"] for row in rows) == one.titles
    users = (await one.client.get("/auth/v1/admin/users?per_page=1000")).json()["users"]
    assert {user["email"] for user in users} == one.emails
    listing = (await one.client.post("/storage/v1/object/list/documents", json={"prefix": "", "limit": 1000})).json()
    assert {each["name"] for each in listing} == one.files
    for name in one.files:
        assert (await one.client.get(f"/storage/v1/object/documents/{name}")).text == one.branch["name"]
    mails = (await one.client.get("/mail/api/messages")).json()["messages"]
    assert Counter(mail["to"][0]["address"] for mail in mails) == one.mailed
    heard = []
    await one.socket.send(json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": "9"}))
    while (message := json.loads(await one.socket.recv()))["topic"] != "phoenix":
        if message["event"] == "broadcast":
            heard.append("{by} {number}".format(**message["payload"]["payload"]))
    assert heard == one.broadcasts


async def exchange(keys: Keys, seed: int) -> None:
    """Act in all of them at once, then judge each."""
    async with asyncio.timeout(300), AsyncExitStack() as stack:
        entering = (stack.enter_async_context(world(keys, f"w-{number}")) for number in range(BRANCHES))
        worlds = [await each for each in entering]
        await asyncio.gather(*(act(one, random.Random(f"{seed} {number}")) for number, one in enumerate(worlds)))
        for one in worlds:
            settled = await one.client.post(f"{keys.control}/{one.branch['name']}/settle", json={"timeout_s": 60})
            assert settled.json() == {"settled": True}
        await asyncio.gather(*(judge(one) for one in worlds))
