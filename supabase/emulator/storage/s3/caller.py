"""Who sends an S3 request: the installation's key pair acts as the service role, a session as the user of its token."""

from dataclasses import dataclass
from datetime import UTC, datetime

from emulator import jwt
from emulator.principal import Principal
from emulator.storage.database.session import Actor
from emulator.storage.errors import StorageError, access_denied
from emulator.storage.s3.signature import (
    ChunkVerifier,
    ClientSignature,
    KeyPair,
    SignedRequest,
    Verifier,
    read_signature,
)  # fmt: skip
from emulator.storage.service import Context
from emulator.storage.tokens import TokenError
from emulator.storage.tus.protocol import origin_of

_SESSION_REFUSAL = (
    "The request signature we calculated does not match the signature you provided, Check your credentials. "
    "The session token should be a valid JWT token"
)


@dataclass(frozen=True)
class Caller:
    """Whom transactions act as, who owns what is written, and how the chunks of a body are verified."""

    actor: Actor
    owner: str | None
    chunks: ChunkVerifier | None = None


def authenticate(context: Context) -> Caller:
    """The caller of a request that is signed in its header or query. Raises StorageError."""
    request = context.request
    client = read_signature(request.headers, request.query, datetime.now(UTC))
    verifier = verifier_for(context, client)
    signed = SignedRequest(
        request.method, _prefix(context) + request.path, request.query, request.headers, _host(context)
    )
    try:
        verifier.verify(client, signed)
    except StorageError as error:
        if client.session_token and error.code == "SignatureDoesNotMatch":
            error.message = _SESSION_REFUSAL
        raise
    is_streamed = (client.payload_hash or "").startswith("STREAMING-AWS4-HMAC-SHA256-PAYLOAD")
    return caller_of(context, client, verifier.chunk_verifier(client) if is_streamed else None)


def verifier_for(context: Context, client: ClientSignature) -> Verifier:
    """The keys that this signature has to be made with. Raises StorageError."""
    settings = context.settings
    if client.session_token:
        anon_key = settings.anon_key or jwt.sign({"role": "anon", "iss": "supabase"}, settings.jwt_secret)
        keys = KeyPair(settings.tenant, anon_key)
    else:
        keys = KeyPair(settings.s3_protocol.access_key_id, settings.s3_protocol.access_key_secret)
        if not keys.access_key or not keys.secret:
            raise access_denied("Missing S3 Protocol Access Key ID or Secret Key Environment variables")
    return Verifier(keys, settings.bucket_backend.region, enforce_region=settings.s3_protocol.enforce_region)


def caller_of(context: Context, client: ClientSignature, chunks: ChunkVerifier | None = None) -> Caller:
    """Whom a verified signature stands for. Raises AccessDenied for a session token that is none."""
    if not client.session_token:
        return Caller(context.superuser(), None, chunks)
    try:
        principal: Principal = context.service.tokens.principal(client.session_token)
    except TokenError as error:
        raise access_denied(str(error)) from error
    return Caller(context.actor(principal, client.session_token), principal.subject or None, chunks)


def _prefix(context: Context) -> str:
    settings = context.settings
    given = context.request.header("x-forwarded-prefix")
    if settings.allow_forwarded_path and given:
        return given.rstrip("/")
    return settings.s3_protocol.path_prefix.rstrip("/")


def _host(context: Context) -> str:
    request, settings = context.request, context.settings
    named = settings.s3_protocol.non_canonical_host
    if named and not settings.public_url and request.header(named.lower()):
        return str(request.header(named.lower())).lower()
    headers = {name: value for name, value in request.headers.items() if name != "forwarded"}
    return origin_of(headers, request.scheme, settings.public_url).partition("://")[2]
