"""The errors of this project's functions, beside the runtime's own: one named constructor each."""

from emulator.errors import ApiError


def too_many_requests(retry_after_s: int) -> ApiError:
    headers = (("retry-after", str(retry_after_s)),)
    return ApiError(429, "TOO_MANY_REQUESTS", "Too many requests, try again later", headers=headers)


def too_many_mails(retry_after_s: int) -> ApiError:
    headers = (("retry-after", str(retry_after_s)),)
    return ApiError(429, "TOO_MANY_MAILS", "Too many mails, try again later", headers=headers)


def queue_full() -> ApiError:
    return ApiError(503, "QUEUE_FULL", "Too many mails are waiting, try again later", headers=(("retry-after", "60"),))


def members_only() -> ApiError:
    return ApiError(401, "MEMBERS_ONLY", "Only a signed-in member may send this notification")


def admins_only() -> ApiError:
    return ApiError(403, "ADMINS_ONLY", "Only an admin may send this notification")


def suspended() -> ApiError:
    """The token is still valid, but the account was suspended or deleted since."""
    return ApiError(403, "SUSPENDED", "This account is suspended")


def nothing_to_notify() -> ApiError:
    """The same whether the address is unknown, is a stranger's, or the event is missing, old or already mailed."""
    return ApiError(403, "NOTHING_TO_NOTIFY", "Nothing you did just now calls for this mail")
