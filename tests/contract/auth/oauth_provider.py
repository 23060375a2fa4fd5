"""A small OpenID Connect provider on loopback: discovery, authorization with PKCE, tokens, userinfo, keys.

It is a realm of Keycloak, too, at its own address.
"""

import base64
import hashlib
import json
import time
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlencode
from uuid import uuid4

import jwt as pyjwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route, Router

CLIENT_ID, CLIENT_SECRET = "client-of-tests", "secret-of-tests"
Json = dict[str, Any]


@dataclass
class OAuthProvider:
    """`person` is who signs in next."""

    url: str = ""
    person: Json = field(default_factory=dict)
    refuse: bool = False
    codes: dict[str, Json] = field(default_factory=dict)
    asked: list[dict[str, str]] = field(default_factory=list)
    key: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def app(self) -> Router:
        """The provider as an ASGI application."""
        return Router(
            [
                Route("/.well-known/openid-configuration", self._discovery),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
                Route("/userinfo", self._userinfo),
                Route("/keys", self._keys),
                Route("/protocol/openid-connect/auth", self._authorize),
                Route("/protocol/openid-connect/token", self._token, methods=["POST"]),
                Route("/protocol/openid-connect/userinfo", self._userinfo),
                Route("/protocol/openid-connect/certs", self._keys),
            ]
        )

    async def _discovery(self, _request: Request) -> Response:
        return JSONResponse(
            {
                "issuer": self.url, "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token", "userinfo_endpoint": f"{self.url}/userinfo",
                "jwks_uri": f"{self.url}/keys",
            }
        )  # fmt: skip

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        self.asked.append(asked)
        if self.refuse:
            answer = {"error": "access_denied", "error_description": "The user said no", "state": asked["state"]}
            return RedirectResponse(f"{asked['redirect_uri']}?{urlencode(answer)}", 302)
        code = uuid4().hex
        self.codes[code] = {**asked, "person": dict(self.person)}
        return RedirectResponse(f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}", 302)

    async def _token(self, request: Request) -> Response:
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        right = (
            asked is not None
            and asked.get("code_challenge", challenge) == challenge
            and (form["client_id"], form["client_secret"]) == (CLIENT_ID, CLIENT_SECRET)
            and form["redirect_uri"] == asked["redirect_uri"]
        )
        if not right or asked is None:
            return JSONResponse({"error": "invalid_grant"}, 400)
        token = base64.urlsafe_b64encode(json.dumps(asked["person"]).encode()).decode()
        return JSONResponse({"access_token": token, "refresh_token": "provider-refresh", "token_type": "Bearer"})

    async def _userinfo(self, request: Request) -> Response:
        token = request.headers["authorization"].removeprefix("Bearer ")
        return JSONResponse(json.loads(base64.urlsafe_b64decode(token)))

    async def _keys(self, _request: Request) -> Response:
        key = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
        return JSONResponse({"keys": [{**key, "kid": "k1", "alg": "RS256", "use": "sig"}]})

    def id_token(self, key: Any = None, **claims: Any) -> str:
        """An id_token about `person`."""
        now = int(time.time())
        own = {"iss": self.url, "aud": CLIENT_ID, "iat": now, "exp": now + 300}
        return pyjwt.encode({**own, **self.person, **claims}, key or self.key, "RS256", headers={"kid": "k1"})
