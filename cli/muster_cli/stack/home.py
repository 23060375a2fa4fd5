"""The state folder of one stack: secrets, the running process, data, mails and logs. Everything else is code."""

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex

from emulator.db.binaries import reachable_for_others
from emulator.locks import take
from muster_cli.output import UserError
from muster_cli.project.find import require
from muster_cli.stack.secrets import Secrets, load_or_generate, write_beside

ROOT_HOMES = Path("/var/lib/muster")
PROBE_S = 0.5
LONGEST_SOCKET_PATH = 90  # the kernel allows 107 bytes with PostgreSQL's file name in it


@dataclass(frozen=True)
class RunState:
    """What a running stack says of itself."""

    pid: int
    port: int
    database_port: int
    smtp_port: int
    url: str
    postgres: str
    started_at: str
    has_demo: bool = True
    has_mailbox: bool = True
    local_url: str = ""
    has_dashboard: bool = False

    @property
    def api(self) -> str:
        """The origin that programs on this machine use."""
        return self.local_url or f"http://127.0.0.1:{self.port}"


@dataclass(frozen=True)
class Home:
    """One stack's folder. Methods read and write below `path` only (as root, PostgreSQL's part may lie elsewhere)."""

    path: Path

    @property
    def state_file(self) -> Path:
        """Where the running process says of itself."""
        return self.path / "state.json"

    @property
    def mail(self) -> Path:
        """The local mailbox."""
        return self.path / "mail"

    @property
    def files(self) -> Path:
        """The objects of storage."""
        return self.path / "storage"

    @property
    def branches(self) -> Path:
        """The files and mails of branches, a folder each."""
        return self.path / "branches"

    @property
    def logs(self) -> Path:
        """Logs of the services and of PostgreSQL."""
        return self.path / "logs"

    def prepare(self) -> None:
        """Make the folder, for us alone. Raises UserError when it can't be written."""
        try:
            if not self.path.exists():
                self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
                (self.path / ".gitignore").write_text("*\n", "ascii")  # it may be in somebody's repository
            self.logs.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise UserError(f"the state folder {self.path} can't be created: {error.strerror}") from error

    def secrets(self) -> Secrets:
        """The stack's secrets, made at first use."""
        return load_or_generate(self.path / "secrets.json")

    def write_secrets(self, secrets: Secrets) -> None:
        """Replace the stack's secrets."""
        file = self.path / "secrets.json"
        write_beside(file, secrets).rename(file)

    def postgres_folder(self, *, unprivileged: bool) -> Path:
        """PostgreSQL's data folder: here, or under /var/lib/muster when its own user can't enter this one (root).

        A note in the home names the place.
        """
        if not unprivileged:
            return self.path / "postgres"
        note = self.path / "postgres-lies-in"
        if note.exists():
            return Path(note.read_text("utf8").strip())
        # Random, not derived from the path: a home that is removed and created again has new secrets, which do not
        # match the old data.
        folder = ROOT_HOMES / f"{self.path.name.lstrip('.') or 'home'}-{token_hex(6)}"
        folder.mkdir(parents=True, exist_ok=True)
        for step in (ROOT_HOMES, folder):
            step.chmod(0o755)
        if not reachable_for_others(folder):
            raise UserError(
                f"{folder} can't be reached by the user that runs PostgreSQL: make /var/lib searchable for others"
                " (chmod o+x)"
            )
        note.write_text(f"{folder}\n", "utf8")
        return folder

    def data_folder(self) -> Path | None:
        """Where PostgreSQL's data are; None when there are none yet. Makes nothing."""
        note = self.path / "postgres-lies-in"
        with suppress(OSError, ValueError):
            return Path(note.read_text("utf8").strip()) / "data"
        data = self.path / "postgres" / "data"
        return data if data.exists() else None

    def socket_folder(self, data_parent: Path) -> Path:
        """A folder of mode 0700 for PostgreSQL's socket, short enough for the kernel."""
        here = data_parent / "socket"
        if len(os.fsencode(here)) <= LONGEST_SOCKET_PATH:
            return here
        return Path(tempfile.gettempdir()) / f"muster-{os.geteuid()}-{self._digest()}"

    def run_folder(self) -> Path:
        """A folder for the sockets between the processes of a stack, short enough for the kernel."""
        here = self.path / "run"
        if len(os.fsencode(here)) > LONGEST_SOCKET_PATH:
            here = Path(tempfile.gettempdir()) / f"muster-{os.geteuid()}-{self._digest()}-run"
        here.mkdir(exist_ok=True, mode=0o700)
        return here

    def control_socket(self) -> Path:
        """Where a running stack is asked for branches."""
        return self.run_folder() / "control.sock"

    def running(self, patience_s: float = 0) -> RunState | None:
        """The running stack of this home; None when there is none (a stale file is no stack).

        `patience_s`: how long one may take to end that was killed a moment ago.
        """
        with suppress(OSError, ValueError, TypeError):
            state = RunState(**json.loads(self.state_file.read_text("utf8")))
            if self.is_held(patience_s):
                return state
        return None

    def write_state(self, state: RunState) -> None:
        """Say that this process runs the stack."""
        partial = self.state_file.with_suffix(".partial")
        partial.write_text(json.dumps(asdict(state), indent=2), "utf8")
        partial.rename(self.state_file)

    def clear_state(self) -> None:
        """Say that nothing runs any more."""
        self.state_file.unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the home for one running stack; the kernel lets go when the process dies. Raises UserError."""
        with (self.path / "lock").open("a+") as handle:
            if not take(handle.fileno(), PROBE_S):
                raise UserError(f"the stack in {self.path} is already running: ./muster status, ./muster down")
            handle.truncate(0)
            handle.write(f"{os.getpid()}\n")
            handle.flush()
            yield

    def holder(self) -> int | None:
        """The process that holds the home, also while it starts or when its state file is damaged; None: nobody."""
        if not self.is_held():
            return None
        with suppress(OSError, ValueError):
            return int((self.path / "lock").read_text("ascii"))
        return None

    def is_held(self, patience_s: float = 0) -> bool:
        """Whether a process holds the home: from before its stack serves until after everything has stopped."""
        try:
            with (self.path / "lock").open("a") as handle:
                return not take(handle.fileno(), patience_s)
        except OSError:
            return False

    def _digest(self) -> str:
        return hashlib.sha256(os.fsencode(self.path)).hexdigest()[:12]


def find_home(wanted: Path | None) -> Home:
    """The home of --home or MUSTER_HOME, else the project's own. Raises UserError where there is no project."""
    return Home((wanted or require().home).expanduser().resolve())
