"""muster bench chaos: kill -9 of PostgreSQL and of the services under a mixed load, for a bounded time.

A stack of its own is started; clients read, write, sign in and listen while one of the two is killed every few seconds.
In the end every write that was acknowledged must be there, every refusal must have been a documented one (503, 504,
or a connection that broke while the services were down), and each recovery is timed. Exit code 1 when that is not so.
"""

import argparse
import asyncio
import json
import os
import random
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg
import websockets
from websockets.asyncio.client import connect

RESULTS = Path(__file__).parent / "results" / "chaos.json"
MUSTER = (sys.executable, "-m", "muster_cli")
DOCUMENTED = {503, 504}
PAUSE_S = 0.02
# No answer at all within this is a fault, however busy the machine is; the services answer 504 after 10 s at most.
TIMEOUT_S = 30
# Idle connections are given up before the server does that (5 s): else a request may be sent into a closing line.
KEEP_ALIVE_S = 2


@dataclass
class Story:
    """What happened. `failures` counts refusals by what they were; `broken` connections by what was killed before."""

    acknowledged: list[str] = field(default_factory=list)
    reads: int = 0
    heard: set[str] = field(default_factory=set)
    failures: Counter[str] = field(default_factory=Counter)
    undocumented: Counter[str] = field(default_factory=Counter)
    kills: list[dict[str, Any]] = field(default_factory=list)
    last_kill: str = ""
    over: bool = False


@dataclass(frozen=True)
class Stack:
    """The stack under attack."""

    home: Path
    port: int
    command: Sequence[str] = MUSTER

    def muster(self, *arguments: str) -> str:
        """Run the command line on it; what it printed."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("MUSTER_")}
        command = [*self.command, *arguments, "--home", str(self.home)]
        return subprocess.run(command, env=env, check=True, capture_output=True, text=True).stdout

    def start(self) -> None:
        """Bring it up; a supervisor (systemd, Docker) does this in earnest."""
        self.muster("up", "--detach", "--no-web", "--port", str(self.port))

    def status(self) -> dict[str, Any]:
        """Where it is."""
        found: dict[str, Any] = json.loads(self.muster("status", "--json"))
        return found

    def postmaster(self) -> int:
        """PostgreSQL's process."""
        note = self.home / "postgres-lies-in"
        folder = Path(note.read_text().strip()) if note.exists() else self.home / "postgres"
        return int((folder / "data" / "postmaster.pid").read_text().splitlines()[0])


async def writer(client: httpx.AsyncClient, story: Story) -> None:
    """Feedback after feedback, each with an id of our own: an acknowledged one is to be found in the end."""
    while not story.over:
        row = {"id": str(uuid4()), "content": "It works", "category": "general"}
        answer = await attempt(story, client, "POST", "/rest/v1/feedback", json=row)
        if answer is not None and answer.status_code == 201:
            story.acknowledged.append(row["id"])
        await asyncio.sleep(PAUSE_S)


async def reader(client: httpx.AsyncClient, story: Story) -> None:
    """What a page of the feed asks for."""
    while not story.over:
        path = "/rest/v1/posts?select=id,title,author:profiles(full_name)&order=created_at.desc&limit=20"
        answer = await attempt(story, client, "GET", path)
        story.reads += answer is not None and answer.status_code == 200
        await asyncio.sleep(PAUSE_S)


async def signer(client: httpx.AsyncClient, story: Story, email: str, password: str) -> None:
    """Somebody signs in, again and again."""
    while not story.over:
        body = {"email": email, "password": password}
        await attempt(story, client, "POST", "/auth/v1/token?grant_type=password", json=body)
        await asyncio.sleep(0.5)


async def listener(url: str, story: Story) -> None:
    """A socket that joins again whenever it broke, as supabase-js does."""
    join = ["1", "1", "realtime:chaos", "phx_join", {"config": {"broadcast": {"self": True}}}]
    while not story.over:
        with suppress(OSError, websockets.WebSocketException, TimeoutError):
            async with connect(url, open_timeout=5) as channel:
                await channel.send(json.dumps(join))
                while not story.over:
                    frame = json.loads(await asyncio.wait_for(channel.recv(), 2))
                    if frame[3] == "phx_reply" and frame[4]["status"] == "ok":
                        story.heard.add(story.last_kill)
        await asyncio.sleep(0.2)


async def attempt(
    story: Story, client: httpx.AsyncClient, method: str, path: str, **body: Any
) -> httpx.Response | None:
    """One request; what went wrong is counted by its kind."""
    try:
        answer = await client.request(method, path, **body)
    except httpx.TransportError as error:
        after = story.last_kill.split("#")[0] or "nobody"
        kind = f"{type(error).__name__} {method} {path.split('?', maxsplit=1)[0]} after killing {after}"
        (story.failures if story.last_kill.startswith("services") else story.undocumented)[kind] += 1
        return None
    if answer.status_code >= 400:
        kind = f"{answer.status_code} {_code(answer)} {path.split('?', maxsplit=1)[0]}"
        (story.failures if answer.status_code in DOCUMENTED else story.undocumented)[kind] += 1
    return answer


