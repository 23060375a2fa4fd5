"""GitLab: https://docs.gitlab.com/api/users/."""

from emulator.auth.api.provider.provider import Endpoints, Json, ProviderEmail, UserProvidedData, user_of_api

SCOPES = "read_user"


def endpoints(url: str) -> Endpoints:
    """Of an own server at `url`, else of gitlab.com."""
    host = url or "https://gitlab.com"
    return Endpoints(f"{host}/oauth/authorize", f"{host}/oauth/token", f"{host}/api/v4/user")


def read_user(endpoints: Endpoints, raw: Json) -> UserProvidedData:
    """The address is verified when the account is confirmed."""
    emails = (ProviderEmail(str(raw["email"]), bool(raw.get("confirmed_at"))),) if raw.get("email") else ()
    return user_of_api(endpoints, raw, emails, str(raw.get("username", "")))
