"""What the whole emulator reads beside the services' own variables. Read once, typed."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from emulator.gateway.apikey import ApiKeys


class SettingsError(Exception):
    """A variable is missing or unusable; the text names it."""


@dataclass(frozen=True)
class EmulatorSettings:
    """The gateway's part.

    `web_root` None serves no application. `mailbox` says whether mails land in this process; `mailbox_socket` is where
    the mailbox is served when several processes share a stack (one has it, the others hand requests on), and
    `numbers_dir` where they leave their numbers for each other.
    """

    host: str
    port: int
    site_url: str
    keys: ApiKeys
    web_root: Path | None
    mailbox: bool
    mailbox_socket: Path | None = None
    numbers_dir: Path | None = None

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> "EmulatorSettings":
        """Read MUSTER_*, SITE_URL, the four keys and MAILBOX_DIR. Raises SettingsError."""
        keys = ApiKeys(
            _required(env, "ANON_KEY"), _required(env, "SERVICE_ROLE_KEY"),
            env.get("PUBLISHABLE_KEY") or _required(env, "ANON_KEY"),
            env.get("SECRET_KEY") or _required(env, "SERVICE_ROLE_KEY"),
        )  # fmt: skip
        host, port = env.get("MUSTER_HOST") or "127.0.0.1", _port(env)
        web_root = env.get("MUSTER_WEB_ROOT")
        return cls(
            host, port, env.get("SITE_URL") or f"http://{host}:{port}", keys,
            Path(web_root) if web_root else None, bool(env.get("MAILBOX_DIR")),
            Path(env["MAILBOX_SOCKET"]) if env.get("MAILBOX_SOCKET") else None,
            Path(env["NUMBERS_DIR"]) if env.get("NUMBERS_DIR") else None,
        )  # fmt: skip


def _required(env: Mapping[str, str], name: str) -> str:
    value = env.get(name)
    if not value:
        raise SettingsError(f"{name} is not set")
    return value


def _port(env: Mapping[str, str]) -> int:
    value = env.get("MUSTER_PORT") or "54321"
    if not value.isdigit() or int(value) > 65535:
        raise SettingsError(f"MUSTER_PORT must be a port number, not {value!r}")
    return int(value)
