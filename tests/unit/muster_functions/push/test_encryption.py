"""RFC 8291 with the RFC's own example, and keys that are none."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from muster_functions.push.encryption import LONGEST, UnusableKeys, encrypt, from_base64url
from tests.support.push_service import Receiver

# RFC 8291, section 5 and appendix A.
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = from_base64url("DGv6ra1nlYgDCS1FRnbzlw")
SENDER = ec.derive_private_key(
    int.from_bytes(from_base64url("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1()
)
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc() -> None:
    """§17.3: byte for byte."""
    plain = b"When I grow up, I want to be a watermelon"
    assert encrypt(plain, P256DH, AUTH, salt=SALT, sender=SENDER, step=1) == from_base64url(BODY)


@pytest.mark.parametrize("length", [0, 1, 511, 512, LONGEST])
def test_only_the_receiver_reads_it_and_its_length_says_little(length: int) -> None:
    """§17.3: padded to whole steps, up to the longest that every push service takes."""
    receiver = Receiver()
    plain = bytes(range(256)) * 16
    body = encrypt(plain[:length], receiver.p256dh, receiver.auth, salt=SALT, sender=SENDER)
    assert receiver.decrypt(body) == plain[:length]
    assert len(body) == 4096 or (len(body) - 86 - 16) % 512 == 0


def test_what_is_too_long_is_refused() -> None:
    receiver = Receiver()
    with pytest.raises(ValueError, match="a push of 3994 bytes"):
        encrypt(bytes(LONGEST + 1), receiver.p256dh, receiver.auth, salt=SALT, sender=SENDER)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        pytest.param("B" + "A" * 86, AUTH, id="no-point-of-the-curve"),
        pytest.param("A" * 87, AUTH, id="the-point-at-infinity"),
        pytest.param(P256DH[:-2], AUTH, id="short"),
        pytest.param("A" * 10_000, AUTH, id="long"),
        pytest.param("!" * 87, AUTH, id="no-base64url"),
        pytest.param("B\u00e4" * 43, AUTH, id="no-ascii"),
        pytest.param(P256DH, AUTH[:-2], id="short-secret"),
        pytest.param(P256DH, "", id="no-secret"),
    ],
)
def test_unusable_keys_are_named_as_such(p256dh: str, auth: str) -> None:
    """§17.3: whatever a browser, or somebody in its place, gave."""
    with pytest.raises(UnusableKeys):
        encrypt(b"x", p256dh, auth, salt=SALT, sender=SENDER)
