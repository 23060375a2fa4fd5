"""Twitch: https://dev.twitch.tv/docs/api/reference/#get-users."""

from emulator.auth.api.provider.provider import (
    Endpoints,
    Json,
    UserProvidedData,
    only_email,
    person,
    provider_failure,
    text_of,
)

SCOPES = "user:read:email"
_OWN = ("broadcaster_type", "description", "type", "offline_image_url", "view_count")


def endpoints(url: str) -> Endpoints:
    """Of a server at `url`, else of the one Twitch."""
    host, api = url or "https://id.twitch.tv", url or "https://api.twitch.tv"
    return Endpoints(f"{host}/oauth2/authorize", f"{host}/oauth2/token", f"{api}/helix/users", api)


def read_user(endpoints: Endpoints, raw: Json) -> UserProvidedData:
    """The response is a list of one; its address is always verified."""
    listed = raw.get("data")
    if not isinstance(listed, list) or not listed or not isinstance(listed[0], dict):
        raise provider_failure()
    one: Json = listed[0]
    name, display, picture = text_of(one, "login"), text_of(one, "display_name"), text_of(one, "profile_image_url")
    return person(
        one.get("id"), only_email(one, True), iss=endpoints.issuer, name=name, full_name=name, nickname=display,
        slug=display, picture=picture, avatar_url=picture,
        custom_claims={key: one.get(key, 0 if key == "view_count" else "") for key in _OWN},
    )  # fmt: skip
