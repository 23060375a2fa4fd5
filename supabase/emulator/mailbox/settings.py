"""What the mailbox is configured with."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class MailboxSettings:
    """Where mails are kept and where they are received. Port 0 takes any free one."""

    folder: Path
    smtp_host: str = "127.0.0.1"
    smtp_port: int = 1025
    max_messages: int = 500

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "MailboxSettings":
        """Read MAILBOX_DIR, MAILBOX_SMTP_HOST, MAILBOX_SMTP_PORT and MAILBOX_MAX_MESSAGES; raises ValueError."""
        if not env.get("MAILBOX_DIR"):
            raise ValueError("MAILBOX_DIR is missing")
        return cls(
            Path(env["MAILBOX_DIR"]),
            env.get("MAILBOX_SMTP_HOST") or "127.0.0.1",
            int(env.get("MAILBOX_SMTP_PORT") or 1025),
            int(env.get("MAILBOX_MAX_MESSAGES") or 500),
        )
