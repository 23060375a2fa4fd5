"""The REST service's configuration, from PGRST_* variables and from the database. Pure.

`from_env` takes any mapping: the process's environment, or one that `muster up` built. Settings in the database win.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from emulator.settings import SettingsError

DEFAULT_HOISTED = ("statement_timeout", "plan_filter.statement_cost_limit", "default_transaction_isolation")
_FORBIDDEN_SCHEMAS = frozenset({"pg_catalog", "information_schema"})
_ALIASES = {
    "MAX_ROWS": "DB_MAX_ROWS",
    "DB_POOL_TIMEOUT": "DB_POOL_MAX_IDLETIME",
    "PRE_REQUEST": "DB_PRE_REQUEST",
    "ROLE_CLAIM_KEY": "JWT_ROLE_CLAIM_KEY",
    "ROOT_SPEC": "DB_ROOT_SPEC",
    "SECRET_IS_BASE64": "JWT_SECRET_IS_BASE64",
    "DB_SCHEMA": "DB_SCHEMAS",
    "SERVER_PROXY_URI": "OPENAPI_SERVER_PROXY_URI",
}
_NAMED_HOSTS = {"!4": "0.0.0.0", "*4": "0.0.0.0", "*": "0.0.0.0", "!6": "::", "*6": "::"}

TxEnd = Literal["commit", "commit-allow-override", "rollback", "rollback-allow-override"]


# Which settings the database may override.
IN_DATABASE_SETTINGS = (
    "client_error_verbosity",
    "db_aggregates_enabled",
    "db_anon_role",
    "db_extra_search_path",
    "db_hoisted_tx_settings",
    "db_max_rows",
    "db_plan_enabled",
    "db_pre_request",
    "db_prepared_statements",
    "db_root_spec",
    "db_schemas",
    "db_tx_end",
    "jwt_aud",
    "jwt_role_claim_key",
    "jwt_secret",
    "jwt_secret_is_base64",
    "openapi_mode",
    "openapi_security_active",
    "openapi_server_proxy_uri",
    "server_timing_enabled",
    "server_trace_header",
    "url_use_legacy_target_names",
)


@dataclass(frozen=True)
class RestSettings:
    """Everything a REST service is told. Names are the dialect's, with units added."""

    db_uri: str = "postgresql://"
    db_schemas: tuple[str, ...] = ("public",)
    db_extra_search_path: tuple[str, ...] = ("public",)
    db_anon_role: str | None = None
    db_aggregates_enabled: bool = False
    db_channel: str = "pgrst"
    db_channel_enabled: bool = True
    db_config: bool = True
    db_pre_config: str | None = None
    db_hoisted_tx_settings: tuple[str, ...] = DEFAULT_HOISTED
    db_max_rows: int | None = None
    db_plan_enabled: bool = False
    db_pool: int = 10
    db_pool_acquisition_timeout_s: float = 10.0
    db_pool_max_idletime_s: float = 30.0
    db_pool_max_lifetime_s: float = 1800.0
    db_pool_automatic_recovery: bool = True
    db_pre_request: str | None = None
    db_prepared_statements: bool = True
    db_root_spec: str | None = None
    db_tx_end: TxEnd = "commit"
    jwt_aud: str | None = None
    jwt_role_claim_key: str = "$.role"
    jwt_secret: bytes | None = None
    jwt_cache_max_entries: int = 1000
    client_error_verbosity: Literal["verbose", "minimal"] = "verbose"
    log_level: str = "error"
    openapi_mode: Literal["follow-privileges", "ignore-privileges", "disabled"] = "follow-privileges"
    openapi_security_active: bool = False
    openapi_server_proxy_uri: str | None = None
    server_cors_allowed_origins: tuple[str, ...] | None = None
    server_host: str = "0.0.0.0"
    server_port: int = 3000
    server_trace_header: str | None = None
    server_timing_enabled: bool = False
    admin_server_host: str = "0.0.0.0"
    admin_server_port: int | None = None
    url_use_legacy_target_names: bool = True
    app_settings: tuple[tuple[str, str], ...] = ()
    variables: tuple[tuple[str, str], ...] = ()

    @classmethod
    def from_env(cls, env: Mapping[str, str], database: Mapping[str, str] | None = None) -> "RestSettings":
        """Read PGRST_* variables; `database` holds overrides by their lower-case names. Raises SettingsError."""
        found = {name[6:]: value for name, value in env.items() if name.startswith("PGRST_")}
        variables = tuple(sorted((f"PGRST_{name}", value) for name, value in found.items()))
        values = {_ALIASES.get(name, name): value for name, value in found.items()}
        values.update({name.upper(): value for name, value in (database or {}).items()})
        return _Reader(values).read(variables)

    def overridden(self, database: Mapping[str, str]) -> "RestSettings":
        """Return these settings with those kept in the database on top."""
        return RestSettings.from_env(dict(self.variables), database)

    @property
    def rolls_back(self) -> bool:
        """Whether a transaction is undone when the client says nothing."""
        return self.db_tx_end.startswith("rollback")

    @property
    def tx_override_allowed(self) -> bool:
        """Whether Prefer: tx=... is obeyed."""
        return self.db_tx_end.endswith("allow-override")


