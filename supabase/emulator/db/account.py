"""The unprivileged user of the machine that runs PostgreSQL, which refuses to run as root."""

import os
import pwd
import subprocess
from contextlib import suppress
from dataclasses import dataclass


class AccountError(Exception):
    """There is no user to run PostgreSQL as; the text is one line for a person."""


@dataclass(frozen=True)
class Account:
    """The unprivileged user that PostgreSQL runs as when we are root."""

    name: str
    uid: int
    gid: int


def unprivileged_account(wanted: str | None = None) -> Account | None:
    """The user that PostgreSQL runs as: None for our own when that is not root; else `wanted`, `muster` or `postgres`.

    Without any of them a user `muster` is created. Raises AccountError.
    """
    if os.geteuid() != 0:
        return None
    for name in [wanted] if wanted else ["muster", "postgres"]:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
    if wanted:
        raise AccountError(f"there is no user {wanted!r} to run PostgreSQL as")
    command = ["useradd", "--system", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"]
    done = subprocess.run([*command, "muster"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AccountError(
            f"PostgreSQL refuses to run as root, and no user could be made for it: {done.stderr.strip()}"
        )
    return unprivileged_account("muster")
