"""From the queue to a mail server that is slow, refuses, dies, or speaks TLS: nothing accepted is lost."""

import asyncio
import subprocess
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from muster_functions.mailer import queue
from muster_functions.mailer.backoff import Backoff
from muster_functions.mailer.worker import Worker
from muster_functions.runtime.database import Connection, Database
from muster_functions.settings import MailSettings
from tests.contract.functions.conftest import SERVICE, People, mail_server, service, until
from tests.support.mail_server import MailServer
from tests.support.patience import PATIENCE_S
from tests.support.postgres import free_port

PATH = "send-notification-email"


async def post(client: Any, people: People, email: str = "ben@muster.test") -> None:
    """Have one mail accepted."""
    name = email.split("@", maxsplit=1)[0]
    if not people.count(f"public.profiles where full_name = '{name}'"):
        people.member(name, email=email)
    body = {"notification": {"type": "system", "title": "Drill", "content": "19:00"}, "recipient": {"email": email}}
    got = await client.post(PATH, headers={"authorization": f"Bearer {SERVICE}"}, json=body)
    assert got.json() == {"success": True, "error": None}


def waiting(people: People) -> int:
    return people.count("functions.mail_queue where parked_at is null")


async def test_a_slow_server_delays_no_answer_and_no_other_mail(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    smtp.configure(hold=True)
    client = await serve(smtp.port)
    async with asyncio.timeout(PATIENCE_S):
        for _ in range(5):
            await post(client, people)
        await until(lambda: smtp.attempts == 3)  # as many at once as there are senders
    assert waiting(people) == 5
    smtp.configure(hold=False)
    await until(lambda: waiting(people) == 0)
    assert len(smtp.taken) == 5


async def test_a_server_that_never_answers_is_given_up_for_now(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    smtp.configure(hold=True)
    client = await serve(smtp.port, smtp=MailSettings(host="127.0.0.1", port=smtp.port, timeout_s=0.2))
    await post(client, people)
    await until(lambda: smtp.attempts >= 2)
    smtp.configure(hold=False)
    await until(lambda: waiting(people) == 0)


@pytest.mark.parametrize("answer", ["451 try later", "die"])
async def test_what_may_pass_is_tried_again(
    serve: Callable[..., Any], smtp: MailServer, people: People, answer: str
) -> None:
    smtp.configure(data=[answer, answer, "250 OK"])
    await post(await serve(smtp.port), people)
    await until(lambda: waiting(people) == 0)
    assert (smtp.attempts, len(smtp.taken)) == (3, 1)


async def test_who_watches_the_queue_sees_the_failure_of_another_sender(
    serve: Callable[..., Any], smtp: MailServer, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first sender, which sleeps until the next mail is due, comes late; the commit of the other takes a while."""
    look, whole = Worker._step, Database.transaction

    async def late(self: Worker, number: int) -> float:
        if number == 0:
            await asyncio.sleep(0.02)
        return await look(self, number)

    @asynccontextmanager
    async def slow(self: Database) -> AsyncIterator[Connection]:
        async with whole(self) as connection:
            yield connection
            await asyncio.sleep(0.1)

    monkeypatch.setattr(Worker, "_step", late)
    monkeypatch.setattr(Database, "transaction", slow)
    smtp.configure(data=["451 later", "250 OK"])
    backoff = Backoff(first_s=0.5, factor=1.0, attempts=3)  # longer than it takes who failed to look again
    await post(await serve(smtp.port, backoff=backoff), people)
    await until(lambda: waiting(people) == 0, PATIENCE_S / 2)  # half of what it sleeps when it knows of no mail


async def test_a_server_that_is_away_is_waited_for(serve: Callable[..., Any], people: People) -> None:
    port = free_port()
    await post(await serve(port), people)
    await until(lambda: people.count("functions.mail_queue where attempts >= 2 and last_error is not null"))
    with mail_server(port=port) as server:
        await until(lambda: waiting(people) == 0)
        assert len(server.taken) == 1


async def test_a_mail_that_is_refused_for_good_is_parked_with_its_reason(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    smtp.configure(rcpt={"gone@muster.test": "550 5.1.1 no such person\r\nreally"})
    client = await serve(smtp.port)
    await post(client, people, "gone@muster.test")
    await post(client, people)
    await until(lambda: waiting(people) == 0)
    assert smtp.recipients == ["ben@muster.test"]
    [parked] = queue.list_parked(people.connection)
    assert (parked.recipient, parked.attempts) == ("gone@muster.test", 1)
    assert parked.last_error is not None
    assert "550 5.1.1 no such person" in parked.last_error
    assert queue.list_queued(people.connection) == []


async def test_an_operator_puts_a_parked_mail_back_or_throws_it_away(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    smtp.configure(rcpt={"*": "550 no"})
    client = await serve(smtp.port)
    await post(client, people)
    await post(client, people)
    await until(lambda: len(queue.list_parked(people.connection)) == 2)
    first, second = queue.list_parked(people.connection)
    smtp.configure(rcpt={})
    assert queue.discard(people.connection, first.id)
    assert not queue.discard(people.connection, first.id)
    assert queue.requeue(people.connection, second.id) == 1
    await post(client, people)  # also wakes the worker
    await until(lambda: len(smtp.taken) == 2)


async def test_after_so_many_attempts_a_mail_is_parked(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    smtp.configure(data=["451 never"])
    await post(await serve(smtp.port, backoff=Backoff(first_s=0.01, factor=1.0, attempts=3)), people)
    await until(lambda: queue.list_parked(people.connection))
    [parked] = queue.list_parked(people.connection)
    assert (smtp.attempts, parked.attempts) == (3, 3)


async def test_mails_outlive_the_service(module_settings: Callable[..., Any], smtp: MailServer, people: People) -> None:
    """Accepted while no server could be reached, sent by the next process; a mail claimed by a dead one as well."""
    async with service(module_settings(free_port())) as client:
        await post(client, people)
    people.connection.execute(
        "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body, attempts, next_attempt_at) "
        "values ('system', 'lost@muster.test', 's', 't', 'h', 1, now() + interval '300 ms')"
    )  # what a killed worker leaves: claimed until then
    async with service(module_settings(smtp.port)):
        await until(lambda: waiting(people) == 0)
    assert smtp.recipients == ["ben@muster.test", "lost@muster.test"]


async def test_a_mail_on_its_way_when_the_service_stops_is_not_lost(
    module_settings: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    smtp.configure(hold=True)
    async with service(module_settings(smtp.port)) as client:
        await post(client, people)
        await until(lambda: smtp.attempts == 1)
        asyncio.get_running_loop().call_later(0.3, lambda: smtp.configure(hold=False))
    assert (len(smtp.taken), waiting(people)) == (1, 0)


async def test_two_services_send_each_mail_once(serve: Callable[..., Any], smtp: MailServer, people: People) -> None:
    clients = [await serve(smtp.port), await serve(smtp.port)]
    people.member("ben")
    await asyncio.gather(*(post(clients[number % 2], people) for number in range(20)))
    await until(lambda: waiting(people) == 0)
    assert len(smtp.taken) == 20


def test_a_sender_claims_one_mail_by_whatever_plan(people: People) -> None:
    """The statistics of a queue that holds one mail make PostgreSQL look for the due mail once per row."""
    people.connection.execute("truncate functions.mail_queue")
    add = (
        "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body) "
        "values ('system', 'ben@muster.test', 's', 't', 'h')"
    )
    people.connection.execute(add)
    people.connection.execute("vacuum analyze functions.mail_queue")
    for _ in range(20):
        people.connection.execute(add)
    people.connection.execute(queue._CLAIM, {"lease_s": 90})
    assert people.count("functions.mail_queue where attempts > 0") == 1


async def test_an_address_that_is_none_is_parked_and_holds_up_nothing(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    client = await serve(smtp.port)
    await post(client, people, "two words@muster.test")
    await post(client, people)
    await until(lambda: queue.list_parked(people.connection) and smtp.taken)
    [parked] = queue.list_parked(people.connection)
    assert parked.last_error is not None
    assert parked.last_error.startswith("unusable address")


async def test_the_service_survives_the_loss_of_its_connections(
    serve: Callable[..., Any], smtp: MailServer, people: People
) -> None:
    client = await serve(smtp.port)
    await post(client, people)
    people.connection.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'functions'"
    )
    await post(client, people)
    await until(lambda: len(smtp.taken) == 2)


@pytest.mark.usefixtures("impatient")
async def test_without_a_database_the_answer_is_503(serve: Callable[..., Any], smtp: MailServer) -> None:
    url = psycopg.conninfo.make_conninfo(host="127.0.0.1", port=free_port(), user="postgres", dbname="x")
    client = await serve(smtp.port, database_url=url)
    body = {"notification": {"type": "system", "title": "x"}, "recipient": {"email": "ben@muster.test"}}
    got = await client.post(PATH, headers={"authorization": f"Bearer {SERVICE}"}, json=body)
    assert (got.status_code, got.json()["code"]) == (503, "DATABASE_UNAVAILABLE")
    assert got.headers["retry-after"]


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of 127.0.0.1, signed by itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", cert],
        check=True, capture_output=True,
    )  # fmt: skip
    return cert, key


def files(certificate: tuple[Path, Path]) -> dict[str, Any]:
    """The mail server's options for a certificate."""
    return {"certificate": str(certificate[0]), "key": str(certificate[1])}


async def test_starttls_and_credentials(
    serve: Callable[..., Any], people: People, certificate: tuple[Path, Path]
) -> None:
    with mail_server(**files(certificate), requires_starttls=True, login="muster", password="pass") as server:
        smtp = MailSettings(
            host="127.0.0.1",
            port=server.port,
            user="muster",
            password="pass",
            tls="starttls",
            ca_file=str(certificate[0]),
        )  # fmt: skip
        await post(await serve(smtp=smtp), people)
        await until(lambda: waiting(people) == 0)
        assert server.taken[0].tls
        assert server.taken[0].authenticated


async def test_tls_from_the_start(serve: Callable[..., Any], people: People, certificate: tuple[Path, Path]) -> None:
    with mail_server(**files(certificate), implicit_tls=True) as server:
        smtp = MailSettings(host="127.0.0.1", port=server.port, tls="tls", ca_file=str(certificate[0]))
        await post(await serve(smtp=smtp), people)
        await until(lambda: waiting(people) == 0)
        assert len(server.taken) == 1


@pytest.mark.parametrize("case", ["wrong certificate", "no starttls", "wrong password"])
async def test_no_mail_leaves_where_the_server_is_not_to_be_trusted(
    serve: Callable[..., Any], people: People, certificate: tuple[Path, Path], case: str
) -> None:
    """These are the operator's to put right: the mail waits, with the reason, and is not given up at once."""
    options = {} if case == "no starttls" else files(certificate)
    if case == "wrong password":
        options |= {"login": "muster", "password": "right"}
    with mail_server(**options) as server:
        smtp = MailSettings(host="127.0.0.1", port=server.port, tls="starttls", ca_file=str(certificate[0]))
        if case == "wrong certificate":
            smtp = smtp.model_copy(update={"ca_file": None})
        if case == "wrong password":
            smtp = smtp.model_copy(update={"user": "muster", "password": "wrong"})
        await post(await serve(smtp=smtp), people)
        await until(lambda: people.count("functions.mail_queue where attempts >= 2 and last_error is not null"))
        assert server.taken == []
        assert queue.list_parked(people.connection) == []
