"""The real supabase-js against the service: what its callbacks get, command by command."""

import asyncio
import contextlib
import json
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from emulator.paths import CHECKOUT
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database

from .conftest import ANON, Server, serving, token, until
from .test_changes import FILTERS, SCHEMA, on

PACKAGES = CHECKOUT / "web" / "package.json"
SCRIPT = CHECKOUT / "tests" / "contract" / "realtime" / "supabase_js.mjs"
ADA, BEN = token("authenticated", sub="ada"), token("authenticated", sub="ben")
PRIVATE_POLICIES = """
create policy "ada and ben listen" on realtime.messages for select to authenticated
  using (realtime.topic() = 'crew' and extension in ('broadcast', 'presence'));
create policy "ada speaks" on realtime.messages for insert to authenticated
  with check (auth.jwt() ->> 'sub' = 'ada' and realtime.topic() = 'crew');
"""


@dataclass
class Js:
    """A node process with supabase-js in it; what it reported and was not asked for yet is kept in order."""

    process: asyncio.subprocess.Process
    pending: list[dict[str, Any]] = field(default_factory=list)

    def do(self, op: str, **arguments: object) -> None:
        """Give a command."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"op": op, **arguments}).encode() + b"\n")

    async def next(self, id: str, kind: str) -> dict[str, Any]:
        """The next thing of that kind that a channel was told."""
        assert self.process.stdout is not None
        async with asyncio.timeout(2 * PATIENCE_S):
            while True:
                for number, one in enumerate(self.pending):
                    if (one["id"], one["kind"]) == (id, kind):
                        return self.pending.pop(number)
                line = await self.process.stdout.readline()
                assert line, "supabase-js ended"
                self.pending.append(json.loads(line))

    async def status(self, id: str) -> str:
        """The next status of a subscription."""
        return str((await self.next(id, "status"))["status"])

    async def subscribed(self, id: str, client: str, name: str, bindings: object = (), **config: object) -> None:
        """A channel, joined and, with row changes, live."""
        self.do("channel", id=id, client=client, name=name, config=config, bindings=bindings)
        told = await self.next(id, "status")
        assert told["status"] == "SUBSCRIBED", told
        if bindings:
            assert (await self.next(id, "system"))["payload"]["message"] == "Subscribed to PostgreSQL"


@contextlib.asynccontextmanager
async def supabase_js(port: int, **members: str) -> AsyncIterator[Js]:
    """Clients by name, each with its member's token."""
    flags = ["--experimental-websocket", "--disable-warning=ExperimentalWarning"]  # for Node.js 20
    process = await asyncio.create_subprocess_exec(
        "node", *flags, SCRIPT, f"http://127.0.0.1:{port}", ANON, PACKAGES,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=16 * 1024 * 1024,
    )  # fmt: skip
    js = Js(process)
    try:
        for name, key in members.items():
            js.do("client", id=name, token=key)
        yield js
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def test_filters_of_every_operator_and_events_of_every_kind(realtime: Server) -> None:
    await realtime.sql(SCHEMA)
    wanted = [(text, want) for text, want in FILTERS if want is not None]
    bindings = [on("notes", filter=text) for text, _ in wanted] + [on("notes", kind) for kind in ("UPDATE", "DELETE")]
    async with supabase_js(realtime.port, anon=ANON) as js:
        await js.subscribed("notes", "anon", "notes", bindings)
        await realtime.sql(
            "insert into notes values (1, 'ada', 'Hello, World', 3, 1.50, true, '2024-01-02 03:04:05+00', null)"
        )
        hits = [number for number, (_, want) in enumerate(wanted) if want]
        told = [await js.next("notes", "change") for _ in hits]
        assert [one["number"] for one in told] == hits
        change = told[0]["change"]
        assert (change["eventType"], change["new"]["stars"], change["old"]) == ("INSERT", 3, {})
        await realtime.sql("update notes set stars = 99, owner = null, body = null, flag = null, made_at = null")
        while (told_of := await js.next("notes", "change"))["number"] != len(wanted):
            assert told_of["change"]["eventType"] == "UPDATE"
        assert told_of["change"]["old"] == {"id": 1}
        assert told_of["change"]["new"]["stars"] == 99
        await realtime.sql("delete from notes")
        told_of = await js.next("notes", "change")
        assert told_of["number"] == len(wanted) + 1
        assert told_of["change"]["old"] == {"id": 1}


