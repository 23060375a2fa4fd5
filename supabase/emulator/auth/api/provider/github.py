"""GitHub and GitHub Enterprise: https://docs.github.com/en/rest/users."""

from typing import Any

from emulator.auth.api.provider.provider import Endpoints, Json, ProviderEmail, UserProvidedData, person, text_of

SCOPES = "user:email"


def endpoints(url: str) -> Endpoints:
    """Of an enterprise server at `url`, else of github.com."""
    host = url or "https://github.com"
    api = f"{url}/api/v3" if url else "https://api.github.com"
    return Endpoints(f"{host}/login/oauth/authorize", f"{host}/login/oauth/access_token", f"{api}/user", api)


def read_user(endpoints: Endpoints, raw: Json, emails: list[Any]) -> UserProvidedData:
    """`emails` is the response of /user/emails: the profile shows at most one, not whether it is verified."""
    found = tuple(
        ProviderEmail(str(item["email"]), bool(item.get("verified")), bool(item.get("primary")))
        for item in emails
        if isinstance(item, dict) and item.get("email")
    )
    name, login = text_of(raw, "name"), text_of(raw, "login")
    return person(
        raw.get("id"), found, iss=endpoints.issuer, name=name, full_name=name, preferred_username=login,
        user_name=login, avatar_url=text_of(raw, "avatar_url"),
    )  # fmt: skip
