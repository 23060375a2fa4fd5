"""A Realtime service on a real PostgreSQL, and clients that send and read raw frames."""

import asyncio
import contextlib
import json
import os
import shutil
import signal
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict
from websockets.asyncio.client import ClientConnection, connect

from emulator.asgi.server import bind, make_server
from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import Cluster
from emulator.jwt import sign
from emulator.realtime.app import create_app
from emulator.realtime.context import Context
from emulator.realtime.serve.session import Session
from emulator.realtime.serve.socket import Socket
from emulator.realtime.service import RealtimeService
from emulator.realtime.settings import RealtimeSettings
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database, create_database, drop_database, make_cluster, prepared_data
from tests.support.scratch import scratch_folder

SECRET = "a-secret-of-at-least-thirty-two-characters"


def token(role: str = "anon", *, lives_s: float = 3600, **claims: object) -> str:
    """A signed token."""
    return sign({"role": role, "exp": int(time.time() + lives_s), **claims}, SECRET)


ANON = token("anon", iss="tests")
SERVICE = token("service_role", iss="tests")


@dataclass
class Client:
    """One WebSocket that speaks either version; frames that were not asked for yet are kept in order."""

    connection: ClientConnection
    version: int
    pending: list[dict[str, Any]] = field(default_factory=list)
    refs: int = 0

    async def send(self, topic: str, event: str, payload: object, *, join_ref: str | None = None) -> str:
        """Send a text frame; returns its ref."""
        self.refs += 1
        ref = str(self.refs)
        if self.version == 2:
            await self.connection.send(json.dumps([join_ref, ref, topic, event, payload]))
        else:
            frame = {"topic": topic, "event": event, "payload": payload, "ref": ref}
            await self.connection.send(json.dumps(frame if join_ref is None else {**frame, "join_ref": join_ref}))
        return ref

    async def join(self, topic: str, config: object | None = None, **payload: object) -> dict[str, Any]:
        """Join and wait for the reply; returns the reply's payload."""
        ref = str(self.refs + 1)
        await self.send(topic, "phx_join", {"config": config or {}, **payload}, join_ref=ref)
        reply = await self.expect("phx_reply", topic, ref=ref)
        return dict(reply["payload"])

    async def ask(self, topic: str, event: str, payload: object) -> dict[str, Any]:
        """Send and wait for the reply; returns the reply's payload."""
        ref = await self.send(topic, event, payload)
        return dict((await self.expect("phx_reply", topic, ref=ref))["payload"])

    async def expect(self, event: str, topic: str | None = None, *, ref: str | None = None) -> dict[str, Any]:
        """The next frame of that event (and topic, ref); others stay for later."""
        async with asyncio.timeout(PATIENCE_S):
            index = 0
            while True:
                while index < len(self.pending):
                    frame = self.pending[index]
                    fits = frame["event"] == event and topic in (None, frame["topic"])
                    if fits and ref in (None, frame["ref"]):
                        return self.pending.pop(index)
                    index += 1
                self.pending.append(decode(self.version, await self.connection.recv()))

    async def settle(self) -> list[dict[str, Any]]:
        """Everything that came until a heartbeat was answered; nothing stays for later."""
        ref = await self.send("phoenix", "heartbeat", {})
        await self.expect("phx_reply", "phoenix", ref=ref)
        frames, self.pending = self.pending, []
        return frames


def decode(version: int, data: str | bytes) -> dict[str, Any]:
    """A server frame as one shape, whatever the version."""
    if isinstance(data, bytes):
        topic_size, event_size, meta_size, is_json = data[1], data[2], data[3], data[4] == 1
        assert data[0] == 4
        body = data[5 + topic_size + event_size + meta_size :]
        meta = data[5 + topic_size + event_size :][:meta_size]
        payload: dict[str, Any] = {
            "type": "broadcast",
            "event": data[5 + topic_size :][:event_size].decode(),
            "payload": json.loads(body) if is_json else body,
        }
        if meta:
            payload["meta"] = json.loads(meta)
        topic = data[5:][:topic_size].decode()
        return {"join_ref": None, "ref": None, "topic": topic, "event": "broadcast", "payload": payload, "binary": True}
    value = json.loads(data)
    if version == 2:
        return dict(zip(("join_ref", "ref", "topic", "event", "payload"), value, strict=True))
    assert set(value) == {"topic", "event", "payload", "ref"}
    return dict(value)