async def test_a_megabyte_and_what_is_above(realtime: Server) -> None:
    await realtime.sql(SCHEMA)
    async with supabase_js(realtime.port, one=ANON, two=ANON) as js:
        await js.subscribed("notes", "one", "notes", [on("notes")])
        await realtime.sql("insert into notes (id, body) values (1, repeat('x', 1000000)), (2, repeat('x', 1100000))")
        whole, cut = [(await js.next("notes", "change"))["change"] for _ in range(2)]
        assert len(whole["new"]["body"]) == 1_000_000
        assert whole["errors"] is None
        assert cut["errors"] == ["Error 413: Payload Too Large"]
        assert cut["new"] == {"id": 2}
        await js.subscribed("heard", "one", "room")
        await js.subscribed("said", "two", "room", broadcast={"ack": True})
        js.do("send", id="said", event="big", payload={"x": "y" * 1_000_000})
        assert (await js.next("said", "sent"))["outcome"] == "ok"
        assert len((await js.next("heard", "broadcast"))["payload"]["x"]) == 1_000_000
        js.do("send", id="said", event="big", payload={"x": "y" * 3_100_000})
        assert (await js.next("said", "sent"))["outcome"] == "error"


async def test_broadcasts_with_ack_bytes_and_over_http(realtime: Server) -> None:
    async with supabase_js(realtime.port, one=ANON, two=ANON) as js:
        await js.subscribed("heard", "one", "room", broadcast={"self": True})
        await js.subscribed("said", "two", "room", broadcast={"ack": True})
        for command in ({"payload": {"a": 1}}, {"bytes": [0, 1, 255]}):
            js.do("send", id="said", event="hi", **command)
            assert (await js.next("said", "sent"))["outcome"] == "ok"
        assert (await js.next("heard", "broadcast"))["payload"] == {"a": 1}
        assert (await js.next("heard", "broadcast"))["payload"] == {"bytes": [0, 1, 255]}
        js.do("httpSend", id="said", event="h t/t", payload={"b": 2})
        assert (await js.next("said", "sent"))["outcome"] == {"success": True}
        told = await js.next("heard", "broadcast")
        assert (told["event"], told["payload"]) == ("h t/t", {"b": 2})
        js.do("send", id="heard", event="hi", payload={"own": True})
        assert (await js.next("heard", "broadcast"))["payload"] == {"own": True}


async def test_a_private_channel_allowed_refused_kept_and_replayed(realtime: Server) -> None:
    await realtime.sql(PRIVATE_POLICIES)
    async with supabase_js(realtime.port, ada=ADA, ben=BEN, anon=ANON) as js:
        await js.subscribed("ada", "ada", "crew", private=True, broadcast={"ack": True})
        await js.subscribed("ben", "ben", "crew", private=True)
        js.do("channel", id="anon", client="anon", name="crew", config={"private": True})
        refused = await js.next("anon", "status")
        assert refused["status"] == "CHANNEL_ERROR"
        assert "You do not have permissions to read from this Channel topic: crew" in refused["error"]
        js.do("send", id="ada", event="hi", payload={"n": 1}, persist=True)
        assert (await js.next("ada", "sent"))["outcome"] == "ok"
        kept = await js.next("ben", "broadcast")
        assert kept["payload"] == {"n": 1}
        assert len(kept["meta"]["id"]) == 36
        js.do("remove", id="ben", client="ben")
        assert (await js.next("ben", "removed"))["outcome"] == "ok"
        since = {"replay": {"since": int((time.time() - 60) * 1000), "limit": 10}}
        await js.subscribed("again", "ben", "crew", private=True, broadcast=since)
        replayed = await js.next("again", "broadcast")
        assert replayed["payload"] == {"n": 1}
        assert replayed["meta"] == {"replayed": True, "id": kept["meta"]["id"]}


