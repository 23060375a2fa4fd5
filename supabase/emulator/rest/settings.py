"""The REST service's configuration, from PGRST_* variables and from the database. I/O only for a secret in a file.

Names and meanings are PostgREST's (its reference, "Configuration"), with units added. Settings in the database win.
"""

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, field_validator

from emulator.settings import CommaList, Settings, Variable

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
_MAY_BE_EMPTY = ("PGRST_DB_EXTRA_SEARCH_PATH", "PGRST_DB_HOISTED_TX_SETTINGS")
_IGNORED = ("DB_POOL_AUTOMATIC_RECOVERY", "LOG_LEVEL", "LOG_QUERY")
_APP_SETTINGS = "PGRST_APP_SETTINGS_"
_FORBIDDEN_SCHEMAS = frozenset({"pg_catalog", "information_schema"})
# Warp's names for addresses: IPv4, IPv6, any.
_HOSTS = {"!4": "0.0.0.0", "*4": "0.0.0.0", "*": "0.0.0.0", "!6": "::", "*6": "::"}
_MIN_SECRET_BYTES = 32


def _flag(default: bool) -> BeforeValidator:
    """A boolean as PostgREST reads it: what is neither true nor false is the default."""

    def read(value: object) -> object:
        text = str(value).strip().lower()
        if text in ("true", "yes", "on", "1", "t"):
            return True
        return False if text in ("false", "no", "off", "0", "f") else default

    return BeforeValidator(read)


def _or(default: int) -> AfterValidator:
    return AfterValidator(lambda number: number or default)


def _at_least(least: int) -> AfterValidator:
    return AfterValidator(lambda number: max(number, least))


def _verbosity(value: object) -> object:
    return "minimal" if value == "minimal" else "verbose"


def _admin_host(data: dict[str, Any]) -> str:
    return str(data["server_host"])


def _admin_socket_mode(data: dict[str, Any]) -> int:
    return int(data["server_unix_socket_mode"])


def _socket_mode(value: object) -> object:
    """The permissions of a socket, in octal."""
    if not isinstance(value, str):
        return value
    try:
        mode = int(value, 8)
    except ValueError as error:
        raise ValueError("must be an octal number") from error
    if not 0o600 <= mode <= 0o777:
        raise ValueError("must be between 600 and 777")
    return mode


SocketMode = Annotated[int, BeforeValidator(_socket_mode)]
On = Annotated[bool, _flag(True)]
Off = Annotated[bool, _flag(False)]
Host = Annotated[str, AfterValidator(lambda host: _HOSTS.get(host, host))]


