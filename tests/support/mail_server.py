"""A mail server in its own process, controlled by commands, reporting what it received.

`python -m tests.support.mail_server OPTIONS` (JSON) is the server: it reads one JSON document a line (rules) from
standard input, acknowledges each, and writes an event a line. MailServer is a test's end of that line.
"""

import asyncio
import base64
import json
import ssl
import subprocess
import sys
import threading
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from emulator.asgi.server import bind
from tests.support.patience import PATIENCE_S


@dataclass(frozen=True)
class Options:
    """How the server is reached. `implicit_tls`: from the first byte; else STARTTLS is offered with a certificate."""

    port: int = 0
    certificate: str = ""
    key: str = ""
    implicit_tls: bool = False
    requires_starttls: bool = False
    login: str = ""
    password: str = ""


@dataclass(frozen=True)
class Taken:
    """An accepted mail, and how it came."""

    recipients: list[str]
    content: bytes
    tls: bool
    authenticated: bool


class MailServer:
    """A running server. `configure` changes its replies; `taken` and `attempts` (DATA commands) grow as mails arrive.

    Both return the server's state at the time of the call, not the events read so far: a mail may be complete before
    this process has read its event.
    """

    def __init__(self, options: Options | None = None) -> None:
        command = [sys.executable, "-m", "tests.support.mail_server", json.dumps(asdict(options or Options()))]
        root = Path(__file__).parents[2]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root, text=True)
        self._changed = threading.Condition()
        self._commands = self._acknowledged = 0
        self.port = 0
        self._attempts = 0
        self._taken: list[Taken] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._wait(lambda: self.port)

    def configure(self, **rules: object) -> None:
        """`rcpt` (answers by address), `data` (answers in turn; the last stays; `die` drops the connection), `hold`.

        Returns when the server goes by them.
        """
        assert self._process.stdin is not None
        self._commands += 1
        self._process.stdin.write(json.dumps(rules) + "\n")
        self._process.stdin.flush()
        self._wait(lambda: self._acknowledged >= self._commands)

    def reset(self) -> None:
        """Close every connection and forget every rule."""
        self.configure(reset=True)
        self._attempts, self._taken = 0, []

    @property
    def attempts(self) -> int:
        """The number of DATA commands received."""
        self.configure()  # events are ordered: everything before the reply is counted
        return self._attempts

    @property
    def taken(self) -> list[Taken]:
        """The mails that were accepted."""
        self.configure()
        return self._taken

    @property
    def recipients(self) -> list[str]:
        """The recipients of the accepted mails, sorted."""
        return sorted(to for mail in self.taken for to in mail.recipients)

    def stop(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def _wait(self, condition: Any) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: condition() or self._process.poll() is not None, PATIENCE_S)
        assert self._process.poll() is None, "the mail server ended"

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            event = json.loads(line)
            with self._changed:
                match event.pop("event"):
                    case "listens":
                        self.port = event["port"]
                    case "told":
                        self._acknowledged += 1
                    case "asked":
                        self._attempts += 1
                    case "taken":
                        self._taken.append(Taken(**{**event, "content": base64.b64decode(event["content"])}))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()


class _Rules:
    """The server's end: aiosmtpd's hooks, following the latest command."""

    def __init__(self) -> None:
        self.rcpt: dict[str, str] = {}
        self.data: list[str] = ["250 OK"]
        self.released = asyncio.Event()
        self.released.set()
        self.lines: set[SMTP] = set()

    def apply(self, rules: dict[str, Any]) -> None:
        if rules.get("reset"):
            self.rcpt, self.data = {}, ["250 OK"]
            for line in self.lines:
                if isinstance(line.transport, asyncio.Transport):
                    line.transport.abort()
            self.lines.clear()
        self.rcpt = rules.get("rcpt", self.rcpt)
        self.data = list(rules.get("data", self.data))
        if rules.get("hold"):
            self.released.clear()
        elif "hold" in rules or rules.get("reset"):
            self.released.set()

    async def handle_RCPT(self, server: SMTP, _e: Session, envelope: Envelope, to: str, _o: list[str]) -> str:
        self.lines.add(server)
        answer = self.rcpt.get(to) or self.rcpt.get("*") or "250 OK"
        if answer.startswith("250"):
            envelope.rcpt_tos.append(to)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        _report("asked")
        await self.released.wait()
        answer = self.data.pop(0) if len(self.data) > 1 else self.data[0]
        if answer == "die":
            assert isinstance(server.transport, asyncio.Transport)
            server.transport.abort()
            return "421 gone"
        if answer.startswith("250"):
            assert isinstance(envelope.content, bytes)
            content = base64.b64encode(envelope.content).decode()
            is_tls, known = session.ssl is not None, bool(session.authenticated)
            _report("taken", recipients=envelope.rcpt_tos, content=content, tls=is_tls, authenticated=known)
        return answer


def _report(event: str, **facts: object) -> None:
    sys.stdout.write(json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


def _smtp_options(options: Options) -> tuple[dict[str, Any], ssl.SSLContext | None]:
    made: dict[str, Any] = {"hostname": "mail.test", "enable_SMTPUTF8": True}
    context = None
    if options.certificate:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(options.certificate, options.key)
        if not options.implicit_tls:
            made |= {"tls_context": context, "require_starttls": options.requires_starttls}
    if options.login:

        def check(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: LoginPassword) -> AuthResult:
            fits = (data.login, data.password) == (options.login.encode(), options.password.encode())
            return AuthResult(success=fits, handled=False)

        made |= {"authenticator": check, "auth_required": True}
    return made, context if options.implicit_tls else None


async def _serve(options: Options) -> None:
    rules = _Rules()
    smtp, tls = _smtp_options(options)
    listener = bind("127.0.0.1", options.port)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: SMTP(rules, **smtp), sock=listener, ssl=tls)
    _report("listens", port=listener.getsockname()[1])
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        rules.apply(json.loads(line))
        _report("told")
    server.close()


if __name__ == "__main__":
    asyncio.run(_serve(Options(**json.loads(sys.argv[1]))))
