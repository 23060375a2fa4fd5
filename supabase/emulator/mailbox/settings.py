"""What the mailbox is configured with."""

from pathlib import Path
from typing import Annotated

from emulator.settings import Port, Settings, Variable


class MailboxSettings(Settings):
    """Where mails are kept and where they are received. Port 0 takes any free one.

    `smtp_fd`: a socket that listens already, of whoever made the settings.
    """

    prefix = "MAILBOX_"

    folder: Annotated[Path, Variable("DIR")]
    smtp_host: str = "127.0.0.1"
    smtp_port: Port = 1025
    smtp_fd: int | None = None
    max_messages: int = 500
