"""The variables that a function sees: the stack's facts, its project's secrets, nothing of the shell."""

from collections.abc import Iterable, Mapping

from emulator.functions.settings import FunctionsSettings

RESERVED = "SUPABASE_"


def function_variables(
    settings: FunctionsSettings, slug: str, execution_id: str, user: Iterable[Mapping[str, str | None]]
) -> tuple[dict[str, str], list[str]]:
    """All variables of one process, and the names in `user` that are not allowed. Later ones of `user` win.

    https://supabase.com/docs/guides/functions/secrets#default-secrets
    """
    given = {name: value or "" for variables in user for name, value in variables.items()}
    refused = sorted(name for name in given if name.startswith(RESERVED))
    own = {
        "SUPABASE_URL": settings.supabase_url,
        "SUPABASE_ANON_KEY": settings.anon_key,
        "SUPABASE_SERVICE_ROLE_KEY": settings.service_role_key,
        "SUPABASE_DB_URL": settings.database_url,
        "SUPABASE_PUBLISHABLE_KEYS": settings.publishable_keys,
        "SUPABASE_SECRET_KEYS": settings.secret_keys,
        "SUPABASE_JWKS": settings.jwks,
        "SUPABASE_FUNCTION_SLUG": slug,
        "SB_EXECUTION_ID": execution_id,
    }
    return {**{name: value for name, value in given.items() if name not in refused}, **own}, refused
