"""What a request for a branch can be refused with: the status and the text of the answer. Pure."""

from emulator.branches.names import RULE
from emulator.errors import ApiError


def no_branch(name: str) -> ApiError:
    """There is none."""
    return ApiError(404, "branch_not_found", f"there is no branch {name!r}")


def no_snapshot(name: str) -> ApiError:
    """There is none."""
    return ApiError(404, "snapshot_not_found", f"there is no snapshot {name!r}")


def bad_name(name: object) -> ApiError:
    """A name that no branch may have."""
    return ApiError(400, "bad_name", f"{str(name)[:80]!r} can't be a name: {RULE}, and not main")


def bad_request(reason: str) -> ApiError:
    """A body that can't be read."""
    return ApiError(400, "bad_request", reason)


def is_taken(kind: str, name: str) -> ApiError:
    """The name is in use."""
    return ApiError(409, "name_taken", f"there is a {kind} {name!r} already")


def too_many_open(most: int) -> ApiError:
    """Every open branch is in use."""
    return ApiError(
        503, "too_many_open", f"{most} branches are in use at once, which is the most: MUSTER_BRANCHES_MAX_OPEN"
    )


def not_built(reason: str) -> ApiError:
    """What branches start from could not be made."""
    return ApiError(422, "base_failed", reason)


def still_in_use(reason: str) -> ApiError:
    """Sessions of a database did not end."""
    return ApiError(409, "still_in_use", reason)


def unavailable(reason: str) -> ApiError:
    """The database does not answer."""
    return ApiError(503, "database_unavailable", reason)


def no_route() -> ApiError:
    """No such endpoint."""
    return ApiError(404, "not_found", "there is no such endpoint")
