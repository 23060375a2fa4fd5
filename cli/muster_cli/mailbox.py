"""The mails that a development stack has caught: the emulator's mailbox, or Mailpit beside the containers."""

from dataclasses import dataclass
from typing import Any

from muster_cli.output import UserError
from muster_cli.stack import compose
from muster_cli.stack.target import Target


@dataclass(frozen=True)
class CaughtMail:
    """One mail of the list."""

    id: str
    received_at: str
    to: list[str]
    subject: str


def list_caught(target: Target) -> list[CaughtMail]:
    """The caught mails, the newest first. Raises UserError when this stack catches none."""
    url, is_mailpit = _address(target)
    mails = _ask("GET", url)["messages"]
    if is_mailpit:
        return [
            CaughtMail(mail["ID"], mail["Created"], [to["Address"] for to in mail["To"]], mail["Subject"])
            for mail in mails
        ]
    return [
        CaughtMail(mail["id"], mail["received_at"], [to["address"] for to in mail["to"]], mail["subject"])
        for mail in mails
    ]


def throw_away_caught(target: Target) -> None:
    """Empty the mailbox. Raises UserError when this stack catches none."""
    _ask("DELETE", _address(target)[0])


def _address(target: Target) -> tuple[str, bool]:
    """Where the list is, and whether Mailpit answers there."""
    if target.kind == "containers":
        return f"http://127.0.0.1:{compose.read_env()['MAIL_PORT']}/api/v1/messages", True
    if target.kind == "emulator":
        return f"{target.api}/mail/api/messages", False
    raise UserError("only a development stack has a mailbox: --stack emulator or containers", 2)


def _ask(method: str, url: str) -> Any:
    import httpx

    try:
        answer = httpx.request(method, url, timeout=10)
    except httpx.HTTPError as error:
        raise UserError(f"the mailbox does not answer: {error}") from error
    if answer.status_code == 404:
        raise UserError("this stack has no mailbox: it sends its mails to a mail server")
    if not answer.is_success:
        raise UserError(f"the mailbox refused: {answer.status_code}")
    return answer.json() if answer.content and "json" in answer.headers.get("content-type", "") else None
