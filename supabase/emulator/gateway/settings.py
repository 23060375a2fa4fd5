"""What the gateway reads beside the services' own variables."""

from functools import cached_property
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BeforeValidator

from emulator.addresses import Networks
from emulator.gateway.apikey import ApiKeys
from emulator.settings import CommaList, Port, Settings, Variable


def _networks(text: object) -> Networks:
    try:
        return Networks.parse(str(text))
    except ValueError as error:
        raise ValueError(f"must be addresses and networks, separated by commas: {error}") from error


class GatewaySettings(Settings):
    """Without `web_root` no application is served, without `mailbox_dir` no mail is kept in this process.

    Where several processes share a stack, one keeps the mails and serves them to the others on `mailbox_socket`, and
    all leave their metrics for each other in `metrics_dir`. `extension` names what a product adds. Without
    `checks_keys` a request needs no API key, as behind the official CLI's local gateway: the services decide. The
    services that `without` names are not served. `dashboard` shows what goes on inside, for development. The
    application subscribes browsers to web push with `vapid_public_key`.
    """

    anon_key: str
    service_role_key: str
    publishable_key: str = ""
    secret_key: str = ""
    vapid_public_key: str = ""
    host: Annotated[str, Variable("MUSTER_HOST")] = "127.0.0.1"
    port: Annotated[Port, Variable("MUSTER_PORT")] = 54321
    site: Annotated[str, Variable("SITE_URL")] = ""
    web_root: Annotated[Path | None, Variable("MUSTER_WEB_ROOT")] = None
    mailbox_dir: Path | None = None
    mailbox_socket: Path | None = None
    metrics_dir: Path | None = None
    dashboard: Annotated[bool, Variable("MUSTER_DASHBOARD")] = False
    extension: Annotated[str, Variable("MUSTER_EXTENSION")] = ""
    without: Annotated[CommaList, Variable("MUSTER_WITHOUT")] = ()
    checks_keys: Annotated[bool, Variable("MUSTER_CHECK_KEYS")] = True
    trusted_proxies: Annotated[Networks, BeforeValidator(_networks), Variable("MUSTER_TRUSTED_PROXY")] = Networks()

    @cached_property
    def keys(self) -> ApiKeys:
        """The four keys of the stack; one without an opaque twin stands for itself."""
        anon, service_role = self.anon_key, self.service_role_key
        return ApiKeys(anon, service_role, self.publishable_key or anon, self.secret_key or service_role)

    @property
    def site_url(self) -> str:
        """Where people reach the application."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.site or f"http://{host}:{self.port}"

    @property
    def own_names(self) -> frozenset[str]:
        """The hosts that people reach the stack by."""
        return frozenset({self.host.lower(), (urlsplit(self.site_url).hostname or "").lower()} - {""})
