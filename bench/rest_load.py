"""A cheap HTTP/1.1 load generator: prebuilt requests on keep-alive connections, one in flight on each.

Run as `python -m bench.rest_load PORT CONNECTIONS SECONDS < requests.json`; prints one JSON line. It costs about
15 us a request, so that the server is what is measured.
"""

import asyncio
import base64
import json
import sys
import time
from functools import partial
from typing import cast

import uvloop


class Client(asyncio.Protocol):
    """One connection, which sends its next request as soon as a response is complete."""

    def __init__(self, requests: list[bytes], offset: int, step: int) -> None:
        self._requests = requests
        self._at = offset
        self._step = step
        self._buffer = b""
        self._sent_at = 0.0
        self.latencies: list[float] = []
        self.failures = 0
        self.answers = 0
        self.is_over = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start."""
        self._transport = cast(asyncio.Transport, transport)  # uvloop's class is not a subclass
        self._send()

    def _send(self) -> None:
        self._at = (self._at + self._step) % len(self._requests)
        self._sent_at = time.perf_counter()
        assert self._transport is not None
        self._transport.write(self._requests[self._at])

    def data_received(self, data: bytes) -> None:
        """Count a response when it is complete."""
        self._buffer += data
        head_end = self._buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return
        at = self._buffer.find(b"ontent-length: ", 0, head_end)
        length = int(self._buffer[at + 15 : self._buffer.find(b"\r", at)]) if at >= 0 else 0
        if len(self._buffer) < head_end + 4 + length:
            return
        self.answers += 1
        self.latencies.append(time.perf_counter() - self._sent_at)
        if self._buffer[9:10] != b"2":
            self.failures += 1
        self._buffer = b""
        if not self.is_over:
            self._send()


async def measure(port: int, connections: int, seconds: float, requests: list[bytes]) -> dict[str, float]:
    """Drive the server and return rate (per second), latencies (ms), and the answers of single connections."""
    loop = asyncio.get_running_loop()
    clients = []
    for number in range(connections):
        _, client = await loop.create_connection(
            partial(Client, requests, number * 7919, connections), "127.0.0.1", port
        )
        clients.append(client)
    await asyncio.sleep(min(seconds / 4, 1.0))
    for client in clients:
        client.latencies.clear()
    started = time.perf_counter()
    await asyncio.sleep(seconds)
    elapsed = time.perf_counter() - started
    for client in clients:
        client.is_over = True
    answers = [len(client.latencies) for client in clients]
    latencies = sorted(latency for client in clients for latency in client.latencies)
    count = max(len(latencies), 1)

    def percentile(share: float) -> float:
        return round(latencies[min(int(count * share), count - 1)] * 1000, 3) if latencies else 0.0

    return {
        "rate": round(len(latencies) / elapsed, 1),
        "p50_ms": percentile(0.5),
        "p95_ms": percentile(0.95),
        "p99_ms": percentile(0.99),
        "max_ms": percentile(1.0),
        "least_answers": min(answers),
        "most_answers": max(answers),
        "requests": sum(client.answers for client in clients),
        "failures": sum(client.failures for client in clients),
    }


def main() -> None:
    """Read the requests, measure, print."""
    port, connections, seconds = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    requests = [base64.b64decode(text) for text in json.load(sys.stdin)]
    print(json.dumps(uvloop.run(measure(port, connections, seconds, requests))))


if __name__ == "__main__":
    main()
