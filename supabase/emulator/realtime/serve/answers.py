"""Answers of the HTTP side."""

from starlette.responses import Response

# As the original: on every answer, whether it is one to a preflight or not.
CORS = {
    "access-control-allow-origin": "*",
    "access-control-allow-headers": "authorization, apikey, content-type, x-client-info, x-supabase-api-version",
    "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
}


def answer(status: int, body: str = "") -> Response:
    """An answer of JSON text or, when `body` is no object or array, of plain text."""
    kind = "application/json" if body.startswith(("{", "[")) else "text/plain"
    return Response(body, status, headers={**CORS, "content-type": f"{kind}; charset=utf-8"})
