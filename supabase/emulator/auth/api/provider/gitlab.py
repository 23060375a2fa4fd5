"""GitLab: https://docs.gitlab.com/api/users/."""

from emulator.auth.api.provider.provider import Endpoints, Json, UserProvidedData, only_email, person, text_of

SCOPES = "read_user"


def endpoints(url: str) -> Endpoints:
    """Of an own server at `url`, else of gitlab.com."""
    host = url or "https://gitlab.com"
    return Endpoints(f"{host}/oauth/authorize", f"{host}/oauth/token", f"{host}/api/v4/user", host)


def read_user(endpoints: Endpoints, raw: Json) -> UserProvidedData:
    """The address is verified when the account is confirmed."""
    name, picture = text_of(raw, "name"), text_of(raw, "avatar_url")
    return person(
        raw.get("id"), only_email(raw, bool(raw.get("confirmed_at"))), iss=endpoints.issuer, name=name,
        full_name=name, picture=picture, avatar_url=picture,
    )  # fmt: skip
