"""The variables of a branch's services: the stack's, with the branch's database, addresses, folders and mailbox. Pure.

What is replaced is found by its value where many variables say the same, so that what an extension declares is found,
too: every URL of the stack's own database, and every URL of an API at the stack's own origin.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlsplit, urlunsplit

from emulator.branches.names import PREFIX

# Below these paths of the stack's origin are services. Any other URL there is a page.
_APIS = ("/auth/v1", "/functions/v1", "/realtime/v1", "/rest/v1", "/storage/v1")
# The database's pools: a test asks one thing after the other, and all branches share the server's connections.
_POOLS = {"PGRST_DB_POOL": "3", "GOTRUE_DB_MAX_POOL_SIZE": "2", "DATABASE_MAX_CONNECTIONS": "2"}
# Of the stack's processes and of its own mail server; a branch mails to its mailbox alone.
_LEFT_OUT = frozenset(
    {
        "BUS_DIR", "METRICS_DIR", "MAILBOX_SOCKET", "FUNCTIONS_SERVE_SOCKET", "MUSTER_BRANCHES_FOLDER",
        *(f"{prefix}SMTP_{name}" for prefix in ("", "GOTRUE_") for name in ("USER", "PASS", "TLS", "CA_FILE")),
    }
)  # fmt: skip
# Templates of mails are the same for all, and one cache of them is enough.
_KEPT = "GOTRUE_MAILER_TEMPLATES_"


@dataclass(frozen=True)
class Place:
    """Where a branch is: its database, its folder, and the socket (a file descriptor) where its mails arrive."""

    name: str
    database: str
    folder: str
    smtp_fd: int
    smtp_port: int

    @property
    def path(self) -> str:
        """What comes before every path of the branch."""
        return f"{PREFIX}{self.name}"


def branch_environment(env: Mapping[str, str], place: Place) -> dict[str, str]:
    """Everything that the services of a branch read. `env` is the stack's own."""
    moved = {name: _moved(name, value, env, place) for name, value in env.items() if name not in _LEFT_OUT}
    mail = {"SMTP_HOST": "127.0.0.1", "SMTP_PORT": str(place.smtp_port), "SMTP_TLS": "none"}
    files = f"{place.folder}/storage"
    return {
        **moved,
        **_POOLS,
        **mail,
        **{f"GOTRUE_{name}": value for name, value in mail.items()},
        "DB_NAME": place.database,
        "STORAGE_FILE_BACKEND_PATH": files,
        "FILE_STORAGE_BACKEND_PATH": files,
        "MAILBOX_DIR": f"{place.folder}/mail",
        "MAILBOX_SMTP_HOST": mail["SMTP_HOST"],
        "MAILBOX_SMTP_PORT": mail["SMTP_PORT"],
        "MAILBOX_SMTP_FD": str(place.smtp_fd),
        "MUSTER_PATH": place.path,
        "SITE_URL": moved.get("SITE_URL") or own_page(env, place.name),
    }


def api_url(env: Mapping[str, str], name: str) -> str:
    """Where clients reach a branch."""
    return f"{_origin(env)}{PREFIX}{name}"


def describe_branch(env: Mapping[str, str], name: str, database: str) -> dict[str, str]:
    """The addresses of a branch. The keys are the stack's."""
    url, host = api_url(env, name), env.get("DB_HOST", "localhost")
    where = f"{'127.0.0.1' if host.startswith('/') else host}:{env.get('DB_PORT', '5432')}"
    return {
        "url": url,
        "site_url": own_page(env, name),
        "mail_url": f"{url}/mail",
        "database": database,
        "database_url": f"postgresql://postgres:{quote(env.get('DB_PASSWORD', ''), safe='')}@{where}/{quote(database)}",
    }


def own_page(env: Mapping[str, str], name: str) -> str:
    """The origin of a branch's pages, which are at the root of a host of their own."""
    port = urlsplit(_origin(env)).port
    return f"http://{name}.localhost" + (f":{port}" if port else "")


def _origin(env: Mapping[str, str]) -> str:
    """The stack's own origin: of the API, which the API's description names."""
    parts = urlsplit(env.get("PGRST_OPENAPI_SERVER_PROXY_URI") or f"http://127.0.0.1:{env.get('MUSTER_PORT', '')}")
    return f"{parts.scheme}://{parts.netloc}"


def _moved(name: str, value: str, env: Mapping[str, str], place: Place) -> str:
    if name.startswith(_KEPT) or name.startswith("PGRST_APP_SETTINGS_"):
        return value
    if value.startswith(("postgresql://", "postgres://")):
        return _moved_database(value, env.get("DB_NAME", "postgres"), place.database)
    if name.startswith("GOTRUE_MAILER_URLPATHS_") and value.startswith("/"):
        return place.path + value
    if name == "SUPABASE_URL":
        return _below(value, place.path)
    if name in ("SITE_URL", "GOTRUE_SITE_URL") and value.rstrip("/") == _origin(env):
        return own_page(env, place.name)
    if name == "GOTRUE_URI_ALLOW_LIST":
        return ",".join(part for part in (value, f"{own_page(env, place.name)}/**") if part)
    parts = urlsplit(value) if value.startswith(("http://", "https://")) else None
    if parts is not None and parts.netloc == urlsplit(_origin(env)).netloc and parts.path.startswith(_APIS):
        return _below(value, place.path)
    return value


def _moved_database(url: str, own: str, database: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"/{quote(database)}")) if parts.path == f"/{own}" else url


def _below(url: str, path: str) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=path + parts.path.rstrip("/")))
