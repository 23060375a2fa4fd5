"""External OAuth providers: EXTERNAL_<PROVIDER>_ENABLED, _CLIENT_ID, _SECRET and so on, for any name."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import AfterValidator, Field

from emulator.auth.conf.values import GoBool, GoSeconds, GoTrueSettings, variables_below
from emulator.settings import CommaList, Variable

# What else EXTERNAL_<X>_ENABLED switches on: the service's own ways to sign in.
NO_PROVIDERS = {"EMAIL", "PHONE", "ANONYMOUS_USERS", "EMAIL_MAGIC_LINK", "WEB3_SOLANA", "WEB3_ETHEREUM"}


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
    """Every provider that EXTERNAL_<PROVIDER>_ENABLED names, enabled or not; raises SettingsError."""
    start = f"{GoTrueSettings.prefix}EXTERNAL_"
    keys = {key.removesuffix("_ENABLED") for key in variables_below(env, start) if key.endswith("_ENABLED")}
    return {key.lower(): _read_provider(env, f"{start}{key}_", key.lower()) for key in sorted(keys - NO_PROVIDERS)}


def _read_provider(env: Mapping[str, str], start: str, name: str) -> ProviderSettings:
    class NamedProvider(ProviderSettings):
        prefix = start

    return NamedProvider.from_env(env).model_copy(update={"name": name})