class _Reader:
    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def read(self, variables: tuple[tuple[str, str], ...]) -> RestSettings:
        host = self._host("SERVER_HOST", "!4")
        return RestSettings(
            variables=variables,
            db_uri=self._values.get("DB_URI", "postgresql://"),
            db_schemas=self._schemas(),
            db_extra_search_path=self._list("DB_EXTRA_SEARCH_PATH", ("public",)),
            db_anon_role=self._text("DB_ANON_ROLE"),
            db_aggregates_enabled=self._flag("DB_AGGREGATES_ENABLED", False),
            db_channel=self._text("DB_CHANNEL") or "pgrst",
            db_channel_enabled=self._flag("DB_CHANNEL_ENABLED", True),
            db_config=self._flag("DB_CONFIG", True),
            db_pre_config=self._text("DB_PRE_CONFIG"),
            db_hoisted_tx_settings=self._list("DB_HOISTED_TX_SETTINGS", DEFAULT_HOISTED),
            db_max_rows=self._number("DB_MAX_ROWS"),
            db_plan_enabled=self._flag("DB_PLAN_ENABLED", False),
            db_pool=max(self._number("DB_POOL") or 10, 1),
            db_pool_acquisition_timeout_s=float(self._number("DB_POOL_ACQUISITION_TIMEOUT") or 10),
            db_pool_max_idletime_s=float(self._number("DB_POOL_MAX_IDLETIME") or 30),
            db_pool_max_lifetime_s=float(self._number("DB_POOL_MAX_LIFETIME") or 1800),
            db_pool_automatic_recovery=self._flag("DB_POOL_AUTOMATIC_RECOVERY", True),
            db_pre_request=self._text("DB_PRE_REQUEST"),
            db_prepared_statements=self._flag("DB_PREPARED_STATEMENTS", True),
            db_root_spec=self._text("DB_ROOT_SPEC"),
            db_tx_end=self._tx_end(),
            jwt_aud=self._text("JWT_AUD"),
            jwt_role_claim_key=self._text("JWT_ROLE_CLAIM_KEY") or "$.role",
            jwt_secret=self._secret(),
            jwt_cache_max_entries=self._cache_entries(),
            client_error_verbosity="minimal" if self._text("CLIENT_ERROR_VERBOSITY") == "minimal" else "verbose",
            log_level=self._text("LOG_LEVEL") or "error",
            openapi_mode=self._openapi_mode(),
            openapi_security_active=self._flag("OPENAPI_SECURITY_ACTIVE", False),
            openapi_server_proxy_uri=self._text("OPENAPI_SERVER_PROXY_URI"),
            server_cors_allowed_origins=self._list("SERVER_CORS_ALLOWED_ORIGINS", ()) or None,
            server_host=host,
            server_port=self._number("SERVER_PORT") or 3000,
            server_trace_header=self._text("SERVER_TRACE_HEADER"),
            server_timing_enabled=self._flag("SERVER_TIMING_ENABLED", False),
            admin_server_host=self._host("ADMIN_SERVER_HOST", host),
            admin_server_port=self._number("ADMIN_SERVER_PORT"),
            url_use_legacy_target_names=self._flag("URL_USE_LEGACY_TARGET_NAMES", True),
            app_settings=tuple(
                (f"app.settings.{name[len('APP_SETTINGS_') :]}", value)
                for name, value in self._values.items()
                if name.startswith("APP_SETTINGS_")
            ),
        )

    def _text(self, name: str) -> str | None:
        return self._values.get(name) or None

    def _flag(self, name: str, default: bool) -> bool:
        text = self._values.get(name, "").strip().lower()
        if text in ("true", "yes", "on", "1", "t"):
            return True
        return False if text in ("false", "no", "off", "0", "f") else default

    def _number(self, name: str) -> int | None:
        text = self._values.get(name, "").strip()
        if not text:
            return None
        if not text.lstrip("-").isdigit():
            raise SettingsError(f"PGRST_{name} must be a whole number, not {text!r}")
        return int(text)

    def _list(self, name: str, default: tuple[str, ...]) -> tuple[str, ...]:
        if name not in self._values:
            return default
        return tuple(part.strip() for part in self._values[name].split(",") if part.strip())

    def _schemas(self) -> tuple[str, ...]:
        schemas = self._list("DB_SCHEMAS", ("public",)) or ("public",)
        forbidden = _FORBIDDEN_SCHEMAS.intersection(schemas)
        if forbidden:
            raise SettingsError(f"PGRST_DB_SCHEMAS must not expose {', '.join(sorted(forbidden))}")
        return schemas

    def _host(self, name: str, default: str) -> str:
        text = self._text(name) or default
        return _NAMED_HOSTS.get(text, text)

    def _tx_end(self) -> TxEnd:
        text = self._text("DB_TX_END") or "commit"
        for known in ("commit", "commit-allow-override", "rollback", "rollback-allow-override"):
            if text == known:
                return known
        raise SettingsError(f"PGRST_DB_TX_END must be commit or rollback, perhaps -allow-override, not {text!r}")

    def _openapi_mode(self) -> Literal["follow-privileges", "ignore-privileges", "disabled"]:
        text = self._text("OPENAPI_MODE") or "follow-privileges"
        for known in ("follow-privileges", "ignore-privileges", "disabled"):
            if text == known:
                return known
        raise SettingsError(f"PGRST_OPENAPI_MODE is unknown: {text!r}")

    def _cache_entries(self) -> int:
        number = self._number("JWT_CACHE_MAX_ENTRIES")
        return 1000 if number is None else max(number, 0)

    def _secret(self) -> bytes | None:
        text = self._text("JWT_SECRET")
        if text is None:
            return None
        if text.startswith("@"):
            text = Path(text[1:]).read_text(encoding="utf-8").strip()
        if self._flag("JWT_SECRET_IS_BASE64", False):
            padded = text.strip().replace("-", "+").replace("_", "/").replace(".", "=")
            try:
                return base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True)
            except binascii.Error as error:
                raise SettingsError("PGRST_JWT_SECRET is no base64") from error
        secret = text.encode()
        if not text.lstrip().startswith("{") and len(secret) < 32:
            raise SettingsError("PGRST_JWT_SECRET must be at least 32 characters long")
        return secret


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """ALTER ROLE ... SET of a role that the service may switch to; SET ROLE alone would not apply them."""

    settings: tuple[tuple[str, str], ...] = ()
    isolation: str | None = None
