"""Every error a client of the storage service can get, and how one looks on the wire. Pure.

The body's `statusCode` is the real status, as text; the HTTP status is 400 for nearly all of them. Routes for TUS and
S3 answer with the real one. Source: storage-api v1.70.6.
"""

import json
from dataclasses import dataclass
from typing import Any

from emulator.db.statement import ConnectionFailed, ConnectionLost, PoolTimeout, StatementError
from emulator.errors import ApiError

_ROW_SECURITY = "new row violates row-level security policy"
_TOO_MANY = ("too many clients", "remaining connection slots", "no more connections allowed")


@dataclass(eq=False)
class StorageError(ApiError):
    """`status` is the real one. `error` is the older name of the error, the code where it has none.

    `http_status` overrides the rule above.
    """

    error: str = ""
    http_status: int | None = None
    resource: str | None = None

    def body(self) -> bytes:
        """The JSON document; keys in the original's order."""
        return compact(
            {
                "statusCode": str(self.status),
                "error": self.error or self.code,
                "message": self.message,
                "code": self.code,
            }
        )

    @property
    def sent_status(self) -> int:
        """The HTTP status of the JSON routes."""
        if self.http_status is not None:
            return self.http_status
        return 500 if self.status == 500 else 400


def compact(value: Any) -> bytes:
    """JSON as the service sends it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def no_such_bucket() -> StorageError:
    return StorageError(404, "NoSuchBucket", "Bucket not found", error="Bucket not found")


def no_such_key() -> StorageError:
    return StorageError(404, "NoSuchKey", "Object not found", error="not_found")


def no_such_upload() -> StorageError:
    return StorageError(404, "NoSuchUpload", "Upload not found")


def already_exists() -> StorageError:
    return StorageError(409, "ResourceAlreadyExists", "The resource already exists", error="Duplicate")


def key_already_exists() -> StorageError:
    return StorageError(409, "KeyAlreadyExists", "The resource already exists", error="Duplicate")


def bucket_already_exists() -> StorageError:
    return StorageError(409, "BucketAlreadyExists", "The resource already exists", error="Duplicate")


def access_denied(message: str = "Access denied") -> StorageError:
    return StorageError(403, "AccessDenied", message, error="Unauthorized")


def invalid_role() -> StorageError:
    """What only the service role may do; the one refusal whose HTTP status is its own."""
    return StorageError(403, "AccessDenied", "Access denied: Invalid role", error="Unauthorized", http_status=403)


def invalid_jwt(message: str) -> StorageError:
    return StorageError(400, "InvalidJWT", message)


def invalid_signature(message: str = "Invalid signature") -> StorageError:
    return StorageError(400, "InvalidSignature", message)


def signature_does_not_match() -> StorageError:
    return StorageError(
        403,
        "SignatureDoesNotMatch",
        "The request signature we calculated does not match the signature you provided. Check your key and signing"
        " method.",
    )


def expired_token() -> StorageError:
    return StorageError(400, "ExpiredToken", "The provided token has expired.")


def invalid_mime_type(mime_type: str) -> StorageError:
    return StorageError(415, "InvalidMimeType", f"mime type {mime_type} is not supported", error="invalid_mime_type")


def invalid_content_type() -> StorageError:
    return StorageError(415, "InvalidMimeType", "Invalid Content-Type header", error="invalid_mime_type")


def entity_too_large(entity: str = "object") -> StorageError:
    message = f"The {entity} exceeded the maximum allowed size"
    return StorageError(413, "EntityTooLarge", message, error="Payload too large")


def entity_too_small() -> StorageError:
    return StorageError(400, "EntityTooSmall", "Your proposed upload is smaller than the minimum allowed object size.")


def body_too_large() -> StorageError:
    return StorageError(413, "EntityTooLarge", "Request body is too large", error="FastifyError", http_status=413)


def invalid_bucket_name() -> StorageError:
    return StorageError(400, "InvalidBucketName", "Bucket name invalid", error="Invalid Input")


def invalid_key(key: str) -> StorageError:
    return StorageError(400, "InvalidKey", f"Invalid key: {key}")


def invalid_request(message: str) -> StorageError:
    return StorageError(400, "InvalidRequest", message)


def invalid_input(message: str) -> StorageError:
    """A request that does not fit its schema."""
    return StorageError(400, "InvalidRequest", message, error="Error")


def malformed_body(message: str) -> StorageError:
    return StorageError(400, "InvalidRequest", message, error="FastifyError")


def no_content() -> StorageError:
    return invalid_request("No content provided")


def bad_robots_tag(reason: str) -> StorageError:
    return StorageError(400, "InvalidRequest", f"Invalid X-Robots-Tag header: {reason}", error="invalid_x_robots_tag")


def bad_header_value(name: str, value: str) -> StorageError:
    message = f'Invalid character in response header "{name}": {value[:50]}'
    return StorageError(400, "InvalidRequest", message, error="invalid_header_char")


def invalid_parameter(name: str) -> StorageError:
    return StorageError(400, "InvalidParameter", f"Invalid Parameter {name}")


def invalid_value(message: str) -> StorageError:
    return StorageError(400, "InvalidParameter", message)


def missing_parameter(name: str) -> StorageError:
    return StorageError(400, "MissingParameter", f"Missing Required Parameter {name}")


def missing_content_length() -> StorageError:
    return StorageError(400, "MissingContentLength", "You must provide the Content-Length HTTP header.")


def invalid_range() -> StorageError:
    return StorageError(416, "InvalidRange", "invalid range provided", error="invalid_range", http_status=416)


def invalid_copy_range() -> StorageError:
    return StorageError(400, "InvalidRange", "invalid range provided", error="invalid_range")


def bucket_not_empty() -> StorageError:
    return StorageError(409, "ResourceNotEmpty", "The bucket you tried to delete is not empty")


def bucket_too_full() -> StorageError:
    message = "Unable to empty the bucket because it contains too many objects"
    return StorageError(409, "InvalidRequest", message)


def bucket_referenced() -> StorageError:
    message = "The bucket could not be updated because it is referenced by a pending multipart upload."
    return StorageError(409, "ResourceReferenced", message)


def feature_not_enabled(feature: str) -> StorageError:
    return StorageError(409, "FeatureNotEnabled", f"The feature {feature} is not enabled for this resource")


def missing_part(number: int, upload_id: str) -> StorageError:
    return StorageError(400, "MissingPart", f"Part {number} is missing for upload id {upload_id}")


def invalid_upload_id(message: str = "Invalid upload id") -> StorageError:
    return StorageError(400, "InvalidUploadId", message)


def malformed_xml(message: str) -> StorageError:
    return StorageError(400, "MalformedXML", message)


def invalid_checksum(message: str) -> StorageError:
    return StorageError(400, "InvalidChecksum", message)


def not_served() -> StorageError:
    """Ours: a subresource of S3 that would otherwise overwrite the object."""
    message = "A query parameter that you provided implies functionality that is not served"
    return StorageError(501, "NotImplemented", message)


def lock_timeout() -> StorageError:
    return StorageError(503, "LockTimeout", "acquiring lock timeout", error="acquiring_lock_timeout")


def slow_down(message: str = "Too many connections issued to the database") -> StorageError:
    return StorageError(429, "SlowDown", message, error="too_many_connections", http_status=429)


def database_timeout() -> StorageError:
    return StorageError(544, "DatabaseTimeout", "The connection to the database timed out", http_status=544)


def internal_error(message: str = "Internal Server Error") -> StorageError:
    return StorageError(500, "InternalError", message, error="Internal")


def disk_full() -> StorageError:
    """Ours: the disk or the quota of the installation is full (RFC 4918's status)."""
    message = "There is no space left for this object"
    return StorageError(507, "InternalError", message, error="Internal", http_status=507)


def image_error(status: int, message: str) -> StorageError:
    return StorageError(status, "InvalidRequest" if status < 500 else "InternalError", message)


def route_not_found(method: str, url: str) -> StorageError:
    message = f"Route {method}:{url} not found"
    return StorageError(404, "InvalidRequest", message, error="Not Found", http_status=404)


def from_database(error: Exception) -> StorageError:
    """What a failure of the database means to a client: one table of SQLSTATEs."""
    if isinstance(error, (ConnectionFailed, StatementError)) and any(text in str(error) for text in _TOO_MANY):
        return slow_down()
    if isinstance(error, (ConnectionFailed, ConnectionLost, PoolTimeout)):
        return database_timeout()
    if not isinstance(error, StatementError):
        raise error
    match error.sqlstate:
        case "42501":
            # The table's name is not for clients.
            return access_denied(_ROW_SECURITY if error.message.startswith(_ROW_SECURITY) else error.message)
        case "23505":
            return already_exists()
        case "23503" if "still referenced" in (error.detail or ""):
            return bucket_referenced()
        case "23503":
            return StorageError(404, "InvalidRequest", "The related resource does not exist")
        case "55P03":
            return StorageError(423, "ResourceLocked", "The resource is locked")
        case "57014":
            return database_timeout()
        case "25006":
            message = "The database is currently in read-only mode. Please try again later."
            return StorageError(503, "DatabaseReadOnly", message)
        case "42P17":
            message = "The database schema is invalid or incompatible."
            return StorageError(503, "DatabaseInvalidObjectDefinition", message)
        case "22P02" | "22P05" | "22021":  # the last two: a NUL, which JSON and clients can write, but no text has
            return invalid_value(error.message)
        case "42703" | "42P01":
            return _schema_mismatch(error)
        case code:
            return StorageError(500, "DatabaseError", f"database error, code: {code}")


def _schema_mismatch(error: StatementError) -> StorageError:
    where = error.fields.get("context")
    message = (
        f"There is a database schema mismatch in a trigger or RLS policy: {where}"
        if error.fields.get("internal_query") and where
        else "The database schema is out of sync. Please run migrations or contact support."
    )
    return StorageError(503, "DatabaseSchemaMismatch", message)
