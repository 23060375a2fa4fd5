"""Signed URLs: POST /object/sign/B/P, /object/sign/B and /object/upload/sign/B/P."""

from typing import Any

from emulator.storage import uploads
from emulator.storage.api.checks import require_header
from emulator.storage.api.upload import decode_metadata
from emulator.storage.changes import visible_row
from emulator.storage.database import objects
from emulator.storage.database.session import documents
from emulator.storage.errors import invalid_parameter
from emulator.storage.images.options import TRANSFORM, transformations
from emulator.storage.service import Context
from emulator.storage.signing import Scope
from emulator.storage.uploads import Upload
from emulator.storage.wire.bodies import read_json, read_object
from emulator.storage.wire.names import check_key
from emulator.storage.wire.response import Response, json_response
from emulator.storage.wire.validation import MAX_SAFE_INTEGER, Schema, integer, nested, texts

_LIFETIME = integer(1, None)
_ONE = Schema({"expiresIn": _LIFETIME, "transform": nested(TRANSFORM)}, required=("expiresIn",))
_MANY = Schema({"expiresIn": _LIFETIME, "paths": texts(least=1, most=1000)}, required=("expiresIn", "paths"))
_LAST_S = MAX_SAFE_INTEGER // 1000  # when the last token ends, in seconds since 1970
_REFUSED = "Either the object does not exist or you do not have access to it"


async def sign(context: Context) -> Response:
    """A URL for one object that the caller sees."""
    wanted = await read_object(context.request, _ONE)
    require_header(context)
    actor, request = context.user(), context.request
    _check_lifetime(context, wanted["expiresIn"])
    check_key(request.key)
    await visible_row(context, actor, request.bucket, request.key)
    claims: dict[str, Any] = {}
    settings = context.settings.images
    if settings.enabled:
        transform = wanted.get("transform") or {}
        if listed := ",".join(transformations(transform, settings.bounds, for_token=True)):
            claims["transformations"] = listed
        if transform.get("format"):
            claims["format"] = transform["format"]
    url = f"{request.bucket}/{request.key}"
    claims |= {"url": url, "scope": Scope.DOWNLOAD.value}
    minted = context.service.tokens.mint(claims, wanted["expiresIn"])
    folder = "render/image" if "transformations" in claims else "object"
    return json_response({"signedURL": f"/{folder}/sign/{url}?token={minted.token}"})


async def sign_many(context: Context) -> Response:
    """URLs for several; one that can't be had does not spoil the others."""
    wanted = await read_object(context.request, _MANY)
    require_header(context)
    actor, bucket = context.user(), context.request.bucket
    _check_lifetime(context, wanted["expiresIn"])
    (rows,) = await context.db.run(actor, objects.existing(bucket, wanted["paths"]))
    visible = {row["name"] for row in documents(rows)}
    answers: list[dict[str, Any]] = []
    for path in wanted["paths"]:
        if path not in visible:
            answers.append({"error": _REFUSED, "path": path, "signedURL": None})
            continue
        url = f"{bucket}/{path}"
        minted = context.service.tokens.mint({"url": url, "scope": Scope.DOWNLOAD.value}, wanted["expiresIn"])
        answers.append({"error": None, "path": path, "signedURL": f"/object/sign/{url}?token={minted.token}"})
    return json_response(answers)


def _check_lifetime(context: Context, seconds: int) -> None:
    if seconds > _LAST_S - context.service.clock.time():
        raise invalid_parameter("expiresIn")


async def sign_upload(context: Context) -> Response:
    """A URL to upload to, for who may upload there."""
    request = context.request
    await read_json(request)
    require_header(context)
    actor, owner = context.user(), context.owner()
    is_upsert = request.header("x-upsert") == "true"
    metadata: dict[str, Any] = {}
    if request.header("content-type"):
        metadata["mimetype"] = request.header("content-type")
    if request.content_length is not None:
        metadata["contentLength"] = request.content_length
    user_metadata = decode_metadata(request.header("x-metadata"))
    upload = Upload(request.bucket, request.key, "", "", owner, is_upsert, user_metadata)
    await uploads.test_row(context, upload, actor, metadata)
    url = f"{request.bucket}/{request.key}"
    claims: dict[str, Any] = {} if owner is None else {"owner": owner}
    claims |= {"url": url, "upsert": is_upsert, "scope": Scope.UPLOAD.value}
    minted = context.service.tokens.mint(claims, context.settings.upload_url_s)
    return json_response({"url": f"/object/upload/sign/{url}?token={minted.token}", "token": minted.token})