@dataclass
class Server:
    """A running service."""

    service: RealtimeService
    port: int
    database: Database

    @property
    def context(self) -> Context:
        return self.service.context

    @property
    def http(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextlib.asynccontextmanager
    async def client(self, version: int = 2, key: str = ANON, **options: Any) -> AsyncIterator[Client]:
        """Connect."""
        url = f"ws://127.0.0.1:{self.port}/socket/websocket?apikey={key}&vsn={version}.0.0"
        # No pings of its own: a busy machine answers them late, and that is not what is tested.
        async with connect(url, max_size=None, compression=None, ping_interval=None, **options) as connection:
            yield Client(connection, version)

    async def sql(self, statement: str, *parameters: object, user: str = "postgres") -> list[tuple[Any, ...]]:
        """Run a statement; rows, if any."""
        async with await psycopg.AsyncConnection.connect(self.database.dsn(user), autocommit=True) as connection:
            cursor = await connection.execute(statement.encode(), parameters or None)
            return await cursor.fetchall() if cursor.description else []


def settings_of(database: Database, **env: str) -> RealtimeSettings:
    """Settings as the container's variables would give them."""
    parts = conninfo_to_dict(database.dsn("supabase_admin"))
    return RealtimeSettings.from_env(
        {
            "DB_HOST": str(parts["host"]), "DB_PORT": str(parts["port"]), "DB_NAME": str(parts["dbname"]),
            "DB_USER": str(parts["user"]), "DB_PASSWORD": str(parts["password"]), "API_JWT_SECRET": SECRET, **env,
        }
    )  # fmt: skip


@contextlib.asynccontextmanager
async def serving(database: Database, **env: str) -> AsyncIterator[Server]:
    """Run the service in this event loop."""
    app = create_app(settings_of(database, **env))
    listener = bind("127.0.0.1", int(env.get("PORT", "0")))
    port = listener.getsockname()[1]
    server = make_server(app.asgi, ws_protocol=app.ws_protocol())
    with contextlib.ExitStack() as stack:
        stack.callback(listener.close)
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign,assignment]
        task = asyncio.ensure_future(server.serve(sockets=[listener]))
        try:
            await until(lambda: server.started)
            async with asyncio.timeout(PATIENCE_S):
                await app.service.context.changes.is_streaming.wait()
            yield Server(app.service, port, database)
        finally:
            server.should_exit = True
            await task


async def until(condition: Callable[[], object]) -> None:
    """Wait for a condition of this process."""
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 (plain state has no event)
            await asyncio.sleep(0.005)


Serve = Callable[..., contextlib.AbstractAsyncContextManager[Server]]


@pytest.fixture(scope="session")
def plain_template(cluster: Cluster, platform: Database) -> str:
    """The name of a database without the product, in which roles get no privileges unless they are granted."""
    made = create_database(cluster, platform.name)
    with psycopg.connect(made.dsn(), autocommit=True) as connection:
        for kind in ("tables", "sequences", "functions"):
            revoked = f"revoke all on {kind} from anon, authenticated, service_role"
            connection.execute(f"alter default privileges in schema public {revoked}")
    return made.name


@pytest.fixture(scope="module")
def module_database(cluster: Cluster, plain_template: str) -> Iterator[Database]:
    """A clone of it, for a module's tests that leave nothing there that the others see."""
    made = create_database(cluster, plain_template)
    yield made
    drop_database(made)


@pytest.fixture
def database(cluster: Cluster, plain_template: str) -> Iterator[Database]:
    """A clone of it, for one test."""
    made = create_database(cluster, plain_template)
    yield made
    drop_database(made)


@pytest.fixture
async def realtime(database: Database) -> AsyncIterator[Server]:
    """A service on a database of its own."""
    async with serving(database) as server:
        yield server


@pytest.fixture
def closed_port() -> int:
    """A port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


Sql = Callable[..., Awaitable[list[tuple[Any, ...]]]]


COUNTS = """
create table public.counts (id int primary key); grant select on public.counts to anon;
alter publication supabase_realtime add table public.counts;
"""


def _make_counts(cluster: Cluster) -> None:
    with psycopg.connect(cluster.dsn(), autocommit=True) as connection:
        apply_bootstrap(connection, cluster.password)
    with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as connection:
        connection.execute(COUNTS)


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    """A PostgreSQL of the test's own, to be stopped and killed."""
    folder = scratch_folder("muster-faults-")
    cluster = make_cluster(folder, data=prepared_data("counts", _make_counts))
    try:
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def kill(cluster: Cluster) -> None:
    """What the out-of-memory killer does to PostgreSQL."""
    assert cluster.process is not None
    os.kill(cluster.process.pid, signal.SIGKILL)
    cluster.process.wait()


def sessions_of(server: Server) -> list[Session]:
    """The sessions of the open sockets, to look at what no frame shows."""
    return [
        socket._session for socket in server.service.connections.all if isinstance(socket, Socket) and socket._session
    ]
