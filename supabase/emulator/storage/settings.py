"""The service's variables: the names of its container, the older name second."""

from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from emulator.settings import Port, Settings, Variable

Milliseconds = Annotated[int, Field(ge=1)]


class ImageSettings(Settings):
    """Transformation of images. Sizes in pixels; the limits that imgproxy has in its own container."""

    enabled: Annotated[bool, Variable("IMAGE_TRANSFORMATION_ENABLED", "ENABLE_IMAGE_TRANSFORMATION")] = False
    min_size: Annotated[int, Variable("IMAGE_TRANSFORMATION_LIMIT_MIN_SIZE", "IMG_LIMITS_MIN_SIZE")] = 1
    max_size: Annotated[int, Variable("IMAGE_TRANSFORMATION_LIMIT_MAX_SIZE", "IMG_LIMITS_MAX_SIZE")] = 2000
    timeout_s: Annotated[int, Variable("IMGPROXY_REQUEST_TIMEOUT"), Field(ge=1)] = 15
    max_megapixels: Annotated[float, Variable("IMGPROXY_MAX_SRC_RESOLUTION"), Field(gt=0)] = 50.0
    max_source_bytes: Annotated[int, Variable("IMGPROXY_MAX_SRC_FILE_SIZE"), Field(ge=1)] = 25_000_000
    max_frames: Annotated[int, Variable("IMGPROXY_MAX_ANIMATION_FRAMES"), Field(ge=1)] = 60
    cache_bytes: Annotated[int, Variable("STORAGE_IMAGE_CACHE_BYTES"), Field(ge=0)] = 256 << 20

    @property
    def bounds(self) -> tuple[int, int]:
        """How small and how large a side may be asked for."""
        return self.min_size, self.max_size


class S3ProtocolSettings(Settings):
    """The S3 protocol that clients speak to us."""

    prefix = "S3_PROTOCOL_"

    enabled: bool = True
    path_prefix: Annotated[str, Variable("PREFIX")] = ""
    access_key_id: str = ""
    access_key_secret: str = ""
    enforce_region: bool = False
    non_canonical_host: Annotated[str, Variable("NON_CANONICAL_HOST_HEADER")] = ""


class BucketBackendSettings(Settings):
    """An S3 endpoint that keeps the files (STORAGE_BACKEND=s3). Without keys those of the AWS_* variables are used."""

    bucket: Annotated[str, Variable("STORAGE_S3_BUCKET", "GLOBAL_S3_BUCKET")] = ""
    endpoint: Annotated[str, Variable("STORAGE_S3_ENDPOINT", "GLOBAL_S3_ENDPOINT")] = ""
    region: Annotated[str, Variable("STORAGE_S3_REGION", "REGION")] = "us-east-1"
    access_key_id: Annotated[str, Variable("AWS_ACCESS_KEY_ID")] = ""
    secret_access_key: Annotated[str, Variable("AWS_SECRET_ACCESS_KEY")] = ""
    timeout_ms: Annotated[Milliseconds, Variable("STORAGE_S3_CLIENT_TIMEOUT")] = 60_000


class StorageSettings(Settings):
    """One service's configuration. Limits in bytes; 0 for the standard limit, the quota and the floor: none."""

    host: Annotated[str, Variable("SERVER_HOST", "HOST")] = "0.0.0.0"
    port: Annotated[Port, Variable("SERVER_PORT", "PORT")] = 5000
    database_url: Annotated[str, Variable("DATABASE_POOL_URL", "DATABASE_URL")]
    migration_url: Annotated[str, Variable("DATABASE_URL")] = ""
    max_connections: Annotated[int, Variable("DATABASE_MAX_CONNECTIONS"), Field(ge=1)] = 20
    statement_timeout_ms: Annotated[Milliseconds, Variable("DATABASE_STATEMENT_TIMEOUT")] = 30_000
    connection_timeout_ms: Annotated[Milliseconds, Variable("DATABASE_CONNECTION_TIMEOUT")] = 3_000
    migrates: Annotated[bool, Variable("STORAGE_MIGRATE")] = True

    jwt_secret: Annotated[str, Variable("AUTH_JWT_SECRET", "PGRST_JWT_SECRET")]
    jwt_jwks: str = ""
    anon_key: str = ""
    service_key: str = ""

    backend: Annotated[Literal["file", "s3"], Variable("STORAGE_BACKEND")] = "file"
    root: Annotated[Path, Variable("STORAGE_FILE_BACKEND_PATH", "FILE_STORAGE_BACKEND_PATH")] = Path("storage")
    tenant: Annotated[str, Variable("PROJECT_REF", "TENANT_ID")] = "storage-single-tenant"
    quota: Annotated[int, Variable("STORAGE_QUOTA_BYTES"), Field(ge=0)] = 0
    disk_floor: Annotated[int, Variable("STORAGE_FREE_BYTES_FLOOR"), Field(ge=0)] = 64 << 20

    size_limit: Annotated[int, Variable("UPLOAD_FILE_SIZE_LIMIT", "FILE_SIZE_LIMIT"), Field(ge=0)]
    standard_size_limit: Annotated[
        int, Variable("UPLOAD_FILE_SIZE_LIMIT_STANDARD", "FILE_SIZE_LIMIT_STANDARD_UPLOAD"), Field(ge=0)
    ] = 0
    upload_url_s: Annotated[
        int, Variable("UPLOAD_SIGNED_URL_EXPIRATION_TIME", "SIGNED_UPLOAD_URL_EXPIRATION_TIME"), Field(ge=1)
    ] = 60
    public_url: Annotated[str, Variable("STORAGE_PUBLIC_URL")] = ""
    allow_forwarded_path: Annotated[bool, Variable("REQUEST_ALLOW_X_FORWARDED_PATH")] = False
    tus_path: Annotated[str, Variable("TUS_URL_PATH")] = "/upload/resumable"
    tus_expiry_ms: Annotated[Milliseconds, Variable("TUS_URL_EXPIRY_MS")] = 24 * 3_600_000
    s_maxage_s: Annotated[int, Variable("RESPONSE_S_MAXAGE"), Field(ge=0)] = 0
    users_may_empty: Annotated[bool, Variable("STORAGE_USERS_MAY_EMPTY_BUCKETS")] = False

    images: ImageSettings
    s3_protocol: S3ProtocolSettings
    bucket_backend: BucketBackendSettings

    @model_validator(mode="after")
    def _names_the_endpoint(self) -> Self:
        backend = self.bucket_backend
        if self.backend == "s3" and not (backend.bucket and backend.access_key_id and backend.secret_access_key):
            raise ValueError("STORAGE_BACKEND=s3 needs STORAGE_S3_BUCKET, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
        return self

    @property
    def standard_limit(self) -> int:
        """The limit of uploads that are one request."""
        return min(self.size_limit, self.standard_size_limit) if self.standard_size_limit else self.size_limit
