"""Signatures of wallets, by published examples."""

from emulator.auth.crypto.wallets import is_signed_by_ethereum, is_signed_by_solana

# https://docs.web3js.org: eth.accounts.sign("Some data", ...)
ADDRESS = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23"
SIGNATURE = bytes.fromhex(
    "b91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd"
    "6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c"
)


def test_ethereum() -> None:
    assert is_signed_by_ethereum(ADDRESS, b"Some data", SIGNATURE)
    assert not is_signed_by_ethereum(ADDRESS, b"Some other data", SIGNATURE)
    assert is_signed_by_ethereum(ADDRESS, b"Some data", SIGNATURE[:64] + bytes([SIGNATURE[64] - 27]))


# RFC 8032, 7.1, test 2; the key in base58.
KEY = "586Z7H2vpX9qNhN2T4e9Utugie3ogjbxzGaMtM3E6HR5"
SIGNED = bytes.fromhex(
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
    "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
)


def test_solana() -> None:
    assert is_signed_by_solana(KEY, "example.com", b"\x72", SIGNED)
    assert not is_signed_by_solana(KEY, "example.com", b"\x73", SIGNED)
    assert not is_signed_by_solana(KEY[:-1], "example.com", b"\x72", SIGNED)
    assert not is_signed_by_solana("0" + KEY[1:], "example.com", b"\x72", SIGNED)
    assert not is_signed_by_solana(KEY, "example.com", b"\x72" * 70_000, SIGNED)
