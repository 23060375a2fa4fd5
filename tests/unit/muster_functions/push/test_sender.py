"""The request to a push service over TLS: to the address that was checked, in the name that was given."""

import datetime
import ssl
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from muster_cli.stack.secrets import generate
from muster_functions.push import sender as module
from muster_functions.push.endpoints import Target
from muster_functions.push.message import confirmation
from muster_functions.push.sender import Device, Sender
from muster_functions.push.vapid import VapidKeys
from tests.support.push_service import HOST, Receiver

MADE = generate(0)
KEYS = VapidKeys(MADE.vapid_public_key, MADE.vapid_private_key)


def certificate(folder: Path) -> Path:
    """A key and a certificate for HOST, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    file = folder / "server.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + made.public_bytes(Encoding.PEM))
    return file


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[int, ssl.SSLContext, list[str]]]:
    """A push service with that certificate: its port, who trusts it, and the Host headers that it got."""
    file, hosts = certificate(tmp_path), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            hosts.append(self.headers["host"])
            self.send_response(201)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    made = HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    made.socket = context.wrap_socket(made.socket, server_side=True)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield made.server_port, ssl.create_default_context(cafile=str(file)), hosts
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.mark.parametrize(("host", "state"), [(HOST, "sent"), ("other.example.net", "later")])
async def test_the_certificate_is_of_the_name_not_of_the_address(
    server: tuple[int, ssl.SSLContext, list[str]], monkeypatch: pytest.MonkeyPatch, host: str, state: str
) -> None:
    """§17.3: the connection goes to the checked address; whoever answers there has to be the push service."""
    port, trust, hosts = server

    async def find(*_: object) -> Target:
        return Target(f"https://127.0.0.1:{port}/send/1", host)

    monkeypatch.setattr(module, "find_target", find)
    sender = Sender(KEYS, "mailto:a@b.test", None)
    monkeypatch.setattr(sender, "_client", httpx.AsyncClient(verify=trust, trust_env=False))
    browser = Receiver()
    device = Device(browser.endpoint, browser.p256dh, browser.auth, KEYS.public)
    assert (await sender.send(confirmation("Chrome"), device)).state == state
    assert hosts == ([HOST] if state == "sent" else [])
    await sender.close()


@pytest.mark.parametrize(
    ("endpoint", "state"),
    [
        pytest.param("https://127.0.0.1/send/1", "gone", id="this-machine"),
        pytest.param("https://[fe80::1]/send/1", "gone", id="its-network"),
        pytest.param("https://push.invalid/send/1", "later", id="a-name-that-nobody-knows"),
    ],
)
async def test_nothing_is_sent_where_no_push_service_is(endpoint: str, state: str) -> None:
    """§17.3: an address of this machine or its networks ends the device."""
    browser, sender = Receiver(), Sender(KEYS, "mailto:a@b.test", None)
    device = Device(endpoint, browser.p256dh, browser.auth, KEYS.public)
    assert (await sender.send(confirmation("Chrome"), device)).state == state
    await sender.close()
