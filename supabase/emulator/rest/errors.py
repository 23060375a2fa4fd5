"""The error catalog of PostgREST: a constructor per error, with its code and status. Pure.

Retired codes, never to be used again: PGRST104, 109, 110, 113, 119.
"""

from collections.abc import Sequence

from emulator.errors import ApiError


def _error(status: int, code: str, message: str, details: object | None = None, hint: str | None = None) -> ApiError:
    return ApiError(status, code, message, details, hint)


# Connections


def connection_failed(reason: str) -> ApiError:
    return _error(503, "PGRST000", "Database connection error.", reason)


def connection_lost(reason: str) -> ApiError:
    return _error(503, "PGRST001", "Database client error. Retrying the connection.", reason)


def schema_cache_missing() -> ApiError:
    return _error(503, "PGRST002", "Could not query the database for the schema cache. Retrying.")


def pool_timeout() -> ApiError:
    return _error(504, "PGRST003", "Timed out acquiring connection from connection pool.")


# Requests


def parse_failed(source: str, line: int, column: int, details: str) -> ApiError:
    return _error(400, "PGRST100", f'"failed to parse {source}" (line {line}, column {column})', details)


def embeds_itself_too_often(relation: str, most: int) -> ApiError:
    """Not PostgREST's, which has no such limit."""
    message = f"'{relation}' is embedded within itself too often"
    return _error(400, "PGRST100", message, f"A relation may come {most} times on the way to an embedded resource")


def method_not_allowed_on_rpc(method: str) -> ApiError:
    return _error(405, "PGRST101", f"Cannot use the {method} method on RPC")


def invalid_body(reason: str) -> ApiError:
    return _error(400, "PGRST102", reason)


def invalid_json() -> ApiError:
    return invalid_body("Empty or invalid json")


def uneven_keys() -> ApiError:
    return invalid_body("All object keys must match")


def body_too_large(what: str, limit: int) -> ApiError:
    """Not PostgREST's: it has no limits for bodies."""
    return _error(413, "PGRST102", f"Request body too large: {what} may have {limit} bytes")


def body_too_complex() -> ApiError:
    """Not PostgREST's either: a body of so many parts that reading it takes too much memory."""
    return _error(413, "PGRST102", "Request body too large: it has too many parts")


def range_not_satisfiable(details: str) -> ApiError:
    return _error(416, "PGRST103", "Requested range not satisfiable", details)


def negative_limit() -> ApiError:
    return range_not_satisfiable("Limit should be greater than or equal to zero.")


def reversed_range() -> ApiError:
    return range_not_satisfiable(
        "The lower boundary must be lower than or equal to the upper boundary in the Range header."
    )


def offset_beyond_end(offset: int, total: int) -> ApiError:
    return range_not_satisfiable(f"An offset of {offset} was requested, but there are only {total} rows.")


def put_filters() -> ApiError:
    message = "Filters must include all and only primary key columns with 'eq' operators"
    return _error(405, "PGRST105", message)


def schema_not_exposed(schema: str, exposed: Sequence[str]) -> ApiError:
    hint = f"Only the following schemas are exposed: {', '.join(exposed)}"
    return _error(406, "PGRST106", f"Invalid schema: {schema}", None, hint)


def not_acceptable(media_types: Sequence[str]) -> ApiError:
    return _error(406, "PGRST107", f"None of these media types are available: {', '.join(media_types)}")


def not_embedded(target: str) -> ApiError:
    hint = f"Verify that '{target}' is included in the 'select' query parameter."
    return _error(400, "PGRST108", f"'{target}' is not an embedded resource in this request", None, hint)


def target_has_alias(target: str, alias: str) -> ApiError:
    return _error(
        400,
        "PGRST108",
        f"'{target}' is not an embedded resource in this request",
        "Target names are not allowed in filters if they have an alias",
        f"Change '{target}' to '{alias}' in filters, orders or limits.",
    )


def bad_response_headers() -> ApiError:
    message = "response.headers guc must be a JSON array composed of objects with a single key and a string value"
    return _error(500, "PGRST111", message)


def bad_response_status() -> ApiError:
    return _error(500, "PGRST112", "response.status guc must be a valid status code")


def put_limits() -> ApiError:
    return _error(400, "PGRST114", "limit/offset querystring parameters are not allowed for PUT")


def put_key_mismatch() -> ApiError:
    return _error(400, "PGRST115", "Payload values do not match URL in primary key column(s)")


