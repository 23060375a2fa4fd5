"""What a product adds to the one process: applications, routes to them, and how to ask for their health.

The emulator knows no product. The variable MUSTER_EXTENSION names one:

    MUSTER_EXTENSION=my_product.extension:EXTENSION

where `EXTENSION` is a value of the class below:

    def create_functions(host: Host) -> ASGIApp:
        return create_app(FunctionsSettings.from_env(host.env))

    EXTENSION = Extension(
        services={"functions": create_functions},
        routes=Path(__file__).with_name("routes.toml"),
        health_paths={"functions": "/functions/v1/healthz"},
        queues={"letters": "select from letters.queue where is_due"},
    )

A service is an ASGI application under the name that the routes call it by; its lifespan runs with the process. The name
`functions` has its route already (/functions/v1/*, supabase/config/routes.toml), any other needs rows of its own. They
are data, a file of the same columns, because the containers' gateway is rendered from them, too. The web application's
folder needs no extension: it is MUSTER_WEB_ROOT. Without the variable the emulator serves the API alone.

Commands of `./muster` are added in the same way: `muster_cli.extension`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from emulator.asgi.types import ASGIApp, Headers
from emulator.loading import LoadError, load_named
from emulator.settings import SettingsError


class Page(NamedTuple):
    """A document of the built web application, and the headers it is served with."""

    body: bytes
    headers: Headers


@dataclass(frozen=True)
class Host:
    """What the process gives a service that it makes: the variables, and the documents of the web application.

    `find_page` takes a URL path and returns None for one that has no document; it is cheap, and knows of a new build.
    """

    env: Mapping[str, str]
    find_page: Callable[[str], Page | None]


@dataclass(frozen=True)
class Extension:
    """One product. `services` are made in their order and may raise SettingsError; `health_paths` answer 200.

    `queues`: statements that find what a service works off without being asked, and has not finished, by the name that
    is said of it. A test waits until they find nothing (docs/test-control.md); a superuser runs them.
    """

    services: Mapping[str, Callable[[Host], ASGIApp]] = field(default_factory=dict)
    routes: Path | None = None
    health_paths: Mapping[str, str] = field(default_factory=dict)
    queues: Mapping[str, str] = field(default_factory=dict)


def load_extension(name: str) -> Extension:
    """The extension that MUSTER_EXTENSION names; an empty one for "". Raises SettingsError."""
    if not name:
        return Extension()
    try:
        return load_named(name, Extension)
    except LoadError as error:
        raise SettingsError(f"MUSTER_EXTENSION={error}") from error
