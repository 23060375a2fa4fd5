"""Every route of the service's JSON protocol."""

from emulator.storage.api import buckets, change, listing, misc, read, render, sign, upload
from emulator.storage.router import Route
from emulator.storage.service import Context
from emulator.storage.tus import handlers as tus
from emulator.storage.wire.response import Response

RENDER_ROUTES = (
    Route("GET", "/render/image/public/{bucket}/{key...}", render.render_public, "storage.render.image_public"),
    Route(
        "GET",
        "/render/image/authenticated/{bucket}/{key...}",
        render.render_authenticated,
        "storage.render.image_authenticated",
    ),
    Route("GET", "/render/image/sign/{bucket}/{key...}", render.render_signed, "storage.render.image_sign"),
)


def _resumable(path: str, suffix: str) -> list[Route]:
    """The routes of TUS below a path."""
    return [
        Route(method, f"{path}{tail}", handler, f"storage.tus.{name}{suffix}")
        for method, tails, handler, name in (
            ("OPTIONS", ("", "/{id...}"), tus.options, "options"),
            ("POST", ("", "/", "/{id...}"), tus.create, "upload.create"),
            ("PUT", ("/{id...}",), tus.patch, "upload.part"),
            ("PATCH", ("/{id...}",), tus.patch, "upload.part"),
            ("HEAD", ("/{id...}",), tus.head, "upload.get"),
            ("DELETE", ("/{id...}",), tus.terminate, "upload.delete"),
        )
        for tail in tails
    ]


async def _serve_s3(context: Context) -> Response:
    from emulator.storage.s3.handlers import handle  # few projects ask for it: XML and its operations take 1 MiB

    return await handle(context)


def s3_routes() -> list[Route]:
    """Everything below /s3; the operation is found there."""
    return [
        Route(method, path, _serve_s3, "storage.s3")
        for method in ("GET", "HEAD", "PUT", "POST", "DELETE")
        for path in ("/s3", "/s3/", "/s3/{bucket}", "/s3/{bucket}/", "/s3/{bucket}/{key...}")
    ]


_INFO = "object.get_authenticated_info"
ROUTES = (
    Route("POST", "/bucket", buckets.create, "storage.bucket.create"),
    Route("POST", "/bucket/", buckets.create, "storage.bucket.create"),
    Route("GET", "/bucket", buckets.list_all, "storage.bucket.list"),
    Route("GET", "/bucket/", buckets.list_all, "storage.bucket.list"),
    Route("GET", "/bucket/{bucket}", buckets.read, "storage.bucket.get"),
    Route("PUT", "/bucket/{bucket}", buckets.change, "storage.bucket.update"),
    Route("POST", "/bucket/{bucket}/empty", buckets.empty, "storage.bucket.empty"),
    Route("DELETE", "/bucket/{bucket}", buckets.delete, "storage.bucket.delete"),
    Route("POST", "/object/{bucket}/{key...}", upload.create, "storage.object.upload"),
    Route("PUT", "/object/{bucket}/{key...}", upload.replace, "storage.object.upload_update"),
    Route("PUT", "/object/upload/sign/{bucket}/{key...}", upload.create_signed, "storage.object.upload_signed"),
    Route("POST", "/object/upload/sign/{bucket}/{key...}", sign.sign_upload, "storage.object.sign_upload_url"),
    Route("POST", "/object/sign/{bucket}/{key...}", sign.sign, "storage.object.sign"),
    Route("POST", "/object/sign/{bucket}", sign.sign_many, "storage.object.sign_many"),
    Route("POST", "/object/move", change.move, "storage.object.move"),
    Route("POST", "/object/copy", change.copy, "storage.object.copy"),
    Route("DELETE", "/object/{bucket}/{key...}", change.delete, "storage.object.delete"),
    Route("DELETE", "/object/{bucket}", change.delete_many, "storage.object.delete_many"),
    Route("POST", "/object/list/{bucket}", listing.list_v1, "storage.object.list"),
    Route("POST", "/object/list-v2/{bucket}", listing.list_v2, "storage.object.list_v2"),
    Route("GET", "/object/public/{bucket}/{key...}", read.get_public, "storage.object.get_public"),
    Route("GET", "/object/authenticated/{bucket}/{key...}", read.get_authenticated, "storage.object.get_authenticated"),
    Route("GET", "/object/sign/{bucket}/{key...}", read.get_signed, "storage.object.get_signed"),
    Route("GET", "/object/info/public/{bucket}/{key...}", read.info_public, "storage.object.info_public"),
    Route("GET", "/object/info/authenticated/{bucket}/{key...}", read.info_authenticated, _INFO),
    Route("GET", "/object/info/{bucket}/{key...}", read.info, _INFO),
    Route("GET", "/object/{bucket}/{key...}", read.get, "storage.object.get_authenticated"),
    Route("HEAD", "/object/public/{bucket}/{key...}", read.head_public, "storage.object.info_public"),
    Route("HEAD", "/object/authenticated/{bucket}/{key...}", read.head_authenticated, "object.head_authenticated_info"),
    Route("HEAD", "/object/sign/{bucket}/{key...}", read.get_signed, "storage.object.get_signed"),
    Route("HEAD", "/object/info/authenticated/{bucket}/{key...}", read.info_authenticated, _INFO),
    Route("HEAD", "/object/info/{bucket}/{key...}", read.info, _INFO),
    Route("HEAD", "/object/{bucket}/{key...}", read.head, "object.head_authenticated_info"),
    Route("DELETE", "/cdn/", misc.purge, "storage.cdn.purge_tenant"),
    Route("DELETE", "/cdn", misc.purge, "storage.cdn.purge_tenant"),
    Route("DELETE", "/cdn/{bucket}", misc.purge, "storage.cdn.purge_bucket"),
    Route("DELETE", "/cdn/{bucket}/{key...}", misc.purge, "storage.cdn.purge_object"),
    Route("GET", "/health", misc.health, "storage.health"),
    Route("GET", "/health/", misc.health, "storage.health"),
    *_resumable("/upload/resumable", ""),
    *_resumable("/upload/resumable/sign", "_signed"),
    Route("GET", "/status", misc.status, "storage.status"),
    Route("GET", "/version", misc.version, "storage.version"),
)  # fmt: skip