async def test_presence_of_three_clients(realtime: Server) -> None:
    async with supabase_js(realtime.port, ada=ANON, ben=ANON, cleo=ANON) as js:
        for name in ("ada", "ben", "cleo"):
            await js.subscribed(name, name, "here", presence={"key": name, "enabled": True})
            js.do("track", id=name, payload={"crew": name.upper()})
            assert (await js.next(name, "sent"))["outcome"] == "ok"

        async def shown(id: str, *names: str) -> None:
            want = {name: [name.upper()] for name in names}
            while True:
                state = (await js.next(id, "presence"))["state"]
                if {name: [meta["crew"] for meta in metas] for name, metas in state.items()} == want:
                    return

        for name in ("ada", "ben", "cleo"):
            await shown(name, "ada", "ben", "cleo")
        js.do("untrack", id="cleo")
        await shown("ada", "ada", "ben")
        js.do("remove", id="ben", client="ben")
        await shown("ada", "ada")


async def test_a_token_is_refreshed_replaced_and_runs_out(realtime: Server) -> None:
    await realtime.sql(SCHEMA)
    async with supabase_js(realtime.port, member=token("authenticated", lives_s=5, sub="ada")) as js:
        await js.subscribed("mine", "member", "mine", [on("mine")])
        js.do("setAuth", client="member", token=BEN)
        registry = realtime.context.changes.registry
        await until(lambda: {one.principal.subject for one in registry.subscribers()} == {"ben"})
        await realtime.sql("insert into mine (owner, body) values ('ada', 'not for ben'), ('ben', 'for ben')")
        assert (await js.next("mine", "change"))["change"]["new"]["body"] == "for ben"
        js.do("setAuth", client="member", token=token("authenticated", lives_s=2, sub="ben"))
        told = {"status": "ok"}
        while told["status"] == "ok":  # of each subscription that a new token renews
            told = (await js.next("mine", "system"))["payload"]
        assert (told["status"], told["extension"]) == ("error", "system")
        assert told["message"].startswith("Token has expired")
        assert await js.status("mine") == "CLOSED"


async def test_clients_survive_a_restart_of_the_service(database: Database, closed_port: int) -> None:
    async with contextlib.AsyncExitStack() as stack:
        async with serving(database, PORT=str(closed_port)) as server:
            await server.sql(SCHEMA)
            js = await stack.enter_async_context(supabase_js(closed_port, member=ADA))
            await js.subscribed("mine", "member", "mine", [on("mine")])
            await server.sql("insert into mine (owner, body) values ('ada', 'before')")
            assert (await js.next("mine", "change"))["change"]["new"]["body"] == "before"
        assert await js.status("mine") == "CHANNEL_ERROR"
        await server.sql("insert into mine (owner, body) values ('ada', 'meanwhile'), ('ben', 'not mine')")
        async with serving(database, PORT=str(closed_port)) as server:
            assert await js.status("mine") == "SUBSCRIBED"
            await server.sql("insert into mine (owner, body) values ('ada', 'after')")
            got = [(await js.next("mine", "change"))["change"]["new"]["body"] for _ in range(2)]
            assert got == ["meanwhile", "after"]


@pytest.mark.parametrize("binding", [{"event": "*", "schema": "public", "table": "absent"}])
async def test_a_refused_subscription_sends_a_system_message(realtime: Server, binding: object) -> None:
    async with supabase_js(realtime.port, anon=ANON) as js:
        js.do("channel", id="x", client="anon", name="x", config={}, bindings=[binding])
        assert await js.status("x") == "SUBSCRIBED"
        told = (await js.next("x", "system"))["payload"]
        assert told["status"] == "error"
        assert "Please check Realtime is enabled" in told["message"]
