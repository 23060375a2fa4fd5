"""Signatures of wallets: Ed25519 for Solana, recoverable secp256k1 over Keccak-256 for Ethereum. Pure."""

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_OFFCHAIN_PREFIX = b"\xffsolana offchain\x00"  # and the version
_OFFCHAIN_FORMAT = b"\x00\x01"  # ASCII, one signer
_KEY_BYTES = 32
_MAX_OFFCHAIN_BYTES = 0xFFFF


def is_signed_by_solana(address: str, domain: str, message: bytes, signature: bytes) -> bool:
    """Whether the address, a public key in base58, has signed the message: as it is, or wrapped as a Ledger does.

    Source of the wrapping: https://docs.anza.xyz/proposals/off-chain-message-signing.
    """
    key = _base58(address)
    if len(key) != _KEY_BYTES:
        return False
    if _is_signed_by(key, message, signature):
        return True
    if len(message) > _MAX_OFFCHAIN_BYTES:
        return False
    named = domain.encode()[:_KEY_BYTES].ljust(_KEY_BYTES, b"\x00")
    size = len(message).to_bytes(2, "little")
    return _is_signed_by(key, _OFFCHAIN_PREFIX + named + _OFFCHAIN_FORMAT + key + size + message, signature)


def _is_signed_by(key: bytes, message: bytes, signature: bytes) -> bool:
    from cryptography.exceptions import InvalidSignature  # few stacks have wallets
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_signed_by_ethereum(address: str, message: bytes, signature: bytes) -> bool:
    """Whether the address (0x and 40 hexadecimal digits) is that of the key behind the signature (r, s, v).

    Source: EIP-191, version 0x45 (personal_sign); the address is the end of the key's Keccak-256.
    """
    import coincurve  # few stacks have wallets
    from Crypto.Hash import keccak

    signed = keccak.new(digest_bits=256, data=b"\x19Ethereum Signed Message:\n%d" % len(message) + message).digest()
    recovery = signature[64] - 27 if signature[64] >= 27 else signature[64]
    try:
        key = coincurve.PublicKey.from_signature_and_message(signature[:64] + bytes([recovery]), signed, hasher=None)
    except ValueError:
        return False
    found = keccak.new(digest_bits=256, data=key.format(compressed=False)[1:]).digest()[12:]
    return found.hex() == address.lower().removeprefix("0x")


def _base58(text: str) -> bytes:
    """The bytes of Bitcoin's base58; none where a character is not of its alphabet."""
    if not set(text) <= set(_BASE58):
        return b""
    number = 0
    for character in text:
        number = number * 58 + _BASE58.index(character)
    zeros = len(text) - len(text.lstrip("1"))
    return bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
