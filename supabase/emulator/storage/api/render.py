"""Images in another size or format: /render/image/public, /authenticated and /sign."""

from typing import Any

from emulator.storage.api.read import (
    Options,
    Row,
    cached_headers,
    expires_of,
    find_public,
    find_signed,
    modified_at_of,
    open_version,
    query_text,
    send_object,
)  # fmt: skip
from emulator.storage.changes import visible_row
from emulator.storage.images.options import TRANSFORM, parse_transformations, plan_transform, transformations
from emulator.storage.service import Context
from emulator.storage.signing import Scope, verify_signature
from emulator.storage.wire.caching import check_headers, disposition, http_date, robots_tag, safety_headers
from emulator.storage.wire.names import check_key
from emulator.storage.wire.response import Response

_SVG = "image/svg+xml"


async def render_public(context: Context) -> Response:
    """An image of a public bucket."""
    options, download = _options(context)
    return await _render(context, await find_public(context), options, Options(download))


async def render_authenticated(context: Context) -> Response:
    """An image that the caller sees."""
    options, download = _options(context)
    actor, request = context.user(), context.request
    check_key(request.key)
    row = await visible_row(context, actor, request.bucket, request.key)
    return await _render(context, row, options, Options(download))


async def render_signed(context: Context) -> Response:
    """An image by a signed URL: the token says how it is transformed."""
    download = query_text(context, "download")
    claims = verify_signature(context, Scope.DOWNLOAD)
    options = parse_transformations(str(claims.get("transformations") or ""))
    if claims.get("format"):
        options["format"] = str(claims["format"])
    row = await find_signed(context)
    return await _render(context, row, options, Options(download, expires_of(claims)))


def _options(context: Context) -> tuple[dict[str, Any], str | None]:
    download = query_text(context, "download")
    return TRANSFORM.read(dict(context.request.query), "querystring"), download


async def _render(context: Context, row: Row, options: dict[str, Any], sending: Options) -> Response:
    listed = transformations(options, context.settings.images.bounds)
    transformed = [("x-transformations", ",".join(listed))] if listed else []
    metadata: Row = row["metadata"] or {}
    if str(metadata.get("mimetype") or "").startswith(_SVG):  # as it is: no renderer, no script
        response = await send_object(context, row, sending)
        response.headers += transformed
        return response
    # The source is opened so that it stays while it is rendered, whatever happens to the object.
    source = await open_version(context, row)
    try:
        accept = context.request.header("accept") or ""
        plan = plan_transform(options, accept, context.settings.images.bounds)
        made = await context.service.renderer.render(source, row["version"], plan)
    finally:
        await source.close()
    reading = await context.service.disk.open_file(made)
    etag = str(metadata.get("eTag") or "")
    mime_type = f"image/{made.suffix.removeprefix('.')}"
    headers = [
        ("accept-ranges", "bytes"),
        ("content-type", mime_type),
        ("etag", etag),
        ("x-robots-tag", robots_tag(metadata)),
        ("last-modified", http_date(modified_at_of(metadata, reading.modified_at))),
        *cached_headers(context, metadata, etag, sending),
        *transformed,
        *disposition(sending.download),
        *([] if options.get("format") else [("vary", "Accept")]),
        *safety_headers(mime_type),
    ]
    try:
        check_headers(headers)
    except BaseException:
        await reading.close()
        raise
    return Response(200, headers, None, reading.pieces(0, reading.size), reading.size, reading.close)
