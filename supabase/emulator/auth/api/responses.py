"""Responses: JSON, redirects, and errors in the version of the API that the client asks for."""

import html
import json
from collections.abc import Mapping
from datetime import date
from http import HTTPStatus
from typing import Any

from starlette.responses import Response

from emulator.auth import errors
from emulator.auth.models import factors, identities
from emulator.auth.models.payloads import user_payload
from emulator.auth.models.sql import Db, select_together
from emulator.auth.models.users import User
from emulator.auth.tokens.grant import Grant, grant_payload
from emulator.auth.tokens.sessions import session_headers
from emulator.auth.utilities.redirects import with_escaped_fragment, with_query
from emulator.errors import ApiError

VERSION_HEADER = "X-Supabase-Api-Version"
NEW_VERSION = "2024-01-01"


def json_response(payload: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Compact JSON."""
    text = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
    body = text.encode("utf-8", "replace")
    return Response(body, status, {"content-type": "application/json", **(headers or {})})


def empty_response(status: int = 204) -> Response:
    """No body."""
    return Response(status_code=status)


def redirect(url: str, status: int = 303, headers: Mapping[str, str] | None = None, method: str = "GET") -> Response:
    """A redirect, with Go's note for browsers; the location loses control characters and what is not ASCII."""
    location = "".join(char for char in url if char >= " " and char != "\x7f")
    sent = {"location": location.encode("ascii", "ignore").decode(), **(headers or {})}
    if method != "GET":
        return Response(status_code=status, headers=sent)
    note = f'<a href="{html.escape(url).replace("&quot;", "&#34;").replace("&#x27;", "&#39;")}">'
    body = f"{note}{HTTPStatus(status).phrase}</a>.\n\n"
    return Response(body.encode("utf-8", "replace"), status, {**sent, "content-type": "text/html; charset=utf-8"})


def _wants_new_version(header: str) -> bool:
    """Whether X-Supabase-Api-Version asks for 2024-01-01 or later."""
    try:
        return date.fromisoformat(header) >= date.fromisoformat(NEW_VERSION)
    except ValueError:
        return False


def error_response(error: ApiError, version_header: str, error_id: str = "") -> Response:
    """An error as JSON: in the initial version, in that of 2024-01-01, or in OAuth's own form.

    One without a code has a general one in the body and none in a header. `error_id`: the request's id, if it has one.
    """
    headers = dict(error.headers)
    code = error.code or ("unexpected_failure" if error.status == 500 else "unknown")
    if isinstance(error, errors.OAuthError):
        return json_response({"error": error.code, "error_description": error.message}, status=400, headers=headers)
    weak = {"weak_password": {"reasons": list(error.reasons)}} if isinstance(error, errors.WeakPassword) else {}
    if _wants_new_version(version_header):
        headers[VERSION_HEADER] = NEW_VERSION
        if not weak and error.code:
            headers["x-sb-error-code"] = error.code
        return json_response({"code": code, "message": error.message, **weak}, status=error.status, headers=headers)
    if error.code:
        headers["x-sb-error-code"] = error.code
    named = {"error_id": error_id} if error.status >= 500 and error_id else {}
    body = {"code": error.status, "error_code": code, "msg": error.message, **named, **weak}
    return json_response(body, status=error.status, headers=headers)


def grant_headers(grant: Grant) -> dict[str, str]:
    """GoTrue's sb-auth-* headers of a new session, by JSON or by redirect."""
    return session_headers(grant.user.id, grant.session.id, grant.refresh_token)


def grant_response(
    grant: Grant, *, more: Mapping[str, Any] | None = None, provider_token: str = "", provider_refresh_token: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response:  # fmt: skip
    """The tokens of a sign-in, and `more` beside them; `headers` None: those of a new session."""
    payload = grant_payload(grant, provider_token=provider_token, provider_refresh_token=provider_refresh_token)
    return json_response(payload | dict(more or {}), headers=grant_headers(grant) if headers is None else headers)


async def load_user_payload(db: Db, user: User) -> dict[str, Any]:
    """A user with identities and factors, as the endpoints respond with it."""
    found_identities, found_factors = await select_together(
        db, identities.identities_query(user.id), factors.factors_query(user.id)
    )
    return user_payload(user, found_identities, found_factors)


OAUTH_ERRORS = {
    400: "invalid_request", 401: "unauthorized_client", 403: "access_denied", 500: "server_error",
    503: "temporarily_unavailable",
}  # fmt: skip


def error_url(target: str, error: ApiError, *, in_query: bool) -> str:
    """`target` with the error in its fragment, and with `in_query` in its query, too."""
    name = OAUTH_ERRORS.get(error.status)
    items = {"error": name} if name else {}
    items |= {"error_code": error.code, "error_description": error.message}
    return with_escaped_fragment(with_query(target, items) if in_query else with_query(target, {}), items)
