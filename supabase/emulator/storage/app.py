"""The service as an ASGI application: bytes in, bytes out, errors turned into answers, start and stop. I/O.

Raw ASGI: a download is a stream of pieces, an upload is read as it is written to the disk.
"""

import asyncio
import logging

from emulator import jwt
from emulator.asgi.body import ClientDisconnected
from emulator.asgi.types import Headers, Receive, Scope, Send
from emulator.clock import MACHINE, Clock
from emulator.principal import Principal
from emulator.storage import routes
from emulator.storage.collector import Collector
from emulator.storage.database.session import Database
from emulator.storage.errors import (
    StorageError,
    compact,
    disk_full,
    internal_error,
    invalid_content_type,
    route_not_found,
)  # fmt: skip
from emulator.storage.files.backend import Backend, DiskFull
from emulator.storage.files.disk import Disk
from emulator.storage.files.partial import UploadStore
from emulator.storage.files.parts import PartStore
from emulator.storage.images.renderer import Renderer
from emulator.storage.lookups import PublicLookups
from emulator.storage.metrics import Counters
from emulator.storage.recent import Recent
from emulator.storage.router import Route, Router
from emulator.storage.service import Context, Service
from emulator.storage.settings import StorageSettings
from emulator.storage.tokens import SERVICE_ROLE, Tokens
from emulator.storage.unread import Body
from emulator.storage.wire.names import is_content_type
from emulator.storage.wire.request import BadUrl, StorageRequest
from emulator.storage.wire.response import JSON_TYPE, Response

log = logging.getLogger("emulator.storage")
_KNOWN_GROUPS = ("bucket", "object", "render/image", "cdn", "vector")


def create_app(settings: StorageSettings, clock: Clock = MACHINE) -> "StorageApp":
    """The service, at the root; it connects when its lifespan starts."""
    disk = Disk(settings.root, floor=settings.disk_floor, quota=settings.quota)
    db = Database(
        settings.database_url, settings.max_connections, settings.connection_timeout_ms / 1000,
        settings.statement_timeout_ms,
    )  # fmt: skip
    token = settings.service_key or jwt.sign({"role": SERVICE_ROLE, "iss": "supabase"}, settings.jwt_secret)
    tokens = Tokens(settings.jwt_secret, settings.jwt_jwks, clock.time)
    renderer = Renderer(settings.images, disk)
    principal = Principal(SERVICE_ROLE, {"role": SERVICE_ROLE, "iss": "supabase"})
    files = _bucket_files(settings, disk) if settings.backend == "s3" else disk
    service = Service(
        settings, tokens, db, files, disk, UploadStore(disk), PartStore(disk), renderer, PublicLookups(db), Recent(),
        principal, token, clock,
    )  # fmt: skip
    return StorageApp(service)


def _bucket_files(settings: StorageSettings, disk: Disk) -> Backend:
    from emulator.storage.remote.client import BucketClient  # where files are on the disk, neither it nor XML is loaded
    from emulator.storage.remote.files import BucketFiles

    return BucketFiles(BucketClient(settings.bucket_backend), disk, settings.tenant)


