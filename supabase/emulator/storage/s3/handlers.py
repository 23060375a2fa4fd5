"""Which operation an S3 request asks for: by method, path, query and headers.

A subresource that nobody knows is ignored, not refused, except where it would overwrite an object.
"""

from collections.abc import Awaitable, Callable

from emulator.storage.errors import StorageError, compact, no_such_key, not_served
from emulator.storage.s3 import buckets, form, multipart, objects
from emulator.storage.s3.call import Call, error_response
from emulator.storage.s3.caller import authenticate
from emulator.storage.service import Context
from emulator.storage.wire.request import StorageRequest
from emulator.storage.wire.response import JSON_TYPE, Response

Operation = Callable[[Call], Awaitable[Response]]
_NO_FORMS = "Multipart form data not supported"
# Subresources of an object that are not served: a PUT of one must not become the object.
_UNSERVED = ("acl", "tagging", "retention", "legal-hold", "torrent", "attributes", "restore")


async def handle(context: Context) -> Response:
    """Serve any request below /s3."""
    try:
        return await _serve(context)
    except StorageError as error:
        return error_response(context.request, error)


async def _serve(context: Context) -> Response:
    params = context.request.params
    bucket, key = params.get("bucket", ""), params.get("key", "")
    if bucket and not key and _is_form(context.request):
        context.operation = "storage.s3.upload"
        return await form.post(context, bucket)
    found = _find(context, bucket, key)
    if found is None:
        return _unknown(context) if not key or context.request.method == "PATCH" else Response(404)
    name, operation = found
    context.operation = f"storage.s3.{name}"
    call = Call(context, authenticate(context), bucket, key)
    if context.request.method in ("POST", "PUT") and _is_multipart(context.request):
        return call.answer("message", _NO_FORMS, 400)
    try:
        return await operation(call)
    except StorageError as error:
        raise (
            no_such_key() if error.code == "NoSuchBucket" and name in ("object.get", "object.info") else error
        ) from None


def _is_form(request: StorageRequest) -> bool:
    """Whether a file comes with its own signed policy."""
    return request.method == "POST" and _is_multipart(request) and not request.header("authorization")


def _is_multipart(request: StorageRequest) -> bool:
    return (request.header("content-type") or "").startswith("multipart/form-data")


def _find(context: Context, bucket: str, key: str) -> tuple[str, Operation] | None:
    query = context.request.query
    method = context.request.method
    if not bucket:
        return ("bucket.list", buckets.list_buckets) if method == "GET" else None
    if not key:
        return _of_bucket(method, query)
    return _of_object(method, query, context.request.headers)


def _of_bucket(method: str, query: dict[str, str | list[str]]) -> tuple[str, Operation] | None:
    match method:
        case "PUT":
            return "bucket.create", buckets.create
        case "DELETE":
            return "bucket.delete", buckets.delete
        case "HEAD":
            return "bucket.head", buckets.head
        case "POST" if "delete" in query:
            return "object.delete_many", objects.delete_many
        case "GET" if "uploads" in query:
            return "upload.list_multipart", multipart.list_uploads
        case "GET" if "location" in query:
            return "bucket.get_location", buckets.location
        case "GET" if "versioning" in query:
            return "bucket.get_versioning", buckets.versioning
        case "GET" if query.get("list-type") == "2":
            return "object.list", buckets.list_v2
        case "GET":
            return "object.list", buckets.list_v1
    return None


def _of_object(method: str, query: dict[str, str | list[str]], headers: dict[str, str]) -> tuple[str, Operation] | None:
    is_copy = "x-amz-copy-source" in headers
    match method:
        case "GET" if "uploadId" in query:
            return "upload.list_parts", multipart.list_parts
        case "GET" if "tagging" in query:
            return "object.get_tagging", objects.tagging
        case "GET":
            return "object.get", objects.get
        case "HEAD":
            return "object.info", objects.head
        case "PUT" if "uploadId" in query and "partNumber" in query:
            return ("upload.part_copy", multipart.copy_part) if is_copy else ("upload.part", multipart.put_part)
        case "PUT" if is_copy:
            return "object.copy", objects.copy
        case "PUT" if any(name in query for name in _UNSERVED):
            return "upload", _refuse
        case "PUT":
            return "upload", objects.put
        case "POST" if "uploadId" in query:
            return "upload.complete_multipart", multipart.complete
        case "POST" if "uploads" in query:
            return "upload.create_multipart", multipart.create
        case "DELETE" if "uploadId" in query:
            return "upload.abort_multipart", multipart.abort
        case "DELETE":
            return "object.delete", objects.delete
    return None


async def _refuse(_call: Call) -> Response:
    raise not_served()


def _unknown(context: Context) -> Response:
    text = f"Route {context.request.method}:{context.request.url} not found"
    document = {"message": text, "error": "Not Found", "statusCode": 404}
    return Response(404, [("content-type", JSON_TYPE)], compact(document))
