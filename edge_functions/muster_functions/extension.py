"""What this project adds to the emulator's process: its functions, and the pages of the site that they make."""

from pathlib import Path

from emulator.asgi.types import ASGIApp
from emulator.extension import Extension, Host
from muster_functions.app import create_app
from muster_functions.blog.shell import Shell, forwarded_headers
from muster_functions.mailer import queue as mail_queue
from muster_functions.push import queue as push_queue
from muster_functions.settings import FunctionsSettings


def create_functions(host: Host) -> ASGIApp:
    """The functions, reading the application's documents from the site of the same process."""

    async def shell(path: str) -> Shell | None:
        page = host.find_page(path)
        if page is None:
            return None
        return Shell(page.body, forwarded_headers({name.decode(): value.decode() for name, value in page.headers}))

    return create_app(FunctionsSettings.from_env(host.env), shell)


EXTENSION = Extension(
    services={"functions": create_functions},
    routes=Path(__file__).with_name("routes.toml"),
    health_paths={"functions": "/functions/v1/healthz"},
    queues={"mails": mail_queue.UNFINISHED, "pushes": push_queue.UNFINISHED},
)
