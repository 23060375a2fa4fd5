"""The Realtime container's variables, read once. Limits are the container's, with generous values where unset."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeVar

from psycopg.conninfo import make_conninfo

from emulator.jwt import KeySet
from emulator.settings import SettingsError

N = TypeVar("N", int, float)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one socket, one channel and all of them may do. Rates are averages over a minute."""

    connections: int = 16_384
    joins_per_s: int = 2_500
    messages_per_s: int = 100_000
    presence_per_s: int = 10_000
    presence_calls: int = 0  # per channel member and 30 s; 0 is no limit (the container: 5)
    channels_per_connection: int = 100
    broadcast_kb: int = 3_000
    frame_bytes: int = 5_000_000
    socket_buffer_bytes: int = 16 * 1024 * 1024
    idle_s: float = 60.0
    without_channel_s: float = 600.0

    @property
    def broadcast_bytes(self) -> int:
        """How large a broadcast's payload may be."""
        return self.broadcast_kb * 1000 + 500


@dataclass(frozen=True, slots=True)
class RealtimeSettings:
    """Everything the service is told from outside."""

    conninfo: str
    keys: KeySet
    admin_keys: KeySet
    host: str = "127.0.0.1"
    port: int = 4000
    limits: Limits = field(default_factory=Limits)
    private_only: bool = False
    slot: str = "realtime"  # the database's oid is added
    refusal_pause_s: float = 0.0
    recheck_s: float = 60.0  # how long an answer of private channels' policies holds
    bus: Path | None = None  # a folder that the processes of one stack share

    @classmethod
    def from_env(cls, env: Mapping[str, str]) -> Self:
        """Read DB_*, API_JWT_*, PORT, TENANT_MAX_*; raises SettingsError."""
        if not env.get("API_JWT_SECRET"):
            raise SettingsError("API_JWT_SECRET is not set")
        keys = _keys(env, "API_JWT_SECRET")
        if env.get("API_JWT_JWKS"):
            keys = _keys(env, "API_JWT_JWKS").merged(keys)
        return cls(
            conninfo=make_conninfo(
                host=env.get("DB_HOST", "localhost"),
                port=env.get("DB_PORT", "5432"),
                dbname=env.get("DB_NAME", "postgres"),
                user=env.get("DB_USER", "supabase_admin"),
                password=env.get("DB_PASSWORD", ""),
            ),
            keys=keys,
            admin_keys=_keys(env, "METRICS_JWT_SECRET" if env.get("METRICS_JWT_SECRET") else "API_JWT_SECRET"),
            host=env.get("HOST", "127.0.0.1"),
            port=_number(env, "PORT", 4000),
            limits=_limits(env),
            private_only=env.get("PRIVATE_ONLY", "").lower() == "true",
            slot=env.get("SLOT_NAME", "realtime"),
            refusal_pause_s=_number(env, "REFUSAL_PAUSE_S", 0.0),
            recheck_s=_number(env, "POLICY_RECHECK_S", 60.0),
            bus=Path(env["BUS_DIR"]) if env.get("BUS_DIR") else None,
        )


def _limits(env: Mapping[str, str]) -> Limits:
    default = Limits()
    return Limits(
        connections=_number(env, "TENANT_MAX_CONCURRENT_USERS", default.connections),
        joins_per_s=_number(env, "TENANT_MAX_JOINS_PER_SECOND", default.joins_per_s),
        messages_per_s=_number(env, "TENANT_MAX_EVENTS_PER_SECOND", default.messages_per_s),
        presence_per_s=_number(env, "TENANT_MAX_PRESENCE_EVENTS_PER_SECOND", default.presence_per_s),
        presence_calls=_number(env, "CLIENT_PRESENCE_MAX_CALLS", default.presence_calls),
        channels_per_connection=_number(env, "TENANT_MAX_CHANNELS_PER_CLIENT", default.channels_per_connection),
        broadcast_kb=_number(env, "TENANT_MAX_PAYLOAD_SIZE_IN_KB", default.broadcast_kb),
        frame_bytes=_number(env, "MAX_FRAME_BYTES", default.frame_bytes),
        socket_buffer_bytes=_number(env, "MAX_SOCKET_BUFFER_BYTES", default.socket_buffer_bytes),
    )


def _keys(env: Mapping[str, str], name: str) -> KeySet:
    try:
        return KeySet.parse(env[name])
    except ValueError as error:
        raise SettingsError(f"{name} holds no usable key: {error}") from error


def _number(env: Mapping[str, str], name: str, default: N) -> N:
    text = env.get(name, "")
    try:
        return type(default)(text) if text else default
    except ValueError as error:
        raise SettingsError(f"{name} is not a number: {text!r}") from error
