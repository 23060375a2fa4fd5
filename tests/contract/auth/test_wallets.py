"""Signing in by a wallet: who signed, for which site, and when."""

import base64
from datetime import UTC, datetime, timedelta
from typing import Any

import coincurve
import pytest
from Crypto.Hash import keccak
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, AuthClient, Json, Person, error_of

SITE = "stations.example"
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class SolanaWallet:
    chain, title, network = "solana", "Solana", "solana:mainnet"

    def __init__(self) -> None:
        self._key = Ed25519PrivateKey.generate()
        self.public = self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        number, digits = int.from_bytes(self.public), ""
        while number:
            number, digit = divmod(number, 58)
            digits = ALPHABET[digit] + digits
        self.address = "1" * (len(self.public) - len(self.public.lstrip(b"\0"))) + digits

    def sign(self, message: bytes) -> str:
        return base64.b64encode(self._key.sign(message)).decode()

    def sign_as_ledger(self, message: bytes) -> str:
        head = b"\xffsolana offchain\0" + SITE.encode().ljust(32, b"\0") + b"\0\1" + self.public
        return self.sign(head + len(message).to_bytes(2, "little") + message)


class EthereumWallet:
    chain, title, network = "ethereum", "Ethereum", "1"

    def __init__(self) -> None:
        self._key = coincurve.PrivateKey()
        public = self._key.public_key.format(compressed=False)[1:]
        self.address = "0x" + keccak.new(digest_bits=256, data=public).digest()[12:].hex()

    def sign(self, message: bytes) -> str:
        text = b"\x19Ethereum Signed Message:\n%d" % len(message) + message
        signature = self._key.sign_recoverable(keccak.new(digest_bits=256, data=text).digest(), hasher=None)
        return "0x" + signature[:64].hex() + f"{signature[64] + 27:02x}"


Wallet = SolanaWallet | EthereumWallet
WALLETS = pytest.mark.parametrize("kind", [SolanaWallet, EthereumWallet], ids=["solana", "ethereum"])


@pytest.fixture(scope="module")
def wallets(start_auth: StartAuth) -> AuthClient:
    return start_auth(
        EXTERNAL_WEB3_SOLANA_ENABLED="true", EXTERNAL_WEB3_ETHEREUM_ENABLED="true",
        URI_ALLOW_LIST=f"https://{SITE}/**", SITE_URL="http://localhost:3000",
    )  # fmt: skip


def text_of(wallet: Wallet, domain: str = SITE, statement: str = "Read the log of your station.", **fields: str) -> str:
    """A message as supabase-js writes it; a field of "" is left out."""
    values = {
        "Version": "1", "URI": f"https://{SITE}/login", "Chain ID": wallet.network, "Nonce": "n0nce123",
        "Issued At": stamp(), **{name.replace("_", " "): value for name, value in fields.items()},
    }  # fmt: skip
    head = [f"{domain} wants you to sign in with your {wallet.title} account:", wallet.address, ""]
    said = [statement, ""] if statement else []
    return "\n".join([*head, *said, *(f"{name}: {value}" for name, value in values.items() if value)])


def stamp(**since: float) -> str:
    return (datetime.now(UTC) + timedelta(**since)).isoformat().replace("+00:00", "Z")


def sign_in(auth: AuthClient, wallet: Wallet, message: str, signature: str | None = None, **more: Any) -> Any:
    sent = {"chain": wallet.chain, "message": message, "signature": signature or wallet.sign(message.encode()), **more}
    return auth.post("/token?grant_type=web3", sent, headers=NEW)


@WALLETS
def test_a_wallet_has_one_account(wallets: AuthClient, kind: type[Wallet]) -> None:
    wallet = kind()
    first = sign_in(wallets, wallet, text_of(wallet)).json()
    again = sign_in(wallets, wallet, text_of(wallet, statement="")).json()
    assert first["user"]["id"] == again["user"]["id"]
    [identity] = first["user"]["identities"]
    assert (identity["provider"], identity["id"]) == ("web3", f"web3:{wallet.chain}:{wallet.address}")
    assert first["user"]["user_metadata"] == identity["identity_data"] == {
        "sub": f"web3:{wallet.chain}:{wallet.address}", "email_verified": False, "phone_verified": False,
        "custom_claims": {
            "address": wallet.address, "chain": wallet.chain, "network": wallet.network, "domain": SITE,
            "statement": "Read the log of your station.",
        },
    }  # fmt: skip
    assert first["user"]["app_metadata"] == {"provider": "web3", "providers": ["web3"]}
    assert Person("", first, wallets).claims["amr"][0]["method"] == "web3"
    assert wallets.refresh(first["refresh_token"]).status_code == 200


