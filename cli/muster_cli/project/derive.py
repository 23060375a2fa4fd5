"""What the services are told because of a project's configuration: one table, key by key. No I/O.

The names are those that the services read in their containers; the values are the official CLI's, with our addresses in
the place of the containers'. A row whose value is None has no variable.
"""

import json
from collections.abc import Mapping
from urllib.parse import quote

from muster_cli.project.config import ProjectConfig
from muster_cli.project.constants import S3_ACCESS_KEY, S3_REGION, S3_SECRET_KEY
from muster_cli.project.derive_auth import AUTH, auth_pairs
from muster_cli.project.source import Place, Source, Table

GATEWAY: Table = {
    "MUSTER_HOST": lambda s: s.place.host,
    "MUSTER_PORT": lambda s: s.place.port,
    "ANON_KEY": lambda s: s.keys.anon,
    "SERVICE_ROLE_KEY": lambda s: s.keys.service_role,
    "PUBLISHABLE_KEY": lambda s: s.keys.publishable,
    "SECRET_KEY": lambda s: s.keys.secret,
    "MUSTER_CHECK_KEYS": lambda _: False,
    "MUSTER_WITHOUT": lambda s: ",".join(_disabled(s.config)) or None,
    "MAILBOX_DIR": lambda s: None if s.has_mail_server else str(s.place.mail),
    "MAILBOX_SMTP_HOST": lambda s: None if s.has_mail_server else "127.0.0.1",
    "MAILBOX_SMTP_PORT": lambda s: None if s.has_mail_server else s.place.smtp_port,
}

REST: Table = {
    "PGRST_DB_URI": lambda s: s.place.database_url("authenticator"),
    "PGRST_DB_SCHEMAS": lambda s: ",".join(s.config.api.schemas),
    "PGRST_DB_EXTRA_SEARCH_PATH": lambda s: ",".join(s.config.api.extra_search_path),
    "PGRST_DB_MAX_ROWS": lambda s: s.config.api.max_rows,
    "PGRST_DB_ANON_ROLE": lambda _: "anon",
    "PGRST_DB_POOL": lambda _: 10,
    "PGRST_JWT_SECRET": lambda s: s.keys.jwks,
    "PGRST_OPENAPI_SERVER_PROXY_URI": lambda s: f"{s.origin}/rest/v1",
}

REALTIME: Table = {
    "DB_HOST": lambda s: s.place.database[0],
    "DB_PORT": lambda s: s.place.database[1],
    "DB_NAME": lambda s: s.place.database[2],
    "DB_USER": lambda _: "supabase_admin",
    "DB_PASSWORD": lambda s: s.place.database_password,
    "DB_AFTER_CONNECT_QUERY": lambda _: "SET search_path TO _realtime",
    "API_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "API_JWT_JWKS": lambda s: s.keys.jwks,
    "METRICS_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "SECRET_KEY_BASE": lambda s: s.place.secret_key_base,
    "APP_NAME": lambda _: "realtime",
    "MAX_HEADER_LENGTH": lambda s: s.config.realtime.max_header_length,
}

STORAGE: Table = {
    "SERVICE_KEY": lambda s: s.keys.service_role,
    "AUTH_JWT_SECRET": lambda s: s.keys.jwt_secret,
    "JWT_JWKS": lambda s: s.keys.jwks,
    "DATABASE_URL": lambda s: s.place.database_url("supabase_storage_admin"),
    "STORAGE_BACKEND": lambda _: "file",
    "FILE_STORAGE_BACKEND_PATH": lambda s: str(s.place.files),
    "STORAGE_FILE_BACKEND_PATH": lambda s: str(s.place.files),
    "TENANT_ID": lambda _: "stub",
    "FILE_SIZE_LIMIT": lambda s: s.config.storage.file_size_limit,
    "UPLOAD_FILE_SIZE_LIMIT": lambda _: 52_428_800_000,
    "UPLOAD_FILE_SIZE_LIMIT_STANDARD": lambda _: 5_242_880_000,
    "SIGNED_UPLOAD_URL_EXPIRATION_TIME": lambda _: 7200,
    "TUS_URL_PATH": lambda _: "/storage/v1/upload/resumable",
    "ENABLE_IMAGE_TRANSFORMATION": lambda s: _transforms(s.config),
    "IMAGE_TRANSFORMATION_ENABLED": lambda s: _transforms(s.config),
    "S3_PROTOCOL_ENABLED": lambda s: s.config.storage.s3_protocol.enabled,
    "S3_PROTOCOL_PREFIX": lambda _: "/storage/v1",
    "S3_PROTOCOL_ACCESS_KEY_ID": lambda s: S3_ACCESS_KEY if s.config.storage.s3_protocol.enabled else None,
    "S3_PROTOCOL_ACCESS_KEY_SECRET": lambda s: S3_SECRET_KEY if s.config.storage.s3_protocol.enabled else None,
    "REGION": lambda _: S3_REGION,
}

