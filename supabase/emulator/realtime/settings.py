"""The Realtime container's variables. Limits are the container's, with generous values where unset."""

import json
from functools import cached_property
from pathlib import Path
from typing import Annotated

from psycopg.conninfo import make_conninfo
from pydantic import BeforeValidator

from emulator.jwt import KeySet
from emulator.settings import Port, Settings, Variable


def _parse_keys(text: object) -> KeySet:
    try:
        return KeySet.parse(str(text))
    except ValueError as error:
        raise ValueError(f"holds no usable key: {error}") from error


class RequiredClaims(dict[str, object]):
    """Claims that every token must have, with their values."""


def _parse_claims(text: object) -> RequiredClaims:
    try:
        claims = json.loads(str(text))
    except ValueError as error:
        raise ValueError("must be a JSON object") from error
    if not isinstance(claims, dict):
        raise ValueError("must be a JSON object")
    return RequiredClaims(claims)


Claims = Annotated[RequiredClaims, BeforeValidator(_parse_claims)]
Keys = Annotated[KeySet, BeforeValidator(_parse_keys)]
Flag = Annotated[bool, BeforeValidator(lambda text: str(text).lower() == "true")]


class DatabaseSettings(Settings):
    """The database; the user must be a superuser, since it asks as other roles and replicates."""

    prefix = "DB_"
    host: str = "localhost"
    port: Port = 5432
    name: str = "postgres"
    user: str = "supabase_admin"
    password: str = ""
    ssl: Flag = False
    ssl_ca_cert: str = ""  # a file

    @cached_property
    def conninfo(self) -> str:
        """A libpq connection string."""
        tls: dict[str, str] = {}
        if self.ssl:
            verified = {"sslmode": "verify-ca", "sslrootcert": self.ssl_ca_cert}
            tls = verified if self.ssl_ca_cert else {"sslmode": "require"}
        return make_conninfo(
            host=self.host, port=self.port, dbname=self.name, user=self.user, password=self.password, **tls
        )


class Limits(Settings):
    """What one socket, one channel and all of them may do. Rates are averages over a minute."""

    connections: Annotated[int, Variable("TENANT_MAX_CONCURRENT_USERS")] = 16_384
    joins_per_s: Annotated[int, Variable("TENANT_MAX_JOINS_PER_SECOND")] = 2_500
    messages_per_s: Annotated[int, Variable("TENANT_MAX_EVENTS_PER_SECOND")] = 100_000
    presence_per_s: Annotated[int, Variable("TENANT_MAX_PRESENCE_EVENTS_PER_SECOND")] = 10_000
    # Per channel of a client and window; 0 is no limit (the container: 5).
    presence_calls: Annotated[int, Variable("CLIENT_PRESENCE_MAX_CALLS")] = 0
    presence_window_ms: Annotated[int, Variable("CLIENT_PRESENCE_WINDOW_MS")] = 30_000
    channels_per_connection: Annotated[int, Variable("TENANT_MAX_CHANNELS_PER_CLIENT")] = 100
    broadcast_kb: Annotated[int, Variable("TENANT_MAX_PAYLOAD_SIZE_IN_KB")] = 3_000
    sockets_per_address: Annotated[int, Variable("MAX_SOCKETS_PER_ADDRESS")] = 200
    # Of one connection, a second. Frames above wait; at once may come twice as many.
    client_frames_per_s: Annotated[int, Variable("CLIENT_MAX_FRAMES_PER_SECOND")] = 500
    client_joins_per_s: Annotated[int, Variable("CLIENT_MAX_JOINS_PER_SECOND")] = 10
    client_presence_per_s: Annotated[int, Variable("CLIENT_MAX_PRESENCE_PER_SECOND")] = 20
    held_bytes: Annotated[int, Variable("MAX_HELD_BYTES")] = 128 * 1024 * 1024
    frame_bytes: Annotated[int, Variable("MAX_FRAME_BYTES")] = 5_000_000
    socket_buffer_bytes: Annotated[int, Variable("MAX_SOCKET_BUFFER_BYTES")] = 16 * 1024 * 1024

    @property
    def broadcast_bytes(self) -> int:
        """How large a broadcast's payload may be."""
        return self.broadcast_kb * 1000 + 500


class RealtimeSettings(Settings):
    """Everything that the service is configured with. `jwks` and `secret` together verify clients' tokens."""

    database: DatabaseSettings
    limits: Limits
    secret: Annotated[Keys, Variable("API_JWT_SECRET")]
    jwks: Annotated[Keys | None, Variable("API_JWT_JWKS")] = None
    admin_secret: Annotated[Keys | None, Variable("METRICS_JWT_SECRET")] = None
    host: str = "127.0.0.1"
    port: Port = 4000
    private_only: Flag = False
    tenant: Annotated[str, Variable("SELF_HOST_TENANT_NAME")] = "realtime-dev"
    slot: Annotated[str, Variable("SLOT_NAME")] = "realtime"  # the database's oid is added
    slot_suffix: Annotated[str, Variable("SLOT_NAME_SUFFIX")] = ""
    claim_validators: Annotated[Claims, Variable("JWT_CLAIM_VALIDATORS")] = RequiredClaims()
    connect_error_backoff_ms: Annotated[int, Variable("CONNECT_ERROR_BACKOFF_MS")] = 0
    no_channel_timeout_ms: Annotated[int, Variable("NO_CHANNEL_TIMEOUT_IN_MS")] = 600_000
    recheck_s: Annotated[float, Variable("POLICY_RECHECK_S")] = 60.0  # how long policies' answers hold
    bus: Annotated[Path | None, Variable("BUS_DIR")] = None  # a folder that the processes of one stack share

    @cached_property
    def keys(self) -> KeySet:
        """What clients' tokens are verified with."""
        return self.jwks.merged(self.secret) if self.jwks is not None else self.secret

    @property
    def admin_keys(self) -> KeySet:
        """What the administration's tokens are verified with."""
        return self.admin_secret or self.secret