def not_single(rows: int) -> ApiError:
    details = f"The result contains {rows} rows"
    return _error(406, "PGRST116", "Cannot coerce the result to a single JSON object", details)


def unsupported_method(method: str) -> ApiError:
    return _error(405, "PGRST117", f"Unsupported HTTP method: {method}")


def related_order_impossible(origin: str, target: str) -> ApiError:
    details = f"'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship"
    return _error(400, "PGRST118", f"A related order on '{target}' is not possible", details)


def bad_raise(details: str, hint: str) -> ApiError:
    return _error(500, "PGRST121", "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error", details, hint)


def invalid_preferences(preferences: Sequence[str]) -> ApiError:
    details = f"Invalid preferences: {', '.join(preferences)}"
    return _error(400, "PGRST122", "Invalid preferences given with handling=strict", details)


def aggregates_disabled() -> ApiError:
    return _error(400, "PGRST123", "Use of aggregate functions is not allowed")


def too_many_affected(rows: int) -> ApiError:
    details = f"The query affects {rows} rows"
    return _error(400, "PGRST124", "Query result exceeds max-affected preference constraint", details)


def invalid_path() -> ApiError:
    return _error(404, "PGRST125", "Invalid path specified in request URL")


def root_disabled() -> ApiError:
    return _error(404, "PGRST126", "Root endpoint metadata is disabled")


def spread_aggregates() -> ApiError:
    details = "Aggregates are not implemented for one-to-many or many-to-many spreads."
    return _error(400, "PGRST127", "Feature not implemented", details)


def max_affected_needs_set() -> ApiError:
    message = "Function must return SETOF or TABLE when max-affected preference is used with handling=strict"
    return _error(400, "PGRST128", message)


# Schema cache


def no_relationship(origin: str, target: str, hint: str | None, schema: str, suggestion: str | None) -> ApiError:
    with_hint = f" using the hint '{hint}'" if hint is not None else ""
    return _error(
        400,
        "PGRST200",
        f"Could not find a relationship between '{origin}' and '{target}' in the schema cache",
        f"Searched for a foreign key relationship between '{origin}' and '{target}'{with_hint} "
        f"in the schema '{schema}', but no matches were found.",
        suggestion,
    )


def ambiguous_relationship(origin: str, target: str, details: list[dict[str, str]], hint: str) -> ApiError:
    message = f"Could not embed because more than one relationship was found for '{origin}' and '{target}'"
    return _error(300, "PGRST201", message, details, hint)


def function_not_found(message_part: str, details_part: str, hint: str | None) -> ApiError:
    return _error(
        404,
        "PGRST202",
        f"Could not find the function {message_part} in the schema cache",
        f"Searched for the function {details_part}, but no matches were found in the schema cache.",
        hint,
    )


def ambiguous_function(candidates: Sequence[str]) -> ApiError:
    hint = "Try renaming the parameters or the function itself in the database so function overloading can be resolved"
    message = f"Could not choose the best candidate function between: {', '.join(candidates)}"
    return _error(300, "PGRST203", message, None, hint)


def column_not_found(column: str, table: str) -> ApiError:
    return _error(400, "PGRST204", f"Could not find the '{column}' column of '{table}' in the schema cache")


def table_not_found(schema: str, table: str, suggestion: str | None) -> ApiError:
    message = f"Could not find the table '{schema}.{table}' in the schema cache"
    return _error(404, "PGRST205", message, None, suggestion)


# Tokens


def secret_missing() -> ApiError:
    return _error(500, "PGRST300", "Server lacks JWT secret")


def token_undecodable(message: str, details: str | None = None) -> ApiError:
    return _challenged("PGRST301", message, details)


def anonymous_disabled() -> ApiError:
    headers = (("WWW-Authenticate", "Bearer"),)
    return ApiError(401, "PGRST302", "Anonymous access is disabled", headers=headers)


def claims_refused(message: str) -> ApiError:
    return _challenged("PGRST303", message, None)


def _challenged(code: str, message: str, details: str | None) -> ApiError:
    challenge = f'Bearer error="invalid_token", error_description="{message}"'
    return ApiError(401, code, message, details, headers=(("WWW-Authenticate", challenge),))


def nul_character() -> ApiError:
    """PostgreSQL's own error for a text with a NUL, which its protocol can't transmit."""
    return _error(400, "22021", 'invalid byte sequence for encoding "UTF8": 0x00')
