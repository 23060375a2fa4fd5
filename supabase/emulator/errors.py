"""The shape of every error that is meant for a client. Each protocol's catalog is its own errors.py."""

from dataclasses import dataclass, field


@dataclass(eq=False)  # not frozen: contextlib must be able to set __traceback__
class ApiError(Exception):
    """An answer meant for the client: `code` is wire contract, `message` is for people."""

    status: int
    code: str
    message: str
    details: object | None = None
    hint: str | None = None
    headers: tuple[tuple[str, str], ...] = field(default=())

    def __post_init__(self) -> None:
        super().__init__(self.message)
