"""Several processes, one set of topics: broadcasts, presence and load travel between them over a Unix socket. I/O.

The first process of a folder listens and relays, the others connect; when it ends, another takes over. Row changes and
broadcasts from the database do not pass here: every process streams the log itself, from a slot of its own.
"""

import asyncio
import fcntl
import json
import logging
import os
import struct
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from emulator.realtime.topics.hub import BusMessage, Hub, PresenceUpdate
from emulator.realtime.topics.load import Load, LoadMeter
from emulator.realtime.wire.broadcasts import Broadcast

log = logging.getLogger(__name__)
RETRY_S = 0.1
LOAD_EVERY_S = 1.0
MAX_BUFFER_BYTES = 64 * 1024 * 1024
_HEAD = struct.Struct(">II")


def claim_worker(folder: Path) -> tuple[int, int]:
    """The lowest number that no living process of the folder has, and the lock's descriptor (kept until the end)."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    number = 0
    while True:
        lock = os.open(folder / f"worker-{number}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return number, lock
        except OSError:
            os.close(lock)
            number += 1


def is_unclaimed(folder: Path, number: int) -> bool:
    """Whether no living process of the folder has a number."""
    lock = os.open(folder / f"worker-{number}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True


def encode(message: BusMessage) -> bytes:
    """A message as bytes: lengths, a JSON header, a body."""
    header = asdict(message)
    body = header.pop("payload") if isinstance(message, Broadcast) else b""
    header["kind"] = type(message).__name__
    head = json.dumps(header).encode()
    return _HEAD.pack(len(head), len(body)) + head + body


def _decode(head: bytes, body: bytes) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(head)
    if header["kind"] == "Broadcast":
        header["payload"] = body
    return header


def _control(**header: Any) -> bytes:
    head = json.dumps(header).encode()
    return _HEAD.pack(len(head), 0) + head


class Bus:
    """Connects a hub with those of the other processes. `run` until canceled."""

    def __init__(self, hub: Hub, meter: LoadMeter, folder: Path) -> None:
        self._hub = hub
        self._meter = meter
        self._loads: dict[str, Load] = {}
        self._path = folder / "bus.sock"
        self._peers: dict[asyncio.StreamWriter, str] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        hub.publish = self._publish

    async def run(self) -> None:
        """Listen, or connect to the process that listens, again and again."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._publish_load())
            while True:
                try:
                    await self._connect_or_listen()
                except OSError as error:
                    log.debug("the bus is down: %s", error)
                except Exception:
                    log.exception("the bus failed")  # and is joined again: processes must never stay apart
                self._hub.forget_others()
                self._forget_loads(tuple(self._loads))
                await asyncio.sleep(RETRY_S)

    async def _publish_load(self) -> None:
        while True:
            if self._peers:
                load = asdict(self._meter.current(time.monotonic()))
                self._send(_control(kind="Load", node=self._hub.node, **load), lambda _: True)
            await asyncio.sleep(LOAD_EVERY_S)

    def _forget_loads(self, nodes: Iterable[str]) -> None:
        for node in nodes:
            self._loads.pop(node, None)
        self._meter.set_remote(self._loads.values())

    async def _connect_or_listen(self) -> None:
        lock = os.open(self._path.with_suffix(".lock"), os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                reader, writer = await asyncio.open_unix_connection(str(self._path))
                await self._exchange(reader, writer)
                return
            await self._listen()
        finally:
            os.close(lock)

    async def _listen(self) -> None:
        with suppress(FileNotFoundError):
            self._path.unlink()
        server = await asyncio.start_unix_server(self._accept, str(self._path))
        self._path.chmod(0o600)
        try:
            await server.serve_forever()
        finally:
            server.close()
            for writer in tuple(self._peers):
                writer.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._exchange(reader, writer, relays=True)
        finally:
            self._tasks.discard(task)

    async def _exchange(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, relays: bool = False
    ) -> None:
        """Exchange what is tracked, then pass messages on until the other side disconnects."""
        self._peers[writer] = ""
        writer.write(_control(kind="Hello", node=self._hub.node))
        for update in self._hub.all_tracked() if relays else self._hub.own_tracked():
            writer.write(encode(update))
        try:
            while True:
                sizes = _HEAD.unpack(await reader.readexactly(_HEAD.size))
                head, body = await reader.readexactly(sizes[0]), await reader.readexactly(sizes[1])
                header = _decode(head, body)
                if header["kind"] == "Hello":
                    self._peers[writer] = header["node"]
                    continue
                self._take(header)
                if relays:
                    self._send(_HEAD.pack(*sizes) + head + body, lambda peer: peer is not writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            node = self._peers.pop(writer)
            writer.close()
            if relays and node:
                self._hub.forget(node)
                self._forget_loads([node])
                self._send(_control(kind="Gone", node=node), lambda _: True)

    def _take(self, header: dict[str, Any]) -> None:
        kind = header.pop("kind")
        if kind == "Broadcast":
            self._hub.deliver(Broadcast(**header))
        elif kind == "PresenceUpdate":
            self._hub.apply(PresenceUpdate(**header))
        elif kind == "Load":
            node = header.pop("node")
            self._loads[node] = Load(**header)
            self._meter.set_remote(self._loads.values())
        elif kind == "Gone":
            self._hub.forget(header["node"])
            self._forget_loads([header["node"]])

    def _publish(self, message: BusMessage) -> None:
        if self._peers:
            self._send(encode(message), lambda _: True)

    def _send(self, data: bytes, to: Callable[[asyncio.StreamWriter], bool]) -> None:
        for writer in tuple(self._peers):
            if not to(writer) or writer.is_closing():
                continue
            if writer.transport.get_write_buffer_size() > MAX_BUFFER_BYTES:
                log.warning("disconnected a process that does not read the bus")
                writer.transport.abort()
            else:
                writer.write(data)
