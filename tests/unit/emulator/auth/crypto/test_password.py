"""Hashes that an admin may hand in."""

from emulator.auth.crypto.password import is_supported_hash


def test_supported_hashes() -> None:
    assert is_supported_hash("$2a$04$zVHmKQtGGQob.b/Nc7l9NO8UlrYcW05FiuCj/SxsFO/ZtiN9.mNzy")
    for bad in ("", "x", "$2a$04$short", "$argon2id$v=19$m=65536,t=3,p=4$c2FsdA$aGFzaA"):
        assert not is_supported_hash(bad)
