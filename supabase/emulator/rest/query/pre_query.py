"""What a request's transaction is told: role, claims, headers, and whatever else SQL may read of the request. Pure."""

from emulator.observe import trace
from emulator.rest import errors
from emulator.rest.auth.authenticator import Caller
from emulator.rest.compiler import Incoming
from emulator.rest.plan.types import DbPlan
from emulator.rest.schema_cache.cache import Qualified, RoleSettings, quote
from emulator.rest.service import State

_NO_SETTINGS = RoleSettings()


def role_settings(state: State, role: str) -> RoleSettings:
    """Return the settings of a role (ALTER ROLE ... SET), which SET ROLE alone would not apply."""
    return state.roles.get(role, _NO_SETTINGS)


def search_path(state: State, schema: str) -> bytes:
    """Return search_path for a request to `schema`."""
    return ", ".join(quote(name) for name in (schema, *state.settings.db_extra_search_path)).encode()


def request_settings(
    state: State, caller: Caller, incoming: Incoming, schema: str, plan: DbPlan | None = None
) -> list[tuple[str, bytes]]:
    """Return the transaction-local settings of a request, in order. Role settings come before the role."""
    role = role_settings(state, caller.role)
    headers = incoming.headers
    settings = [
        ("search_path", search_path(state, schema)),
        *((name, value.encode()) for name, value in role.settings),
        ("role", caller.role.encode("utf-8", "replace")),
        ("request.jwt.claims", caller.claims),
        ("request.method", incoming.method.encode()),
        ("request.path", incoming.raw_path),
        ("request.headers", headers.json),
        ("request.cookies", headers.cookies_json),
    ]
    name = trace.application_name("rest")
    if name is not None:
        settings.append(("application_name", name.encode("ascii")))
    if headers.preferences.timezone:
        settings.append(("timezone", headers.preferences.timezone.encode("utf-8", "replace")))
    if plan is not None:
        settings.extend((name, value.encode()) for name, value in plan.hoisted_settings)
    settings.extend((name, value.encode()) for name, value in state.settings.app_settings)
    if any(b"\0" in value for _, value in settings):
        raise errors.nul_character()
    return settings


def pre_request_sql(name: str | None) -> str | None:
    """Quote the name of the pre-request function."""
    if not name:
        return None
    schema, dot, function = name.partition(".")
    return Qualified(schema, function).sql if dot else Qualified("", name).sql
