"""What comes before the rule of every route: the header that has to be there."""

from emulator.storage.errors import invalid_input
from emulator.storage.service import Context


def require_header(context: Context) -> None:
    """An Authorization header, be it empty. Raises StorageError."""
    if context.request.header("authorization") is None:
        raise invalid_input("headers must have required property 'authorization'")
