"""docker-compose.yml without Docker: read as compose reads it, and its services started as plain processes.

Each service gets exactly the environment that the file gives its container. Only addresses differ: a container's name
and port become a free port of 127.0.0.1. The emulator's services stand in for the images; Caddy is the real one.
"""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import yaml
from aiosmtpd.controller import Controller
from psycopg import sql

from emulator.db.bootstrap import apply_bootstrap
from emulator.db.cluster import SUPERUSER, Cluster
from emulator.paths import CHECKOUT
from emulator.schemas import migrate_services
from muster_cli.stack.compose import Choices, make_env
from tests.support.commands import Started, run, start
from tests.support.postgres import free_port, make_cluster
from tests.support.stack import answers, keep_in_memory, wait_until

COMPOSE_FILE = CHECKOUT / "docker-compose.yml"
CONTAINERS = CHECKOUT / "supabase" / "containers"
# Where each container listens, by name and port inside the network.
LISTENERS = {
    "db": 5432, "auth": 9999, "rest": 3000, "realtime": 4000, "storage": 5000, "functions": 9000, "web": 8080,
    "gateway": 8000, "mailpit": 1025,
}  # fmt: skip
MODULES = {
    "auth": "emulator.auth", "realtime": "emulator.realtime", "rest": "emulator.rest", "storage": "emulator.storage",
    "functions": "muster_functions",
}  # fmt: skip
HEALTH = {"auth": "/health", "realtime": "/ready", "rest": "/", "storage": "/status", "functions": "/healthz"}
PORT_NAMES = {
    "auth": ("GOTRUE_API_PORT",), "realtime": ("PORT",), "rest": ("PGRST_SERVER_PORT",),
    "storage": ("SERVER_PORT",), "functions": ("PORT",),
}  # fmt: skip
# Ports used only by Prometheus and health checks, by the variable that names them.
INNER_PORTS = {"PGRST_ADMIN_SERVER_PORT": "rest-admin", "OTEL_EXPORTER_PROMETHEUS_PORT": "auth-metrics"}
_VARIABLE = re.compile(r"\$\$|\$\{(?P<name>[A-Z_]+)(?::(?P<kind>[-?])(?P<word>[^}]*))?\}")


def find_caddy() -> str | None:
    """The gateway's binary: MUSTER_CADDY, or from the PATH."""
    return os.environ.get("MUSTER_CADDY") or shutil.which("caddy")


def interpolate(text: str, env: Mapping[str, str]) -> str:
    """Substitute a compose file's variables as compose does. Raises KeyError for a required one that is empty."""

    def value(match: re.Match[str]) -> str:
        if match[0] == "$$":
            return "$"
        found = env.get(match["name"], "")
        if match["kind"] == "?" and not found:
            raise KeyError(match["name"])
        return found or (match["word"] if match["kind"] == "-" else "")

    return _VARIABLE.sub(value, text)


def load_compose(env: Mapping[str, str], file: Path = COMPOSE_FILE) -> dict[str, Any]:
    """The compose file as data, with every variable replaced."""
    raw = yaml.safe_load(file.read_text("utf8"))

    def walk(value: Any) -> Any:
        if isinstance(value, str):
            return interpolate(value, env)
        if isinstance(value, list):
            return [walk(item) for item in value]
        return {key: walk(item) for key, item in value.items()} if isinstance(value, dict) else value

    loaded: dict[str, Any] = walk(raw)
    return loaded


class Sink:
    """An SMTP server that keeps the mails it receives."""

    def __init__(self) -> None:
        self.mails: list[tuple[list[str], str]] = []

    async def handle_DATA(self, _server: object, _session: object, envelope: Any) -> str:
        """aiosmtpd's hook."""
        self.mails.append((envelope.rcpt_tos, envelope.content.decode("utf8", "replace")))
        return "250 OK"


@dataclass(frozen=True)
class Process:
    """A container's stand-in, and what it writes."""

    process: "subprocess.Popen[bytes] | Started"
    log: Path


