"""The SMTP listener: accepts any mail on a loopback port and puts it into the store."""

import asyncio
import logging
import socket
from typing import TYPE_CHECKING, Any

from emulator.mailbox.store import MailStore

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP, Envelope

log = logging.getLogger("emulator.mailbox")
MAX_MAIL_BYTES = 10 * 1024 * 1024


class _Handler:
    """aiosmtpd calls these by name; addresses are not looked at, everything is for us."""

    def __init__(self, store: MailStore) -> None:
        self._store = store

    async def handle_DATA(self, _server: Any, _session: Any, envelope: "Envelope") -> str:
        """A whole mail has come."""
        content = envelope.content
        raw = content.encode() if isinstance(content, str) else content or b""
        message_id = self._store.add(raw)
        return f"250 OK: kept as {message_id}"


async def listen(store: MailStore, host: str, port: int, descriptor: int | None = None) -> asyncio.Server:
    """Start receiving, on a copy of `descriptor` if there is one; the caller closes the server. Raises OSError."""
    handler = _Handler(store)

    def connection() -> "SMTP":
        from aiosmtpd.smtp import SMTP  # with the first mail: 2 MiB

        return SMTP(
            handler, data_size_limit=MAX_MAIL_BYTES, hostname="mailbox", ident="Muster mailbox", enable_SMTPUTF8=True
        )

    loop = asyncio.get_running_loop()
    if descriptor is not None:
        listener = socket.fromfd(descriptor, socket.AF_INET, socket.SOCK_STREAM)
        server = await loop.create_server(connection, sock=listener)
    else:
        server = await loop.create_server(connection, host, port)
    log.info("receiving mails on %s:%s", *server.sockets[0].getsockname()[:2])
    return server
