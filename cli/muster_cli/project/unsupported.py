"""What a project may ask for and does not get here, said in one line at the start."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from muster_cli.project.config import ProjectConfig
from muster_cli.project.derive import DATABASE_SETTINGS
from muster_cli.project.derive_auth import sms_provider

SUPPORTED_MAJOR = 17

# Key, and whether the configuration asks for it. What is on by default is named only where the file has the section.
_ABSENT: Mapping[str, Callable[[ProjectConfig], bool]] = {
    "api.tls": lambda config: config.api.tls.enabled,
    "db.pooler": lambda config: config.db.pooler.enabled,
    "db.orioledb_version": lambda config: bool(config.db.orioledb_version or config.experimental.orioledb_version),
    "studio": lambda config: config.studio.enabled,
    "analytics": lambda config: config.analytics.enabled,
    "storage.vector": lambda config: config.storage.vector.enabled,
    "storage.analytics": lambda config: config.storage.analytics.enabled,
    "local_smtp.pop3_port": lambda config: config.mailbox.pop3_port is not None,
}


def unsupported_keys(config: ProjectConfig, tables: Mapping[str, Any]) -> Iterator[str]:
    """At most three lines. `tables` is the file: what is on by default and not written there is not mentioned."""
    unknown = [f"db.settings.{name}" for name in config.db.settings if name not in DATABASE_SETTINGS]
    absent = unknown + [key for key, asked in _ABSENT.items() if key.split(".")[0] in tables and asked(config)]
    if absent:
        yield f"not supported here and without effect: {', '.join(absent)}"
    major = config.db.major_version
    if major not in (13, 14, 15, SUPPORTED_MAJOR):
        yield f"db.major_version = {major} is unknown; the database is PostgreSQL {SUPPORTED_MAJOR}"
    elif major != SUPPORTED_MAJOR:
        yield f"db.major_version = {major}: the database is PostgreSQL {SUPPORTED_MAJOR}"
    if config.auth.sms.enabled and sms_provider(config.auth) is None:
        yield "no SMS provider is enabled. Disabling phone login"
