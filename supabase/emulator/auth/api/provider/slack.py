"""Sign in with Slack: https://docs.slack.dev/authentication/sign-in-with-slack/."""

from emulator.auth.api.provider.provider import Endpoints, Json, UserProvidedData, only_email, person, text_of

SCOPES = "profile email openid"


def endpoints(url: str) -> Endpoints:
    """Of a server at `url`, else of the one Slack."""
    host = url or "https://slack.com"
    api = f"{host}/api"
    return Endpoints(
        f"{host}/openid/connect/authorize", f"{api}/openid.connect.token", f"{api}/openid.connect.userInfo", api
    )


def read_user(endpoints: Endpoints, raw: Json) -> UserProvidedData:
    """Slack's own claims have URLs for names."""
    name, picture = text_of(raw, "name"), text_of(raw, "picture")
    return person(
        raw.get("https://slack.com/user_id"), only_email(raw, raw.get("email_verified") is True),
        iss=endpoints.issuer, name=name, full_name=name, picture=picture, avatar_url=picture,
        custom_claims={"https://slack.com/team_id": text_of(raw, "https://slack.com/team_id")},
    )  # fmt: skip