class RestSettings(Settings):
    """One service's configuration. `env` has the variables that it was read from."""

    prefix = "PGRST_"

    db_uri: str = "postgresql://"
    db_schemas: Annotated[CommaList, Variable("DB_SCHEMAS", "DB_SCHEMA")] = ("public",)
    db_extra_search_path: CommaList = ("public",)
    db_anon_role: str | None = None
    db_aggregates_enabled: Off = False
    db_channel: str = "pgrst"
    db_channel_enabled: On = True
    db_config: On = True
    db_pre_config: str | None = None
    db_hoisted_tx_settings: CommaList = (
        "statement_timeout", "plan_filter.statement_cost_limit", "default_transaction_isolation",
    )  # fmt: skip
    db_max_rows: Annotated[int | None, Variable("DB_MAX_ROWS", "MAX_ROWS")] = None
    db_plan_enabled: Off = False
    db_pool: Annotated[int, _or(10), _at_least(1)] = 10
    db_pool_acquisition_timeout_s: Annotated[int, Variable("DB_POOL_ACQUISITION_TIMEOUT"), _or(10)] = 10
    db_pool_max_idletime_s: Annotated[int, Variable("DB_POOL_MAX_IDLETIME", "DB_POOL_TIMEOUT"), _or(30)] = 30
    db_pool_max_lifetime_s: Annotated[int, Variable("DB_POOL_MAX_LIFETIME"), _or(1800)] = 1800
    db_pre_request: Annotated[str | None, Variable("DB_PRE_REQUEST", "PRE_REQUEST")] = None
    db_prepared_statements: On = True
    db_root_spec: Annotated[str | None, Variable("DB_ROOT_SPEC", "ROOT_SPEC")] = None
    db_tx_end: Literal["commit", "commit-allow-override", "rollback", "rollback-allow-override"] = "commit"
    jwt_aud: str | None = None
    jwt_role_claim_key: Annotated[str, Variable("JWT_ROLE_CLAIM_KEY", "ROLE_CLAIM_KEY")] = "$.role"
    jwt_secret_is_base64: Annotated[Off, Variable("JWT_SECRET_IS_BASE64", "SECRET_IS_BASE64")] = False
    jwt_secret: bytes | None = None
    jwt_cache_max_entries: Annotated[int, _at_least(0)] = 1000
    client_error_verbosity: Annotated[Literal["verbose", "minimal"], BeforeValidator(_verbosity)] = "verbose"
    openapi_mode: Literal["follow-privileges", "ignore-privileges", "disabled"] = "follow-privileges"
    openapi_security_active: Off = False
    openapi_server_proxy_uri: Annotated[str | None, Variable("OPENAPI_SERVER_PROXY_URI", "SERVER_PROXY_URI")] = None
    server_cors_allowed_origins: CommaList | None = None
    server_host: Host = "0.0.0.0"
    server_port: Annotated[int, _or(3000)] = 3000
    server_reuseport: Off = False
    server_unix_socket: Path | None = None
    server_unix_socket_mode: SocketMode = 0o660
    server_trace_header: str | None = None
    server_timing_enabled: Off = False
    admin_server_host: Host = Field(default_factory=_admin_host)
    admin_server_port: int | None = None
    admin_server_unix_socket: Path | None = None
    admin_server_unix_socket_mode: SocketMode = Field(default_factory=_admin_socket_mode)
    url_use_legacy_target_names: On = True
    # Not from variables of their own: from_env() fills them.
    app_settings: Annotated[tuple[tuple[str, str], ...], Variable()] = ()
    env: Annotated[Mapping[str, str], Variable()] = {}

    @classmethod
    def from_env(cls, env: Mapping[str, str], database: Mapping[str, str] | None = None) -> Self:
        """Read PGRST_* variables; `database` holds overrides by the settings' names. Raises SettingsError."""
        own = {name: value for name, value in env.items() if name.startswith(cls.prefix)}
        overridden = {**own, **{f"{cls.prefix}{name.upper()}": value for name, value in (database or {}).items()}}
        for name in _MAY_BE_EMPTY:
            # Elsewhere an empty variable is an absent one, but an empty list differs from the default.
            if overridden.get(name) == "":
                overridden[name] = ","
        app_settings = tuple(
            (f"app.settings.{name.removeprefix(_APP_SETTINGS)}", value)
            for name, value in overridden.items()
            if name.startswith(_APP_SETTINGS)
        )
        return super().from_env(overridden).model_copy(update={"app_settings": app_settings, "env": own})

    def overridden(self, database: Mapping[str, str]) -> Self:
        """Return these settings with those kept in the database in their place."""
        return self.from_env(self.env, database)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The variables that are set and that PostgREST reads, but this service does not."""
        return tuple(f"{self.prefix}{name}" for name in _IGNORED if self.env.get(f"{self.prefix}{name}"))

    @property
    def rolls_back(self) -> bool:
        """Whether a transaction is rolled back unless the client asks for another end."""
        return self.db_tx_end.startswith("rollback")

    @property
    def tx_override_allowed(self) -> bool:
        """Whether Prefer: tx=... is followed."""
        return self.db_tx_end.endswith("allow-override")

    @field_validator("db_schemas")
    @classmethod
    def _check_schemas(cls, schemas: tuple[str, ...]) -> tuple[str, ...]:
        forbidden = _FORBIDDEN_SCHEMAS.intersection(schemas)
        if forbidden:
            raise ValueError(f"must not expose {', '.join(sorted(forbidden))}")
        return schemas or ("public",)

    @field_validator("server_cors_allowed_origins")
    @classmethod
    def _allow_any_without_origins(cls, origins: tuple[str, ...] | None) -> tuple[str, ...] | None:
        return origins or None

    @field_validator("jwt_secret", mode="before")
    @classmethod
    def _read_secret(cls, text: str, info: ValidationInfo) -> bytes:
        if text.startswith("@"):
            try:
                text = Path(text[1:]).read_text(encoding="utf-8").strip()
            except OSError as error:
                raise ValueError(f"names a file that can't be read: {error.strerror}") from error
        if info.data.get("jwt_secret_is_base64"):
            return _decode_base64(text.strip())
        secret = text.encode()
        if not text.lstrip().startswith("{") and len(secret) < _MIN_SECRET_BYTES:
            raise ValueError(f"must be at least {_MIN_SECRET_BYTES} characters long")
        return secret


def _decode_base64(text: str) -> bytes:
    """Decode either alphabet of base64, with `.` for `=`, and padding that is missing."""
    plain = text.replace("-", "+").replace("_", "/").replace(".", "=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except binascii.Error as error:
        raise ValueError("is not base64") from error
