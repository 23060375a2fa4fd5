"""A REST service on a free port, in a thread."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from emulator.rest.app import RestApp, create_app
from emulator.rest.settings import RestSettings
from tests.support.serving import serving


@contextmanager
def rest_server(env: Mapping[str, str]) -> Iterator[tuple[int, RestApp]]:
    """Serve with these PGRST_* variables; yields the port and the application."""
    app = create_app(RestSettings.from_env(env))
    with serving(app) as port:
        yield port, app
