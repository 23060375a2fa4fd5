"""External OAuth providers: EXTERNAL_<PROVIDER>_ENABLED, _CLIENT_ID, _SECRET and so on, for GoTrue's names."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from emulator.auth.conf.values import GoBool, GoSeconds, GoTrueSettings, is_true, variables_below
from emulator.settings import CommaList, Variable

# What else EXTERNAL_<X>_ENABLED switches on: the service's own ways to sign in.
_START = f"{GoTrueSettings.prefix}EXTERNAL_"
NO_PROVIDERS = {"EMAIL", "PHONE", "ANONYMOUS_USERS", "EMAIL_MAGIC_LINK", "WEB3_SOLANA", "WEB3_ETHEREUM"}
BUILT_IN = frozenset(
    """
    apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak linkedin linkedin_oidc notion
    slack slack_oidc snapchat spotify twitch twitter vercel_marketplace workos x zoom
    """.split()
)


class WalletSettings(GoTrueSettings):
    """Signing in by a wallet of one chain; a signed message is good for `validity_s` from when it says it was made."""

    enabled: GoBool = False
    validity_s: Annotated[GoSeconds, Variable("MAXIMUM_VALIDITY_DURATION")] = 600


class SolanaSettings(WalletSettings):
    """EXTERNAL_WEB3_SOLANA_..."""

    prefix = "GOTRUE_EXTERNAL_WEB3_SOLANA_"


class EthereumSettings(WalletSettings):
    """EXTERNAL_WEB3_ETHEREUM_..."""

    prefix = "GOTRUE_EXTERNAL_WEB3_ETHEREUM_"


class ProviderSettings(GoTrueSettings):
    """One provider; `client_ids` are all audiences that an id_token may have."""

    name: Annotated[str, Variable()] = ""
    enabled: GoBool = False
    client_ids: Annotated[CommaList, Variable("CLIENT_ID")] = ()
    secret: Annotated[str, Field(repr=False)] = ""
    redirect_uri: str = ""
    url: Annotated[str, AfterValidator(lambda value: value.rstrip("/"))] = ""
    skip_nonce_check: GoBool = False
    email_optional: GoBool = False


def read_providers(env: Mapping[str, str]) -> dict[str, ProviderSettings]:
    """Every known provider that EXTERNAL_<PROVIDER>_ENABLED names, enabled or not; raises SettingsError."""
    keys = sorted(key for key in _named(env) if key.lower() in BUILT_IN)
    return {key.lower(): _read_provider(env, f"{_START}{key}_", key.lower()) for key in keys}


def unknown_providers(env: Mapping[str, str]) -> list[str]:
    """The variables that enable a provider of another name."""
    names = (f"{_START}{key}_ENABLED" for key in sorted(_named(env) - NO_PROVIDERS) if key.lower() not in BUILT_IN)
    return [name for name in names if is_true(env[name])]


def _named(env: Mapping[str, str]) -> set[str]:
    return {key.removesuffix("_ENABLED") for key in variables_below(env, _START) if key.endswith("_ENABLED")}


def _read_provider(env: Mapping[str, str], start: str, name: str) -> ProviderSettings:
    class NamedProvider(ProviderSettings):
        prefix = start

    return NamedProvider.from_env(env).model_copy(update={"name": name})