def test_a_ledger_wraps_what_it_signs(wallets: AuthClient) -> None:
    wallet = SolanaWallet()
    message = text_of(wallet)
    assert sign_in(wallets, wallet, message, wallet.sign_as_ledger(message.encode())).status_code == 200


@WALLETS
def test_a_local_application_needs_no_https(wallets: AuthClient, kind: type[Wallet]) -> None:
    wallet = kind()
    assert sign_in(wallets, wallet, text_of(wallet, "localhost:3000", URI="http://localhost:3000/")).status_code == 200


REFUSED: list[tuple[str, Json, str]] = [
    ("another application's", {"domain": "evil.example", "URI": "https://evil.example/"},
     "Signed {0} message is using URI which is not allowed on this server, message was signed for another app"),
    ("another domain", {"domain": "evil.example"},
     "Signed {0} message is using a Domain that does not match the one in URI which is not allowed on this server"),
    ("plain http", {"URI": f"http://{SITE}/"}, "Signed {0} message is using URI which does not use HTTPS"),
    ("too old", {"Issued_At": stamp(minutes=-11)}, "{0} message was issued too long ago"),
    ("from the future", {"Issued_At": stamp(minutes=120)}, "{0} message was issued too far in the future"),
    ("expired", {"Issued_At": stamp(minutes=-2), "Expiration_Time": stamp(minutes=-1)},
     "Signed {0} message is expired"),
    ("not yet valid", {"Not_Before": stamp(minutes=120)}, "Signed {0} message becomes valid in the future"),
]  # fmt: skip


@WALLETS
@pytest.mark.parametrize(("fields", "reason"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_signed_for_something_else(wallets: AuthClient, kind: type[Wallet], fields: Json, reason: str) -> None:
    wallet = kind()
    answer = sign_in(wallets, wallet, text_of(wallet, **fields))
    assert answer.status_code == 400
    assert answer.json() == {"error": "invalid_grant", "error_description": reason.format(wallet.title)}


@WALLETS
def test_signed_by_somebody_else(wallets: AuthClient, kind: type[Wallet]) -> None:
    wallet, other = kind(), kind()
    message = text_of(wallet)
    mismatch = {"error": "invalid_grant", "error_description": "Signature does not match address in message"}
    assert sign_in(wallets, wallet, message, other.sign(message.encode())).json() == mismatch
    assert sign_in(wallets, wallet, message + " ", wallet.sign(message.encode())).json() == mismatch


def test_an_address_that_is_no_key_signs_nothing(wallets: AuthClient) -> None:
    wallet = SolanaWallet()
    for address in ("l" * 40, "1" * 44, "z" * 44):  # not base58; 44 and 33 bytes
        wallet.address = address
        answer = sign_in(wallets, wallet, text_of(wallet))
        assert answer.json()["error_description"] == "Signature does not match address in message", address


@pytest.mark.parametrize(
    "signature", ["0x" + "0" * 130, "0x" + "f" * 130, "0x" + "zz" * 65, "1" * 130, "0x" + " 1" * 65]
)
def test_a_signature_of_nobody(wallets: AuthClient, signature: str) -> None:
    wallet = EthereumWallet()
    answer = sign_in(wallets, wallet, text_of(wallet), signature)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_grant")


@WALLETS
@pytest.mark.parametrize("message", ["", "short", "x" * 70, "x\n" * 40, "\x01" * 80, "é" * 20_000])
def test_what_is_no_message(wallets: AuthClient, kind: type[Wallet], message: str) -> None:
    wallet = kind()
    answer = sign_in(wallets, wallet, message)
    assert error_of(answer)[:2] == (400, "validation_failed")


@WALLETS
@pytest.mark.parametrize("signature", ["x", "é" * 88, "x" * 131])
def test_what_is_no_signature(wallets: AuthClient, kind: type[Wallet], signature: str) -> None:
    wallet = kind()
    status, code, text = error_of(sign_in(wallets, wallet, text_of(wallet), signature))
    assert (status, code, text[:10]) == (400, "validation_failed", "signature ")


def test_a_chain_may_be_off(start_auth: StartAuth, wallets: AuthClient) -> None:
    only_solana = start_auth(EXTERNAL_WEB3_SOLANA_ENABLED="true")
    wallet = EthereumWallet()
    got = error_of(sign_in(only_solana, wallet, text_of(wallet)))
    assert got == (422, "web3_provider_disabled", "Ethereum Web3 provider is disabled")
    got = error_of(sign_in(wallets, wallet, text_of(wallet), chain="bitcoin"))
    assert got == (400, "web3_unsupported_chain", "Unsupported chain")
    bodies: list[Any] = [{}, {"chain": 1}, [], "text"]
    for body in bodies:
        assert wallets.post("/token?grant_type=web3", body, headers=NEW).status_code == 400, body
