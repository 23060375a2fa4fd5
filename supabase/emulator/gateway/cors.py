"""Cross-origin rules of the API paths, as on the hosted service: any origin may ask, tokens travel in headers."""

from emulator.asgi.cors import CorsPolicy, requested_or

CORS = CorsPolicy(
    methods=b"GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    allowed_headers=requested_or(b"authorization, apikey, content-type, x-client-info"),
    exposed=b"Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Link, Location, Server, "
    b"Range-Unit, X-Total-Count, X-Supabase-Api-Version, x-relay-error, ETag, X-Transformations, Tus-Resumable, "
    b"Tus-Version, Tus-Extension, Tus-Max-Size, Upload-Offset, Upload-Length, Upload-Metadata, Upload-Expires",
    varies=True,
)
