"""The project's functions, as one application: the general runtime over functions/, with what they need."""

from contextlib import AbstractAsyncContextManager

from starlette.applications import Starlette

from muster_functions.blog.shell import ShellSource
from muster_functions.runtime.app import create_app as create_runtime
from muster_functions.runtime.registry import Registry
from muster_functions.services import Services
from muster_functions.settings import OWN_FUNCTIONS, FunctionsSettings


def create_app(settings: FunctionsSettings, shell: ShellSource | None = None) -> Starlette:
    """The service. Startup never waits for the database or the mail server.

    `shell` gives the application's document; without it, it is fetched from `settings.web_url`.
    """
    services = Services(settings, shell)
    is_ours = settings.functions_dir == OWN_FUNCTIONS
    registry = Registry(
        settings.functions_dir,
        package="muster_functions.functions" if is_ours else None,
        provided={"services": services, "database": services.database},
    )

    def running() -> AbstractAsyncContextManager[None]:
        return services.running()

    return create_runtime(settings, registry, running)