@dataclass
class Wired:
    """The stack of docker-compose.yml as processes."""

    env: dict[str, str]
    ports: dict[str, int]
    sink: Sink = field(default_factory=Sink)
    processes: dict[str, Process] = field(default_factory=dict)

    @property
    def url(self) -> str:
        """The gateway's origin."""
        return f"http://127.0.0.1:{self.ports['gateway']}"

    def database_url(self, user: str) -> str:
        """The database as a role."""
        return f"postgresql://{user}:{self.env['POSTGRES_PASSWORD']}@127.0.0.1:{self.ports['db']}/postgres"

    def environment(self, service: str) -> dict[str, str]:
        """The container's environment from the compose file, with local addresses instead of the network's."""
        given = load_compose(self.env)["services"][service]["environment"]
        found = {name: self.addressed(str(value)) for name, value in given.items()}
        for name in PORT_NAMES.get(service, ()):
            found[name] = str(self.ports[service])
        for host_name, port_name, target in (
            ("DB_HOST", "DB_PORT", "db"), ("PGHOST", "PGPORT", "db"),
            ("SMTP_HOST", "SMTP_PORT", "mailpit"), ("GOTRUE_SMTP_HOST", "GOTRUE_SMTP_PORT", "mailpit"),
        ):  # fmt: skip
            if given.get(host_name) == target:
                found |= {host_name: "127.0.0.1", port_name: str(self.ports[target])}
        for name, inner in INNER_PORTS.items():
            if name in found:
                found[name] = str(self.ports[inner])
        if "METRICS_ADDRESS" in found:
            found["METRICS_ADDRESS"] = f":{self.ports['gateway-metrics']}"
        return found

    def addressed(self, text: str) -> str:
        """Replaces container names and ports by local addresses."""
        for name, port in LISTENERS.items():
            text = re.sub(rf"(?<![\w.-]){name}:{port}\b", f"127.0.0.1:{self.ports[name]}", text)
        return text


@contextmanager
def wired_stack(
    folder: Path, web_root: Path, change: Callable[[dict[str, str]], None] = lambda _: None
) -> Iterator[Wired]:
    """Everything of docker-compose.yml running for a block, in the file's order."""
    ports = {name: free_port() for name in (*LISTENERS, *INNER_PORTS.values(), "gateway-metrics")}
    env = make_env(Choices(f"http://127.0.0.1:{ports['gateway']}"), int(time.time()))
    change(env)
    sink = Sink()
    with ExitStack() as stack:
        cluster = make_cluster(folder)
        stack.callback(cluster.stop)
        ports["db"] = cluster.port
        wired = Wired(env, ports, sink)
        prepare_database(wired, cluster)
        smtp = Controller(sink, hostname="127.0.0.1", port=ports["mailpit"])
        smtp.start()
        stack.callback(smtp.stop)
        stack.callback(stop_all, wired)
        for service in ("auth", "realtime"):
            start_service(wired, service, folder)
        migrated = migrate(wired)
        assert migrated.returncode == 0, migrated.stderr
        for service in ("rest", "functions"):
            start_service(wired, service, folder)
        start_service(wired, "storage", folder, STORAGE_FILE_BACKEND_PATH=str(folder / "storage"))  # the volume
        start_caddy(wired, "web.Caddyfile", {**wired.environment("web"), "WEB_ROOT": str(web_root)}, "web", folder)
        gateway = wired.environment("gateway") | {"SITE_ADDRESS": f":{ports['gateway']}"}
        start_caddy(wired, "Caddyfile", gateway, "gateway", folder)
        yield wired


def write_site(folder: Path) -> None:
    """A minimal built application for the gateway: its two documents, with the markers of web/index.html."""
    folder.mkdir()
    for name, drawn in (("index", "<p>Drawn beforehand</p>"), ("app", "")):
        (folder / f"{name}.html").write_text(
            "<!doctype html><html><head><!-- head --><title>Muster</title><!-- /head --></head>"
            f'<body><div id="root">{drawn}</div><noscript></noscript></body></html>'
        )


@dataclass(frozen=True)
class Small:
    """The service `emulator` of the compose file as a process."""

    url: str
    sink: Sink


