"""Cross-origin rules of every function: any origin may call, because tokens travel in headers and never in cookies."""

from emulator.asgi.cors import CorsPolicy, requested_or

CORS = CorsPolicy(
    methods=b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    allowed_headers=requested_or(b"authorization, apikey, content-type, x-client-info, x-region"),
    exposed=b"content-type, content-length, retry-after, x-relay-error",
    varies=True,
)