# What a function written in any language is told of its stack.
FUNCTIONS: Table = {
    "SUPABASE_URL": lambda s: s.origin,
    "SUPABASE_ANON_KEY": lambda s: s.keys.anon,
    "SUPABASE_SERVICE_ROLE_KEY": lambda s: s.keys.service_role,
    "SUPABASE_DB_URL": lambda s: _tcp_database_url(s.place),
    "SUPABASE_PUBLISHABLE_KEYS": lambda s: json.dumps({"default": s.keys.publishable}),
    "SUPABASE_SECRET_KEYS": lambda s: json.dumps({"default": s.keys.secret}),
    "SUPABASE_JWKS": lambda s: s.keys.jwks,
    "JWT_SECRET": lambda s: s.keys.jwt_secret,
    "FUNCTIONS_DIR": lambda s: str(s.config.root / "functions") if s.config.edge_runtime.enabled else None,
    "SUPABASE_INTERNAL_FUNCTIONS_CONFIG": lambda s: json.dumps(_function_rules(s.config)),
    "FUNCTIONS_SECRETS": lambda s: json.dumps(s.config.edge_runtime.secrets),
}

TABLES: Mapping[str, Table] = {
    "gateway": GATEWAY,
    "rest": REST,
    "auth": AUTH,
    "realtime": REALTIME,
    "storage": STORAGE,
    "functions": FUNCTIONS,
}
DATABASE_SETTINGS = frozenset(
    (
        "effective_cache_size logical_decoding_work_mem maintenance_work_mem max_connections max_locks_per_transaction "
        "max_parallel_maintenance_workers max_parallel_workers max_parallel_workers_per_gather max_replication_slots "
        "max_slot_wal_keep_size max_standby_archive_delay max_standby_streaming_delay max_wal_size max_wal_senders "
        "max_worker_processes session_replication_role shared_buffers statement_timeout track_activity_query_size "
        "track_commit_timestamp wal_keep_size wal_sender_timeout work_mem"
    ).split()
)


def derive(source: Source) -> dict[str, dict[str, str]]:
    """The variables of every service."""
    found = {
        service: {name: _text(value) for name, row in table.items() if (value := row(source)) is not None}
        for service, table in TABLES.items()
    }
    found["auth"] |= {f"GOTRUE_{name}": _text(value) for name, value in auth_pairs(source)}
    return found


def database_settings(config: ProjectConfig) -> dict[str, str]:
    """What [db.settings] sets for PostgreSQL, of the names that the official CLI lets a project set."""
    return {name: _text(value) for name, value in config.db.settings.items() if name in DATABASE_SETTINGS}


def _tcp_database_url(place: Place) -> str:
    """For functions, which may open no Unix socket; the database listens on both."""
    host, port, name = place.database
    address = "127.0.0.1" if host.startswith("/") else host
    return f"postgresql://postgres:{quote(place.database_password, safe='')}@{address}:{port}/{name}"


def _function_rules(config: ProjectConfig) -> dict[str, dict[str, object]]:
    """The sections [functions.<slug>], as the main service of the edge runtime reads them."""
    root = config.root
    return {
        slug: {
            "enabled": rules.enabled,
            "verifyJWT": rules.verify_jwt,
            "entrypointPath": str(root / rules.entrypoint) if rules.entrypoint else None,
            "importMapPath": str(root / rules.import_map) if rules.import_map else None,
            "staticFiles": [str(root / pattern) for pattern in rules.static_files],
            "env": dict(rules.env),
        }
        for slug, rules in config.functions.items()
    }


def _disabled(config: ProjectConfig) -> list[str]:
    """The services that the project does not want, by their names in the gateway's routes."""
    enabled = {
        "rest": config.api.enabled, "auth": config.auth.enabled, "realtime": config.realtime.enabled,
        "storage": config.storage.enabled,
    }  # fmt: skip
    return [name for name, is_enabled in enabled.items() if not is_enabled]


def _transforms(config: ProjectConfig) -> bool:
    wanted = config.storage.image_transformation
    return wanted is not None and wanted.enabled


def _text(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
