"""Errors of PostgreSQL, and of the connection to it, as PostgREST reports them. Pure."""

from emulator.db.statement import ConnectionFailed, ConnectionLost, PoolTimeout, StatementError
from emulator.errors import ApiError
from emulator.json_object import read_json_object
from emulator.rest import errors
from emulator.rest.response.sqlstate import http_status

_MESSAGE_HINT = (
    "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
)
_DETAIL_HINT = "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."


def to_api_error(error: Exception, *, is_anonymous: bool) -> tuple[ApiError, str | None]:
    """Return the error and, where SQL chose one, the reason phrase."""
    if isinstance(error, StatementError):
        return _from_statement(error, is_anonymous)
    if isinstance(error, PoolTimeout):
        return errors.pool_timeout(), None
    if isinstance(error, ConnectionFailed):
        return errors.connection_failed(str(error)), None
    if isinstance(error, ConnectionLost):
        return errors.connection_lost(str(error)), None
    raise error


def _from_statement(error: StatementError, is_anonymous: bool) -> tuple[ApiError, str | None]:
    sqlstate, message = error.sqlstate, error.message
    if not sqlstate:
        return errors.connection_lost(message), None
    if sqlstate == "PGRST":
        return _from_raise(error)
    status = http_status(sqlstate, message, is_anonymous=is_anonymous)
    headers = (("WWW-Authenticate", "Bearer"),) if status == 401 else ()
    reason = message if sqlstate.startswith("PT") else None
    return ApiError(status, sqlstate, message, error.detail, error.hint, headers), reason


def _from_raise(error: StatementError) -> tuple[ApiError, str | None]:
    """Read RAISE SQLSTATE 'PGRST': the message is the body, the detail status and headers."""
    body = read_json_object(error.message)
    if body is None or not isinstance(body.get("code"), str) or not isinstance(body.get("message"), str):
        return errors.bad_raise(f"Invalid JSON value for MESSAGE: '{error.message}'", _MESSAGE_HINT), None
    if error.detail is None:
        return errors.bad_raise("DETAIL is missing in the RAISE statement", _DETAIL_HINT), None
    answer = read_json_object(error.detail)
    headers = answer.get("headers") if answer else None
    status = answer.get("status") if answer else None
    is_valid = isinstance(headers, dict) and all(isinstance(value, str) for value in headers.values())
    if not is_valid or not isinstance(status, int) or isinstance(status, bool) or not 100 <= status <= 999:
        return errors.bad_raise(f"Invalid JSON value for DETAIL: '{error.detail}'", _DETAIL_HINT), None
    assert answer is not None
    assert isinstance(headers, dict)
    text = answer.get("status_text")
    api_error = ApiError(
        status, body["code"], body["message"], body.get("details"), body.get("hint"), tuple(headers.items())
    )
    return api_error, text if isinstance(text, str) else None
