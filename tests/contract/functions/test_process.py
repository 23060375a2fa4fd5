"""`python -m muster_functions`: alone, configured by its environment, killed without losing a mail."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import psycopg
import pytest

from tests.contract.functions.conftest import SECRET, SERVICE, People, until
from tests.support.commands import Started, run, start
from tests.support.mail_server import MailServer
from tests.support.patience import PATIENCE_S
from tests.support.postgres import Database, free_port

LAZY = ("jinja2", "aiosmtplib", "aiosmtpd", "httpx", "muster_functions.emails.render", "emulator.mail.smtp")


def environment(database: Database, smtp_port: int, port: int) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"], "JWT_SECRET": SECRET, "SUPABASE_DB_URL": database.url(),
        "SITE_URL": "http://127.0.0.1:5173", "SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(smtp_port), "PORT": str(port),
    }  # fmt: skip


@asynccontextmanager
async def process(env: dict[str, str]) -> AsyncIterator[Started]:
    made = await asyncio.to_thread(start, "muster_functions", env=env)
    try:
        async with httpx.AsyncClient(timeout=PATIENCE_S) as client:

            async def healthy() -> bool:
                try:
                    return (await client.get(f"http://127.0.0.1:{env['PORT']}/healthz")).status_code == 200
                except httpx.TransportError:
                    return False

            async with asyncio.timeout(30):
                while not await healthy():
                    assert made.poll() is None
                    await asyncio.sleep(0.05)
        yield made
    finally:
        made.terminate()
        await asyncio.to_thread(made.wait)


async def test_a_killed_process_loses_no_accepted_mail(
    module_database: Database, smtp: MailServer, people: People
) -> None:
    people.member("ben")
    port = free_port()
    body = {"notification": {"type": "system", "title": "Drill"}, "recipient": {"email": "ben@muster.test"}}
    async with (
        process(environment(module_database, free_port(), port)) as first,
        httpx.AsyncClient(timeout=PATIENCE_S) as client,
    ):
        url = f"http://127.0.0.1:{port}/functions/v1/send-notification-email"
        got = await client.post(url, headers={"authorization": f"Bearer {SERVICE}"}, json=body)
        assert got.json() == {"success": True, "error": None}
        first.send_signal(signal.SIGKILL)
        await asyncio.to_thread(first.wait)
    assert people.count("functions.mail_queue") == 1
    people.connection.execute("update functions.mail_queue set next_attempt_at = now()")  # as if time had passed
    async with process(environment(module_database, smtp.port, free_port())) as second:
        await until(lambda: smtp.taken and people.count("functions.mail_queue") == 0)
        second.terminate()
        assert await asyncio.to_thread(second.wait) == 0
    assert smtp.recipients == ["ben@muster.test"]


def test_an_environment_that_cannot_be_used_is_refused_in_one_line() -> None:
    ran = run(module="muster_functions", env={"PATH": os.environ["PATH"]})
    assert (ran.returncode, ran.stderr) == (2, "SMTP_HOST is not set\n")


async def test_a_service_that_sends_nothing_loads_no_mailer() -> None:
    code = f"import sys, muster_functions.app; print([name for name in {LAZY!r} if name in sys.modules])"
    made = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=asyncio.subprocess.PIPE)
    out, _ = await made.communicate()
    assert out.decode() == "[]\n"


async def test_the_queue_is_closed_to_every_client_role(module_database: Database) -> None:
    """Even the service key of the API reaches no mail: only the owner does."""
    for role in ("anon", "authenticated", "service_role"):
        with psycopg.connect(module_database.dsn("supabase_admin")) as connection:
            connection.execute(f"set role {role}")
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="schema functions"):
                connection.execute("select from functions.mail_queue")
