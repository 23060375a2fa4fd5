"""The errors of the runtime: one named constructor each. `code` is the contract, `message` is for people."""

from emulator.errors import ApiError

RELAY = (("x-relay-error", "true"),)  # functions-js makes a FunctionsRelayError of it


def missing_token() -> ApiError:
    return ApiError(401, "UNAUTHORIZED_NO_AUTH_HEADER", "Missing authorization header", headers=RELAY)


def invalid_token() -> ApiError:
    return ApiError(401, "UNAUTHORIZED_INVALID_JWT", "Invalid JWT", headers=RELAY)


def unknown_function() -> ApiError:
    return ApiError(404, "NOT_FOUND", "Requested function was not found")


def broken_function() -> ApiError:
    return ApiError(503, "BOOT_ERROR", "Function failed to start (please check logs)")


def failed_function() -> ApiError:
    return ApiError(500, "INTERNAL_ERROR", "The function failed (please check logs)")


def timed_out() -> ApiError:
    return ApiError(504, "TIMEOUT", "The function did not answer in time")


def body_too_large(limit_bytes: int) -> ApiError:
    return ApiError(413, "BODY_TOO_LARGE", f"The body may have up to {limit_bytes} bytes")


def no_upgrade() -> ApiError:
    return ApiError(501, "UPGRADE_NOT_SUPPORTED", "Functions answer plain requests only")


def method_not_allowed(allowed: str) -> ApiError:
    return ApiError(405, "METHOD_NOT_ALLOWED", f"Only {allowed} is answered here", headers=(("allow", allowed),))


def invalid_body(what: str) -> ApiError:
    return ApiError(400, "INVALID_BODY", what)


def database_unavailable() -> ApiError:
    headers = (("retry-after", "2"),)
    return ApiError(503, "DATABASE_UNAVAILABLE", "The database can't be reached, try again later", headers=headers)