class StorageApp:
    """The service as a server sees it."""

    def __init__(self, service: Service) -> None:
        self.service = service
        settings = service.settings
        self._router = Router(
            [
                *routes.ROUTES,
                *(routes.RENDER_ROUTES if settings.images.enabled else ()),
                *(routes.s3_routes() if settings.s3_protocol.enabled else ()),
            ]
        )
        self._collector = Collector(service)
        self._counters = Counters()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one exchange, or the lifespan."""
        if scope["type"] == "http":
            await self._serve(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)

    def metrics(self) -> str:
        """The service's metrics in Prometheus' text format."""
        return self._counters.text(self.service)

    async def _live(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await self.service.files.start()
                self.service.db.pool.start()
                self._collector.start()
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self._collector.stop()
                await self.service.renderer.close()
                await self.service.db.pool.close()
                await self.service.files.close()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = Body(receive, scope["headers"])
        try:
            response = await self._respond(scope, body.receive)
            await body.skip_small()
        except ClientDisconnected:
            return
        if body.is_unread:
            response.headers.append(("connection", "close"))
        try:
            sent = await _send_response(send, scope["method"], response, body)
        finally:
            if response.finish is not None:
                await response.finish()
        self._counters.sent += sent

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        method: str = scope["method"]
        raw: bytes = scope.get("raw_path") or scope["path"].encode()
        path = raw.partition(b"?")[0].decode("latin-1")
        query = scope["query_string"].decode("latin-1")
        try:
            match = self._router.find(method, path)
        except BadUrl:
            return _bad_url(_url(path, query))
        if match is None:
            return _unknown_route(method, path, query)
        scheme = scope.get("scheme", "http")
        request = StorageRequest(method, path, query, scope["headers"], receive, match.params, scheme)
        try:
            return await self._handle(match.route, request)
        except StorageError as error:
            return error_response(error)

    async def _handle(self, route: Route, request: StorageRequest) -> Response:
        if request.method not in ("GET", "HEAD"):
            content_type = request.header("content-type")
            if content_type is not None and not is_content_type(content_type):
                raise invalid_content_type()
        try:
            return await route.handler(Context(self.service, request, route.operation))
        except (StorageError, ClientDisconnected, asyncio.CancelledError):
            raise
        except DiskFull as error:
            raise disk_full() from error
        except Exception as error:
            log.error("unexpected failure in %s %s", request.method, request.path, exc_info=error)
            raise internal_error() from error


def error_response(error: StorageError) -> Response:
    """An error as the JSON routes send it."""
    headers = [("content-type", JSON_TYPE), *error.headers]
    return Response(error.sent_status, headers, error.body())


def _bad_url(part: str) -> Response:
    document = {
        "error": "Bad Request",
        "code": "FST_ERR_BAD_URL",
        "message": f"'{part}' is not a valid url component",
        "statusCode": 400,
    }
    return Response(400, [("content-type", "application/json")], compact(document))


def _unknown_route(method: str, path: str, query: str) -> Response:
    if any(f"{path}/".startswith(f"/{group}/") for group in _KNOWN_GROUPS):
        error = route_not_found(method, _url(path, query))
        return Response(error.sent_status, [("content-type", "application/json")], error.body())
    text = f"Route {method}:{_url(path, query)} not found"
    document = {"message": text, "error": "Not Found", "statusCode": 404}
    return Response(404, [("content-type", JSON_TYPE)], compact(document))


def _url(path: str, query: str) -> str:
    """Path and query, as they came."""
    return f"{path}?{query}" if query else path


async def _send_response(send: Send, method: str, response: Response, body: Body) -> int:
    """Send it; how many bytes of body that were. A client that is still sending gets time to read it."""
    headers: Headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
    length = response.length
    if length is None and response.body is not None and response.stream is None:
        length = len(response.body)
    if length is not None and response.status != 204:
        headers.append((b"content-length", b"%d" % length))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    if method == "HEAD" or response.stream is None:
        content = b"" if method == "HEAD" else response.body or b""
        await send({"type": "http.response.body", "body": content, "more_body": body.is_unread})
        if body.is_unread:
            await body.linger()
            await send({"type": "http.response.body", "body": b""})
        return len(content)
    return await _send_stream(send, response)


async def _send_stream(send: Send, response: Response) -> int:
    """Send pieces; the last one ends the answer, so that a small file is one message."""
    assert response.stream is not None
    sent, waiting = 0, b""
    async for piece in response.stream:
        if sent:
            await send({"type": "http.response.body", "body": waiting, "more_body": True})
        waiting = piece
        sent += len(piece)
    await send({"type": "http.response.body", "body": waiting})
    return sent