def _code(answer: httpx.Response) -> str:
    """The dialect's code of a refusal, or the beginning of its text."""
    with suppress(ValueError, AttributeError):
        body = answer.json()
        return str(body.get("error_code") or body.get("code") or answer.text[:60])
    return answer.text[:60]


@dataclass(frozen=True)
class Plan:
    """How long it goes on, how many kills there are at most, and between what bounds the time from one to the next."""

    seconds: float
    kills: int
    between_s: tuple[float, float]
    clients: int
    seed: int


async def killer(stack: Stack, client: httpx.AsyncClient, story: Story, plan: Plan) -> None:
    """Kill one of the two, wait until all is well, let some time pass, and again."""
    ends, chance = time.monotonic() + plan.seconds, random.Random(plan.seed)
    while time.monotonic() < ends and len(story.kills) < plan.kills:
        await asyncio.sleep(chance.uniform(*plan.between_s))
        what = "services" if len(story.kills) % 3 == 2 else "PostgreSQL"
        pid = stack.postmaster() if what == "PostgreSQL" else stack.status()["pid"]
        story.last_kill = f"{what}#{len(story.kills)}"
        os.kill(pid, signal.SIGKILL)
        began = time.monotonic()
        if what == "services":
            await asyncio.to_thread(stack.start)
        await recovered(client)
        story.kills.append({"killed": what, "recovered_s": round(time.monotonic() - began, 2)})
    await asyncio.sleep(2)
    story.over = True


async def recovered(client: httpx.AsyncClient) -> None:
    """Return when the house says that it is well and REST really answers."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError):
            health = await client.get("/healthz")
            page = await client.get("/rest/v1/posts?limit=1")
            if health.status_code == page.status_code == 200:
                return
        await asyncio.sleep(0.05)
    raise SystemExit("it did not recover within a minute")


async def scene(stack: Stack, plan: Plan) -> Story:
    """The whole of it."""
    story, env = Story(), stack.status()["env"]
    headers = {"apikey": env["SECRET_KEY"]}
    limits = httpx.Limits(max_connections=plan.clients * 3, keepalive_expiry=KEEP_ALIVE_S)
    async with httpx.AsyncClient(base_url=env["API_URL"], headers=headers, timeout=TIMEOUT_S, limits=limits) as client:
        url = (
            f"{env['API_URL'].replace('http', 'ws', 1)}/realtime/v1/websocket?apikey={env['PUBLISHABLE_KEY']}&vsn=2.0.0"
        )
        tasks = [asyncio.create_task(writer(client, story)) for _ in range(plan.clients)]
        tasks += [asyncio.create_task(reader(client, story)) for _ in range(plan.clients)]
        tasks += [asyncio.create_task(signer(client, story, env["DEMO_MEMBER_EMAIL"], env["DEMO_PASSWORD"]))]
        tasks += [asyncio.create_task(listener(url, story))]
        await killer(stack, client, story, plan)
        await asyncio.gather(*tasks)
    return story


def lost(story: Story, url: str) -> int:
    """How many acknowledged writes are not in the database."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select id::text from public.feedback where id = any(%s::uuid[])", (story.acknowledged,)
        )
        return len(set(story.acknowledged) - {row[0] for row in rows})


def run(arguments: Sequence[str] = ()) -> None:
    """Do it and print what happened as JSON; the same goes to bench/results/chaos.json."""
    parser = argparse.ArgumentParser(prog="muster bench chaos", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--kills", type=int, default=1_000_000, help="at most so many, if they take less than that")
    parser.add_argument("--between", type=float, nargs=2, default=(2, 6), metavar="S", help="seconds before each")
    parser.add_argument("--clients", type=int, default=4, help="writers, and as many readers")
    parser.add_argument("--seed", type=int, default=1, help="of chance")
    parser.add_argument("--home", type=Path, help="the state folder, removed at the end; by default a new one")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the result goes")
    parser.add_argument("--muster", default=shlex.join(MUSTER), help="the command line")
    options = parser.parse_args(list(arguments))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    home = options.home or Path(tempfile.mkdtemp(prefix="muster-chaos-", dir="/tmp"))
    stack = Stack(home, port, shlex.split(options.muster))
    try:
        stack.start()
        plan = Plan(options.seconds, options.kills, tuple(options.between), options.clients, options.seed)
        story = asyncio.run(scene(stack, plan))
        result = {
            "acknowledged_writes": len(story.acknowledged), "lost_writes": lost(story, stack.status()["env"]["DB_URL"]),
            "reads": story.reads, "kills": story.kills, "sockets_came_back_after": len(story.heard - {""}),
            "documented_failures": dict(story.failures), "undocumented_failures": dict(story.undocumented),
        }  # fmt: skip
    finally:
        with suppress(subprocess.CalledProcessError):
            stack.muster("down")
        note = stack.home / "postgres-lies-in"
        if note.exists():
            shutil.rmtree(note.read_text().strip(), ignore_errors=True)
        shutil.rmtree(stack.home, ignore_errors=True)
    text = json.dumps(result, indent=1)
    options.out.parent.mkdir(exist_ok=True)
    options.out.write_text(text + "\n")
    print(text)
    if result["lost_writes"] or story.undocumented:
        raise SystemExit(1)


if __name__ == "__main__":
    run(sys.argv[1:])
