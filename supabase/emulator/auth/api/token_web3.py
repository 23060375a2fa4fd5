"""POST /token?grant_type=web3: a session for a message that a wallet has signed (Ethereum or Solana)."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from starlette.responses import Response

from emulator.auth import audit, errors
from emulator.auth.api.linking import ExternalIdentity, account_for_external_identity
from emulator.auth.api.provider.provider import UserProvidedData
from emulator.auth.api.responses import grant_response
from emulator.auth.conf.external import WalletSettings
from emulator.auth.context import RequestContext
from emulator.auth.crypto.wallets import is_signed_by_ethereum, is_signed_by_solana
from emulator.auth.errors import OAuthError
from emulator.auth.models.users import User
from emulator.auth.tokens.sessions import issue_session
from emulator.auth.utilities.redirects import is_allowed
from emulator.auth.utilities.wallet_messages import ETHEREUM, SOLANA, Chain, MessageError, WalletMessage, parse_message

PROVIDER = "web3"
MIN_MESSAGE_BYTES, MAX_MESSAGE_BYTES = 64, 20 * 1024
_CHAINS: Mapping[str, Chain] = {chain.name: chain for chain in (SOLANA, ETHEREUM)}


@dataclass(frozen=True)
class Web3GrantParams:
    """The body."""

    message: str = ""
    signature: str = ""
    chain: str = ""


async def web3_grant(ctx: RequestContext) -> Response:
    """Check who signed, for which site and when; then the wallet's account, made at its first time."""
    settings = {"solana": ctx.settings.solana, "ethereum": ctx.settings.ethereum}
    if not any(one.enabled for one in settings.values()):
        raise errors.web3_provider_disabled()
    params = ctx.params(Web3GrantParams)
    chain = _CHAINS.get(params.chain)
    if chain is None:
        raise errors.web3_unsupported_chain()
    if not settings[chain.name].enabled:
        raise errors.web3_provider_disabled(chain.title)
    message = _read_signed(chain, params)
    _check_site(ctx, chain, message)
    _check_times(ctx, chain, message, settings[chain.name])
    claims = {
        "address": message.address, "chain": chain.name, "network": message.network, "domain": message.domain,
        "statement": message.statement if message.statement is not None or chain is ETHEREUM else "",
    }  # fmt: skip
    subject = f"{PROVIDER}:{chain.name}:{message.address}"
    external = ExternalIdentity(
        PROVIDER, UserProvidedData(subject, (), {"sub": subject, "custom_claims": claims}), email_optional=True
    )
    async with ctx.transaction() as db:
        user = await account_for_external_identity(ctx, db, external)
        assert isinstance(user, User), "an error is returned for an address, and a wallet has none"
        await audit.record(
            ctx, db, user, "login", provider=PROVIDER, chain=chain.name, network=message.network,
            address=message.address, domain=message.domain, uri=_go_url(message),
        )  # fmt: skip
        grant = await issue_session(ctx, db, user, PROVIDER)
    return grant_response(grant)


def _read_signed(chain: Chain, params: Web3GrantParams) -> WalletMessage:
    """The message, once its signature is known to be that of the address in it."""
    raw = params.message.encode("utf-8", "surrogatepass")
    if len(raw) < MIN_MESSAGE_BYTES:
        raise errors.validation_failed("message is too short")
    if len(raw) > MAX_MESSAGE_BYTES:
        raise errors.validation_failed("message must not exceed 20KB")
    signature = _solana_signature(params.signature) if chain is SOLANA else _ethereum_signature(params.signature)
    try:
        message = parse_message(chain, params.message)
    except MessageError as error:
        raise errors.validation_failed(str(error)) from None
    if chain is SOLANA:
        is_signed = is_signed_by_solana(message.address, message.domain, raw, signature)
    else:
        is_signed = len(signature) == 65 and is_signed_by_ethereum(message.address, raw, signature)
    if not is_signed:
        raise OAuthError(400, "invalid_grant", "Signature does not match address in message")
    return message


def _solana_signature(text: str) -> bytes:
    if len(text) not in (86, 88):
        raise errors.validation_failed("signature must be 64 bytes encoded as base64 with or without padding")
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise errors.validation_failed("signature does not contain valid base64 characters") from None


def _ethereum_signature(text: str) -> bytes:
    """The signature's bytes; none where it is not 0x and hexadecimal digits, which no address has signed."""
    if len(text.removeprefix("0x")) != 130:
        raise errors.validation_failed(
            "signature must be 65 bytes long, encoded as a 130 character-long hexadecimal string"
        )
    try:
        return bytes.fromhex(text[2:]) if text.startswith("0x") and text.isascii() and " " not in text else b""
    except ValueError:
        return b""


def _check_site(ctx: RequestContext, chain: Chain, message: WalletMessage) -> None:
    """A message that was signed for another application must not open this one."""
    signed = f"Signed {chain.title} message is using"
    uri, site, allowed = message.parts, ctx.settings.site_url, ctx.settings.uri_allow_list
    is_local = uri.hostname == "localhost"
    if uri.scheme != "https" and not is_local:
        raise OAuthError(400, "invalid_grant", f"{signed} URI which does not use HTTPS")
    if not is_allowed(message.uri, site, allowed):
        reason = "URI which is not allowed on this server, message was signed for another app"
        raise OAuthError(400, "invalid_grant", f"{signed} {reason}")
    if not is_local and (uri.netloc != message.domain or not is_allowed(f"https://{message.domain}/", site, allowed)):
        reason = "a Domain that does not match the one in URI which is not allowed on this server"
        raise OAuthError(400, "invalid_grant", f"{signed} {reason}")


def _check_times(ctx: RequestContext, chain: Chain, message: WalletMessage, settings: WalletSettings) -> None:
    now, times = ctx.now, message.times
    validity = timedelta(seconds=settings.validity_s)
    if "Not Before" in times and now < times["Not Before"]:
        raise OAuthError(400, "invalid_grant", f"Signed {chain.title} message becomes valid in the future")
    if "Expiration Time" in times and now > times["Expiration Time"]:
        raise OAuthError(400, "invalid_grant", f"Signed {chain.title} message is expired")
    if now - times["Issued At"] > validity:
        raise OAuthError(400, "invalid_grant", f"{chain.title} message was issued too long ago")
    if times["Issued At"] - now > validity:
        raise OAuthError(400, "invalid_grant", f"{chain.title} message was issued too far in the future")


def _go_url(message: WalletMessage) -> dict[str, object]:
    """A URL as Go writes one as JSON: the audit log has it so."""
    parts = message.parts
    return {
        "Scheme": parts.scheme, "Opaque": "", "User": None, "Host": parts.netloc, "Path": parts.path, "Fragment": "",
        "RawQuery": parts.query, "RawPath": "", "RawFragment": "", "ForceQuery": False, "OmitHost": False,
    }  # fmt: skip
