"""A stand-in of the push services of browsers: an HTTP server that takes pushes, and the browsers that read them."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from muster_functions.push.encryption import base64url

HOST = "push.example.net"


@dataclass
class Receiver:
    """A browser's half of a subscription."""

    endpoint: str = field(default_factory=lambda: f"https://{HOST}/send/{uuid4().hex}")
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = field(default_factory=lambda: os.urandom(16))

    @property
    def point(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def p256dh(self) -> str:
        return base64url(self.point)

    @property
    def auth(self) -> str:
        return base64url(self.secret)

    def decrypt(self, body: bytes) -> bytes:
        """RFC 8291 from the receiver's side. Raises InvalidTag for what is not for this browser."""
        salt, own = body[:16], body[21:86]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), own))
        ikm = HKDF(SHA256(), 32, self.secret, b"WebPush: info\0" + self.point + own).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(ikm)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(ikm)
        return AESGCM(key).decrypt(nonce, body[86:], None).rstrip(b"\0")[:-1]


@dataclass(frozen=True)
class Taken:
    """One request: header names in lower case."""

    path: str
    headers: dict[str, str]
    body: bytes


class PushService:
    """Answers 201; `answer` may decide otherwise by the request: a status and headers."""

    def __init__(self) -> None:
        self.taken: list[Taken] = []
        self.answer: Callable[[Taken], tuple[int, dict[str, str]]] = lambda _: (201, {})
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                taken = Taken(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                status, headers = service.answer(taken)
                service.taken.append(taken)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def reset(self) -> None:
        self.taken.clear()
        self.answer = lambda _: (201, {})

    def of(self, receiver: Receiver) -> list[Taken]:
        """The requests to a browser."""
        return [taken for taken in list(self.taken) if receiver.endpoint.endswith(taken.path)]

    def read(self, receiver: Receiver) -> list[dict[str, Any]]:
        """What a browser was told."""
        return [json.loads(receiver.decrypt(taken.body)) for taken in self.of(receiver)]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def push_process() -> Iterator[PushService]:
    """The one of this process; stacks of tests send there whatever a browser's address is."""
    made = PushService()
    yield made
    made.stop()


@pytest.fixture
def pushes(push_process: PushService) -> PushService:
    """The same, with nothing taken and no rule."""
    push_process.reset()
    return push_process