@contextmanager
def small_stack(folder: Path) -> Iterator[Small]:
    """Everything in one, as the container of the profile `small` runs it, with its environment and nothing else."""
    port, smtp_port, sink, home = free_port(), free_port(), Sink(), keep_in_memory(folder / "state")
    env = make_env(Choices(f"http://127.0.0.1:{port}", smtp_host="127.0.0.1", smtp_port=smtp_port), int(time.time()))
    env["SMTP_TLS"] = "none"
    given = load_compose(env)["services"]["emulator"]["environment"]
    write_site(folder / "dist")
    own = {
        "PATH": os.environ["PATH"], "MUSTER_HOME": str(home), "MUSTER_PORT": str(port),
        "MUSTER_WEB_DIST": str(folder / "dist"), "MAIL_MAX_FREQUENCY": "1s",
    }  # fmt: skip
    smtp = Controller(sink, hostname="127.0.0.1", port=smtp_port)
    smtp.start()
    with (folder / "small.log").open("wb") as log:
        output = log.fileno()
        process = start("muster_cli", "up", "--no-seed", env={**given, **own}, stdout=output, stderr=output)
    try:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/healthz") or process.poll() is not None, 60)
        assert process.poll() is None, (folder / "small.log").read_text("utf8", "replace")
        yield Small(f"http://127.0.0.1:{port}", sink)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)
        smtp.stop()
        if (home / "postgres-lies-in").exists():
            shutil.rmtree((home / "postgres-lies-in").read_text("utf8").strip())


def prepare_database(wired: Wired, cluster: Cluster) -> None:
    """What the image and the services' own migrations bring (our bootstrap), then our init scripts by psql."""
    superuser = cluster.dsn()
    with psycopg.connect(superuser, autocommit=True) as connection:
        apply_bootstrap(connection, "not yet")
        migrate_services(connection)
    db = load_compose(wired.env)["services"]["db"]["environment"]
    for name in ("roles.sql", "jwt.sql", "realtime.sql"):
        ran = psql(superuser, db, "-f", str(CONTAINERS / "db" / name))
        assert ran.returncode == 0, ran.stderr
    with psycopg.connect(superuser, autocommit=True) as connection:
        for role in (SUPERUSER, "postgres"):  # the image's own work
            statement = sql.SQL("alter role {} password {}")
            connection.execute(statement.format(sql.Identifier(role), sql.Literal(wired.env["POSTGRES_PASSWORD"])))


def psql(dsn: str, env: Mapping[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    """psql with a container's environment."""
    command = ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", dsn, *arguments]
    own = {name: value for name, value in env.items() if not name.startswith(("POSTGRES_", "PGPORT", "PGDATABASE"))}
    environment = {"PATH": os.environ["PATH"], **own}
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)


def migrate(wired: Wired, **changes: str) -> "subprocess.CompletedProcess[str]":
    """The migrate job, as its container runs it."""
    environment = {
        "PATH": os.environ["PATH"], **wired.environment("migrate"), "WAIT_SLEEP": "0.1", **changes,
    }  # fmt: skip
    return run(module="emulator.db.migrate", env=environment)


def start_service(wired: Wired, service: str, folder: Path, **changes: str) -> None:
    """A container's stand-in: the emulator's service alone, with that container's environment and nothing else."""
    environment = {"PATH": os.environ["PATH"], **wired.environment(service), **changes}
    file = folder / f"{service}.log"
    with file.open("wb") as log:
        made = start(MODULES[service], env=environment, stdout=log.fileno(), stderr=log.fileno())
    wired.processes[service] = Process(made, file)
    wait_until(lambda: _alive(wired, service) and answers(f"http://127.0.0.1:{wired.ports[service]}{HEALTH[service]}"))


def start_caddy(wired: Wired, file: str, environment: Mapping[str, str], service: str, folder: Path) -> None:
    """Caddy with one of our files, its upstreams' and its own address changed to ours."""
    caddy = find_caddy()
    assert caddy is not None
    text = wired.addressed((CONTAINERS / file).read_text("utf8"))
    if service == "web":
        text = text.replace("\n:8080 {", f"\n:{wired.ports['web']} {{")
    own = folder / f"{service}.Caddyfile"
    own.write_text(text, "utf8")
    home = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder),
        "XDG_CONFIG_HOME": str(folder),
    }
    log = folder / f"{service}.log"
    command = [caddy, "run", "--config", str(own), "--adapter", "caddyfile"]
    with log.open("wb") as output:
        made = subprocess.Popen(
            command, env={**home, **environment}, cwd="/", stdin=subprocess.DEVNULL, stdout=output, stderr=output
        )
    wired.processes[service] = Process(made, log)
    wait_until(lambda: _alive(wired, service) and answers(f"http://127.0.0.1:{wired.ports[service]}/healthz"))


def _alive(wired: Wired, name: str) -> bool:
    running = wired.processes[name]
    assert running.process.poll() is None, running.log.read_text("utf8", "replace")
    return True


def stop_all(wired: Wired) -> None:
    """End every process, the last one first."""
    processes = [running.process for running in wired.processes.values()]
    for process in reversed(processes):
        process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
