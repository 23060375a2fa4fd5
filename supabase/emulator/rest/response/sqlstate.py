"""Which HTTP status an SQLSTATE becomes. Pure.

Source: PostgREST reference, "Errors from PostgreSQL".
"""

# The longest prefix that is listed counts; what is not listed is 400.
_STATUS_BY_PREFIX = {
    "08": 503,
    "09": 500,
    "0L": 403,
    "0P": 403,
    "21000": 500,
    "23503": 409,
    "23505": 409,
    "25": 500,
    "25006": 405,
    "28": 403,
    "2D": 500,
    "38": 500,
    "39": 500,
    "3B": 500,
    "40": 500,
    "42883": 404,
    "42P01": 404,
    "42P17": 500,
    "53": 503,
    "53400": 500,
    "54": 500,
    "55": 500,
    "57": 500,
    "57P01": 503,
    "58": 500,
    "F0": 500,
    "HV": 500,
    "P0": 500,
    "P0001": 400,
    "XX": 500,
}


def http_status(sqlstate: str, message: str, *, is_anonymous: bool) -> int:
    """Return the HTTP status of a database error."""
    if sqlstate == "42501":
        return 401 if is_anonymous else 403
    if sqlstate == "21000" and message.endswith("requires a WHERE clause"):
        return 400
    if sqlstate == "22023" and message.startswith("role ") and message.endswith(" does not exist"):
        return 401
    if sqlstate == "42883" and message.startswith("function xmlagg("):
        return 406
    if sqlstate.startswith("PT"):
        return int(sqlstate[2:]) if sqlstate[2:].isdigit() and 100 <= int(sqlstate[2:]) <= 999 else 500
    return _STATUS_BY_PREFIX.get(sqlstate, _STATUS_BY_PREFIX.get(sqlstate[:2], 400))
