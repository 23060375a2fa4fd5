"""Auth hooks: HOOK_<NAME>_ENABLED, _URI and _SECRETS."""

import re
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, model_validator

from emulator.auth.conf.values import GoBool, GoTrueSettings

HOOKS = (
    "CUSTOM_ACCESS_TOKEN", "SEND_EMAIL", "SEND_SMS", "MFA_VERIFICATION_ATTEMPT", "PASSWORD_VERIFICATION_ATTEMPT",
    "BEFORE_USER_CREATED", "AFTER_USER_CREATED",
)  # fmt: skip
_FUNCTION_URI = re.compile(r"pg-functions://[^/]*/[A-Za-z_][A-Za-z0-9_$]{0,62}/[A-Za-z_][A-Za-z0-9_$]{0,62}")
_SECRET = re.compile(r"v1,whsec_[A-Za-z0-9+/]{32,}={0,2}")
# Hosts that a hook may have without TLS.
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1", "host.docker.internal")


def _secrets(value: object) -> object:
    return tuple(filter(None, value.split("|"))) if isinstance(value, str) else value


class HookSettings(GoTrueSettings):
    """One hook: `pg-functions://<any>/<schema>/<function>`, or a URL with the secrets that sign its requests."""

    enabled: GoBool = False
    uri: str = ""
    secrets: Annotated[tuple[str, ...], BeforeValidator(_secrets), Field(repr=False)] = ()

    @model_validator(mode="after")
    def _is_usable(self) -> "HookSettings":
        if not self.enabled or _FUNCTION_URI.fullmatch(self.uri):
            return self
        url = urlsplit(self.uri)
        if not (url.scheme == "https" and url.hostname or url.scheme == "http" and url.hostname in _LOCAL_HOSTS):
            forms = "pg-functions://<any>/<schema>/<function> or an https URL"
            raise ValueError(f"{self.prefix}URI must be {forms}, not {self.uri!r}")
        if not self.secrets or not all(_SECRET.fullmatch(secret) for secret in self.secrets):
            raise ValueError(f"{self.prefix}SECRETS must hold v1,whsec_<base64> of 24 bytes or more, separated by |")
        return self

    @property
    def is_function(self) -> bool:
        """Whether it is a function of the database."""
        return self.uri.startswith("pg-functions:")

    @property
    def function(self) -> tuple[str, str]:
        """Schema and name."""
        schema, name = self.uri.split("/")[-2:]
        return schema, name


def read_hooks(env: Mapping[str, str]) -> dict[str, HookSettings]:
    """The enabled hooks by their names in lower case; raises SettingsError for one that can't be called safely."""
    found = {}
    for name in HOOKS:
        start = f"{GoTrueSettings.prefix}HOOK_{name}_"
        if env.get(f"{start}ENABLED"):  # most stacks have none, and each class below takes a third of a millisecond
            found[name.lower()] = _read_hook(env, start)
    return {name: hook for name, hook in found.items() if hook.enabled}


def _read_hook(env: Mapping[str, str], start: str) -> HookSettings:
    class NamedHook(HookSettings):
        prefix = start

    return NamedHook.from_env(env)
