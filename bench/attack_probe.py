"""An honest client, in a process of its own: reads, a sign-in page's settings, a socket; how long each waited.

`python -m bench.attack_probe PORT KEY` prints a line of JSON per line that it reads: the waits since the last one, ms.
"""

import asyncio
import json
import sys
import time

from bench.realtime_client import Subscriber, connect

EVERY_S = 0.02
TIMEOUT_S = 30.0
PATHS = ("/rest/v1/stations?select=id,name&limit=10", "/auth/v1/settings")


class Probe:
    """Keeps asking; `waits` has what each request took, by kind."""

    def __init__(self, port: int, key: str) -> None:
        self._port = port
        self._key = key
        self.waits: dict[str, list[float]] = {}
        self.failures = 0

    async def run(self) -> None:
        """Ask until canceled."""
        await asyncio.gather(*(self._read(path) for path in PATHS), self._beat())

    async def _read(self, path: str) -> None:
        kind = path.split("/")[1]
        request = f"GET {path} HTTP/1.1\r\nhost: localhost\r\napikey: {self._key}\r\n\r\n".encode()
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
                while True:
                    await asyncio.sleep(EVERY_S)
                    begun = time.perf_counter()
                    writer.write(request)
                    async with asyncio.timeout(TIMEOUT_S):
                        head = await reader.readuntil(b"\r\n\r\n")
                        size = int(head.lower().split(b"content-length:")[1].split(b"\r\n")[0])
                        await reader.readexactly(size)
                    self._note(kind, begun)
                    self.failures += b" 200 " not in head[:20]
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                self.failures += 1
                await asyncio.sleep(EVERY_S)

    async def _beat(self) -> None:
        """Heartbeats of a socket of its own."""
        answered = asyncio.Event()
        client: Subscriber = await connect(self._port, self._key, lambda _payload, _now: answered.set(), PREFIX)
        client.joined.set_result(None)
        client.live.set_result(None)
        while True:
            await asyncio.sleep(EVERY_S)
            begun = time.perf_counter()
            answered.clear()
            client.send([None, "1", "phoenix", "heartbeat", {}])
            try:
                async with asyncio.timeout(TIMEOUT_S):
                    await answered.wait()
            except TimeoutError:
                self.failures += 1
            self._note("socket", begun)

    def _note(self, kind: str, begun: float) -> None:
        self.waits.setdefault(kind, []).append((time.perf_counter() - begun) * 1000)


PREFIX = "/realtime/v1/websocket"


async def main() -> None:
    """Ask all the time; report when told to."""
    probe = Probe(int(sys.argv[1]), sys.argv[2])
    task = asyncio.ensure_future(probe.run())
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps({"waits": probe.waits, "failures": probe.failures}), flush=True)
        probe.waits, probe.failures = {}, 0
    task.cancel()


if __name__ == "__main__":
    asyncio.run(main())
