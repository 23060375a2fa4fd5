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


def members_only_files() -> ApiError:
    return ApiError(401, "MEMBERS_ONLY", "Sign in to upload files")


def admins_only_files() -> ApiError:
    return ApiError(403, "ADMINS_ONLY", "Only admins add covers to articles")


def no_upload() -> ApiError:
    return ApiError(404, "NO_UPLOAD", "The upload did not arrive, send it again")


def file_too_large() -> ApiError:
    return ApiError(413, "FILE_TOO_LARGE", "A file may have up to 20 MB")


def picture_too_large() -> ApiError:
    return ApiError(413, "PICTURE_TOO_LARGE", "A picture may have up to 10 MB")


def too_many_pixels() -> ApiError:
    return ApiError(413, "TOO_MANY_PIXELS", "A picture may have up to 50 megapixels")


def files_full(message: str) -> ApiError:
    """The database's own sentence, which says the limit."""
    return ApiError(413, "FILES_FULL", message)


def unknown_type(known: str = "JPEG, PNG, WebP and AVIF pictures") -> ApiError:
    """By content: whatever its name says."""
    return ApiError(415, "UNKNOWN_TYPE", f"This can't be read. Muster takes {known}.")


def too_many_files() -> ApiError:
    headers = (("retry-after", "5"),)
    return ApiError(503, "TOO_MANY_FILES", "Too many files arrive at the moment, try again", headers=headers)


def storage_unavailable() -> ApiError:
    headers = (("retry-after", "5"),)
    return ApiError(503, "STORAGE_UNAVAILABLE", "Files can't be kept at the moment, try again", headers=headers)


def unknown_calendar() -> ApiError:
    """The same whether the address was never given, was revoked, or is a suspended member's."""
    headers = (("cache-control", "private, no-store"),)
    return ApiError(404, "NO_CALENDAR", "There is no calendar at this address", headers=headers)


def unknown_training() -> ApiError:
    """The same whether it does not exist or the caller may not see it."""
    return ApiError(404, "NO_TRAINING", "There is no such training")


def members_only_calendar() -> ApiError:
    return ApiError(401, "MEMBERS_ONLY", "Sign in to get this training")


def members_only_record() -> ApiError:
    return ApiError(401, "MEMBERS_ONLY", "Sign in to get your record")


def unknown_record() -> ApiError:
    """The same whether it does not exist, is another member's, or is turned off."""
    return ApiError(404, "NO_RECORD", "There is no such record")


def too_many_records() -> ApiError:
    headers = (("retry-after", "5"),)
    return ApiError(503, "TOO_MANY_RECORDS", "Too many records are made at the moment, try again", headers=headers)


def record_not_set() -> ApiError:
    return ApiError(500, "RECORD_NOT_SET", "The PDF could not be made; the JSON has the same record")


def members_only_push() -> ApiError:
    return ApiError(401, "MEMBERS_ONLY", "Sign in to be told on a device")


def unknown_device() -> ApiError:
    """The same whether it does not exist or is another member's."""
    return ApiError(404, "NO_DEVICE", "You are not told on such a device")


def push_is_off() -> ApiError:
    return ApiError(404, "PUSH_OFF", "This site has no keys for notifications on devices")
