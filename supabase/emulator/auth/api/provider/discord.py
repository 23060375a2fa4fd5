"""Discord: https://discord.com/developers/docs/resources/user."""

from emulator.auth.api.provider.provider import Endpoints, Json, UserProvidedData, only_email, person, text_of

SCOPES = "email identify"
CDN = "https://cdn.discordapp.com"


def endpoints(url: str) -> Endpoints:
    """Of a server at `url`, else of the one Discord."""
    api = f"{url or 'https://discord.com'}/api"
    return Endpoints(f"{api}/oauth2/authorize", f"{api}/oauth2/token", f"{api}/users/@me", api)


def read_user(endpoints: Endpoints, raw: Json) -> UserProvidedData:
    """The account has at most one address; the picture's address is made of its hash."""
    name, number, picture = text_of(raw, "username"), text_of(raw, "discriminator"), _picture(raw)
    return person(
        raw.get("id"), only_email(raw, bool(raw.get("verified"))), iss=endpoints.issuer, name=f"{name}#{number}",
        full_name=name, picture=picture, avatar_url=picture,
        custom_claims={"global_name": text_of(raw, "global_name")},
    )  # fmt: skip


def _picture(raw: Json) -> str:
    """https://discord.com/developers/docs/reference#image-formatting."""
    avatar, number = text_of(raw, "avatar"), text_of(raw, "discriminator")
    if not avatar:
        return f"{CDN}/embed/avatars/{int(number) % 5 if number.isdecimal() else 0}.png"
    return f"{CDN}/avatars/{raw.get('id')}/{avatar}.{'gif' if avatar.startswith('a_') else 'png'}"
