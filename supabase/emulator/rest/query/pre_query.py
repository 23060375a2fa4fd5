"""The settings that a request's transaction begins with: role, claims, headers, whatever SQL may read. Pure.

Source: PostgREST reference, "Transactions" (Transaction-Scoped Settings, HTTP Context).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from emulator.principal import Principal
from emulator.rest import errors
from emulator.rest.api_request.http_request import HttpRequest
from emulator.rest.schema_cache.identifiers import quote

TransactionSettings = list[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class RoleSettings:
    """ALTER ROLE ... SET of a role that the service may switch to; SET ROLE alone would not apply them."""

    settings: tuple[tuple[str, str], ...] = ()
    isolation: str | None = None


def transaction_settings(
    request: HttpRequest,
    principal: Principal,
    *,
    search_path: Sequence[str],
    role_settings: RoleSettings,
    function_settings: Sequence[tuple[str, str]] = (),
    app_settings: Sequence[tuple[str, str]] = (),
    application_name: str | None = None,
) -> TransactionSettings:
    """Return names and values in the order in which to set them. Raises nul_character (22021).

    Role settings come before the role, which may not have the right to set them. A function's own come after it.
    """
    headers = request.headers
    found: TransactionSettings = [
        ("search_path", ", ".join(quote(schema) for schema in search_path).encode()),
        *((name, value.encode()) for name, value in role_settings.settings),
        ("role", principal.role.encode("utf-8", "replace")),
        ("request.jwt.claims", principal.claims_json.encode("utf-8", "replace")),
        ("request.method", request.method.encode()),
        ("request.path", request.raw_path),
        ("request.headers", headers.json),
        ("request.cookies", headers.cookies_json),
    ]
    if application_name is not None:
        found.append(("application_name", application_name.encode("ascii")))
    if headers.preferences.timezone:
        found.append(("timezone", headers.preferences.timezone.encode("utf-8", "replace")))
    found.extend((name, value.encode()) for name, value in function_settings)
    found.extend((name, value.encode()) for name, value in app_settings)
    if any(0 in value for _, value in found):
        raise errors.nul_character()
    return found
