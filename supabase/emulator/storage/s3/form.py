"""PostObject: an upload by a form whose policy is signed."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime

from emulator.storage.api.upload import begin_form
from emulator.storage.errors import entity_too_small, missing_parameter
from emulator.storage.s3.call import Call
from emulator.storage.s3.caller import caller_of, verifier_for
from emulator.storage.s3.objects import OCTETS, store
from emulator.storage.s3.policy import check_policy
from emulator.storage.s3.signature import read_form
from emulator.storage.service import Context
from emulator.storage.uploads import Upload
from emulator.storage.wire.response import Response

_MAX_FIELDS = 20


async def post(context: Context, bucket: str) -> Response:
    """POST of a form to a bucket. Fields come before the file. Raises StorageError."""
    part, pieces = await begin_form(context.request, context.request.header("content-type") or "", _MAX_FIELDS)
    client = read_form(part.fields)
    verifier_for(context, client).verify_policy(client)
    fields = {name.lower(): value for name, value in part.fields.items()}
    sizes = check_policy(client.policy or "", fields, bucket, datetime.now(UTC))
    if not fields.get("key"):
        raise missing_parameter("Key")
    caller = caller_of(context, client)
    metadata = {
        name.removeprefix("x-amz-meta-"): value for name, value in fields.items() if name.startswith("x-amz-meta-")
    }
    upload = Upload(
        bucket, fields["key"], fields.get("content-type") or OCTETS, fields.get("cache-control") or "no-cache",
        caller.owner, True, metadata,
    )  # fmt: skip
    call = Call(context, caller, bucket, fields["key"])
    return await store(call, upload, _at_least(pieces, sizes.least), sizes.most)


async def _at_least(pieces: AsyncIterator[bytes], least: int) -> AsyncIterator[bytes]:
    """The same bytes; a file that is too small is refused at its end, before anything stays of it."""
    size = 0
    async for piece in pieces:
        size += len(piece)
        yield piece
    if size < least:
        raise entity_too_small()
