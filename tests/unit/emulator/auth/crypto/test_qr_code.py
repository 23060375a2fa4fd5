"""QR codes, byte for byte: the digests are those of the SVGs that GoTrue's libraries draw."""

from hashlib import sha256

import pytest

from emulator.auth.crypto import qr_code

ENROLLMENT = (
    "otpauth://totp/localhost%3A3000:ada@example.com?algorithm=SHA1&digits=6&issuer=localhost%3A3000&period=30"
    "&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
)


@pytest.mark.parametrize(
    ("text", "size", "digest"),
    [
        ("otpauth://totp/hello", 63_250, "c9273efa0bcf9af83a95c1ba7f088466ac429baf6e6971bf0142ce6260dbbebd"),
        (ENROLLMENT, 321_600, "4e5046a4cc8e74acf15ddf77872b662997f94f3c98510bd380045dfd2f63d9aa"),
        ("ü", 33_248, "223e61b0ecfa013409e732ef761063ede21d7be0bf6611e8725ff7d5da6d00a7"),
    ],
)
def test_a_code_is_drawn_as_the_original_draws_it(text: str, size: int, digest: str) -> None:
    drawn = qr_code.svg(text)
    assert len(drawn) == size
    assert sha256(drawn.encode()).hexdigest() == digest


def test_a_text_without_room_is_refused() -> None:
    with pytest.raises(ValueError, match="room"):
        qr_code.svg("x" * (qr_code.MAX_BYTES + 1))
