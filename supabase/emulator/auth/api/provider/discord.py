"""Discord: https://discord.com/developers/docs/resources/user."""

from emulator.auth.api.provider.provider import Endpoints, Json, ProviderEmail, UserProvidedData, user_of_api

SCOPES = "email identify"
API = "https://discord.com/api"


def endpoints() -> Endpoints:
    """There is one Discord."""
    return Endpoints(f"{API}/oauth2/authorize", f"{API}/oauth2/token", f"{API}/users/@me")


def read_user(endpoints: Endpoints, raw: Json) -> UserProvidedData:
    """The account has at most one address."""
    emails = (ProviderEmail(str(raw["email"]), bool(raw.get("verified"))),) if raw.get("email") else ()
    return user_of_api(endpoints, raw, emails, str(raw.get("username", "")))
