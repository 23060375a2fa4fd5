"""A project's whole configuration, every key typed. Defaults are the official CLI's. read.py fills it."""

from pathlib import Path
from typing import Any, Literal

from pydantic import AliasChoices, Field

from muster_cli.project.auth_config import Auth
from muster_cli.project.constants import VAULT_ROOT_KEY
from muster_cli.project.values import Duration, Flag, Port, Secret, Section, Size, Text, Texts, Whole


class Tls(Section):
    """HTTPS at the API's port."""

    enabled: Flag = False
    cert_path: Text | None = None
    key_path: Text | None = None


class Api(Section):
    """The API's address, and what REST exposes."""

    enabled: Flag = True
    port: Port = 54321
    schemas: Texts = ("public", "graphql_public")
    extra_search_path: Texts = ("public", "extensions")
    max_rows: Whole = 1000
    auto_expose_new_tables: Flag = True
    tls: Tls = Tls()
    external_url: Text | None = None


class Pooler(Section):
    """The connection pooler."""

    enabled: Flag = False
    port: Port = 54329
    pool_mode: Text = "transaction"
    default_pool_size: Whole = 20
    max_client_conn: Whole = 100


class Migrations(Section):
    """Schema history."""

    enabled: Flag = True
    schema_paths: Texts = ()
    checks: dict[str, Any] = {}


class Seed(Section):
    """Data of a new database."""

    enabled: Flag = True
    sql_paths: Texts = ("./seed.sql",)


class SslEnforcement(Section):
    """Of hosted projects."""

    enabled: Flag = False


class NetworkRestrictions(Section):
    """Of hosted projects."""

    enabled: Flag = False
    allowed_cidrs: Texts = ()
    allowed_cidrs_v6: Texts = ()


class Db(Section):
    """The database."""

    port: Port = 54322
    shadow_port: Port = 54320
    health_timeout: Duration = "2m"
    major_version: Whole = 17
    orioledb_version: Text | None = None
    root_key: Secret = VAULT_ROOT_KEY
    pooler: Pooler = Pooler()
    migrations: Migrations = Migrations()
    seed: Seed = Seed()
    settings: dict[str, str | int | float | bool] = {}
    vault: dict[str, Secret] = {}
    ssl_enforcement: SslEnforcement = SslEnforcement()
    network_restrictions: NetworkRestrictions = NetworkRestrictions()


class Realtime(Section):
    """The realtime service."""

    enabled: Flag = True
    ip_version: Literal["IPv4", "IPv6"] = "IPv4"
    max_header_length: Whole = 4096


class Studio(Section):
    """The dashboard, which is not here."""

    enabled: Flag = True
    port: Port = 54323
    api_url: Text = "http://127.0.0.1"
    openai_api_key: Secret = ""
    pgmeta_port: Port | None = None


class Mailbox(Section):
    """Where mails land: [local_smtp], before that [inbucket]."""

    enabled: Flag = True
    port: Port = 54324
    smtp_port: Port | None = None
    pop3_port: Port | None = None
    admin_email: Text = "admin@email.com"
    sender_name: Text = "Admin"


class ImageTransformation(Section):
    """Pictures in other sizes."""

    enabled: Flag = True


class S3Protocol(Section):
    """The S3 interface of storage."""

    enabled: Flag = True


class Bucket(Section):
    """A bucket that the first start makes; without limit the service's."""

    public: Flag = False
    file_size_limit: Size | None = None
    allowed_mime_types: Texts = ()
    objects_path: Text = ""


class VectorBuckets(Section):
    """Buckets of vectors."""

    enabled: Flag = False
    max_buckets: Whole = 10
    max_indexes: Whole = 5
    buckets: dict[str, Any] = {}


class AnalyticsBuckets(Section):
    """Of hosted projects."""

    enabled: Flag = False
    max_namespaces: Whole = 5
    max_tables: Whole = 10
    max_catalogs: Whole = 2
    buckets: dict[str, Any] = {}


class Storage(Section):
    """The storage service."""

    enabled: Flag = True
    file_size_limit: Size = 50 * 1024**2
    image_transformation: ImageTransformation | None = None
    s3_protocol: S3Protocol = S3Protocol()
    buckets: dict[str, Bucket] = {}
    analytics: AnalyticsBuckets = AnalyticsBuckets()
    vector: VectorBuckets = VectorBuckets()


class EdgeRuntime(Section):
    """The runtime of functions."""

    enabled: Flag = True
    policy: Literal["per_worker", "oneshot"] = "per_worker"
    inspector_port: Port = 8083
    deno_version: Whole = 2
    secrets: dict[str, Secret] = {}


class Function(Section):
    """One function."""

    enabled: Flag = True
    verify_jwt: Flag = True
    import_map: Text = ""
    entrypoint: Text = ""
    static_files: Texts = ()
    env: dict[str, Secret] = {}


class Analytics(Section):
    """Collected logs, which are not here."""

    enabled: Flag = True
    port: Port = 54327
    vector_port: Port = 54328
    backend: Literal["postgres", "bigquery"] = "postgres"
    gcp_project_id: Text = ""
    gcp_project_number: Text = ""
    gcp_jwt_path: Text = ""


class Webhooks(Section):
    """Webhooks of tables."""

    enabled: Flag = False


class PgDelta(Section):
    """The engine of the official CLI's `db diff`."""

    enabled: Flag = True
    declarative_schema_path: Text = ""
    format_options: Any = None


class Experimental(Section):
    """What the official CLI tries out."""

    webhooks: Webhooks = Webhooks()
    stack: Flag = False
    orioledb_version: Text = ""
    s3_host: Text = ""
    s3_region: Text = ""
    s3_access_key: Secret = ""
    s3_secret_key: Secret = ""
    pgdelta: PgDelta = PgDelta()
    inspect: dict[str, Any] = {}


class ProjectConfig(Section):
    """Everything that a project's files and variables say. `root` is its supabase folder."""

    root: Path
    project_id: Text = ""
    api: Api = Api()
    db: Db = Db()
    realtime: Realtime = Realtime()
    studio: Studio = Studio()
    mailbox: Mailbox = Field(Mailbox(), validation_alias=AliasChoices("local_smtp", "inbucket"))
    storage: Storage = Storage()
    auth: Auth = Auth()
    edge_runtime: EdgeRuntime = EdgeRuntime()
    functions: dict[str, Function] = {}
    analytics: Analytics = Analytics()
    experimental: Experimental = Experimental()
    remotes: dict[str, Any] = {}
    compute: dict[str, Any] = {}
    local: dict[str, Any] = {}
    workflows: dict[str, Any] = {}
