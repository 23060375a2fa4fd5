"""API keys: known strings compared literally, opaque forms replaced by the role's JSON Web Token. Pure.

sb_publishable_... and sb_secret_... exist in the gateway only; the services behind it see the JWT of the role.
"""

from dataclasses import dataclass

from emulator.asgi.headers import bearer_token, find_header
from emulator.asgi.response import respond
from emulator.asgi.types import ASGIApp, Headers, Receive, Scope, Send


@dataclass(frozen=True)
class ApiKeys:
    """The four keys of a stack: two JSON Web Tokens and their opaque twins."""

    anon: str
    service_role: str
    publishable: str
    secret: str

    def jwt_for(self, key: str) -> str | None:
        """The role's JWT for any of the four keys; None for an unknown key."""
        return {
            self.anon: self.anon, self.publishable: self.anon,
            self.service_role: self.service_role, self.secret: self.service_role,
        }.get(key)  # fmt: skip

    def is_service(self, key: str) -> bool:
        """Whether a key (opaque or JWT) is one of the service role."""
        return key in (self.service_role, self.secret)


class KeyTable:
    """Checks keys and rewrites the headers of requests; the look-up table is made once."""

    def __init__(self, keys: ApiKeys) -> None:
        self._service = {keys.service_role.encode(), keys.secret.encode()}
        self._jwt = {
            key.encode(): jwt.encode()
            for key in (keys.anon, keys.publishable, keys.service_role, keys.secret)
            if (jwt := keys.jwt_for(key)) is not None
        }

    def known(self, key: bytes) -> bool:
        """Whether this is one of the stack's four keys."""
        return key in self._jwt

    def is_service(self, key: bytes) -> bool:
        """Whether this is one of the two keys of the service role."""
        return key in self._service

    def rewrite(self, headers: Headers, apikey: bytes | None) -> Headers:
        """The headers for the service behind: opaque keys replaced, a missing Authorization filled from the key.

        A user's own token is never replaced.
        """
        rewritten: Headers = []
        authorized = False
        for name, value in headers:
            if name == b"authorization":
                rewritten.append((name, self._authorization(value)))
                authorized = True
            elif name == b"apikey":
                rewritten.append((name, self._jwt.get(value, value)))
            else:
                rewritten.append((name, value))
        if not authorized and apikey is not None and (jwt := self._jwt.get(apikey)) is not None:
            rewritten.append((b"authorization", b"Bearer " + jwt))
        return rewritten

    def _authorization(self, value: bytes) -> bytes:
        scheme, _, token = value.partition(b" ")
        if scheme.lower() != b"bearer":
            return value
        jwt = self._jwt.get(token.strip())
        return value if jwt is None else b"Bearer " + jwt


class WithServiceKey:
    """An ASGI application for those who have a key of the service role, as apikey or as bearer token.

    The gateways of projects check no keys (MUSTER_CHECK_KEYS); this one is checked everywhere.
    """

    def __init__(self, app: ASGIApp, keys: ApiKeys) -> None:
        self._app, self._keys = app, KeyTable(keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one exchange."""
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            await send({"type": "lifespan.shutdown.complete"})
            return
        headers = scope["headers"]
        key = find_header(headers, b"apikey") or bearer_token(find_header(headers, b"authorization"))
        if key is None or not self._keys.is_service(key):
            body = b'{"code":"no_service_key","message":"this needs a key of the service role"}'
            await respond(send, 401, [(b"content-type", b"application/json")], body)
            return
        await self._app(scope, receive, send)
