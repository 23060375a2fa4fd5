"""Hashes of other systems: right and wrong passwords, and what is refused before it costs anything."""

import pytest

from emulator.auth.crypto.imported_hashes import parse

ARGON2ID = "$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg"
ARGON2I = "$argon2i$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$m9oxGcngp4Gd8VXxY29Hig"
# The example of github.com/firebase/scrypt, with its memory cost and rounds.
FIREBASE = (
    "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,"
    "sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$"
    "42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=="
)


@pytest.mark.parametrize(
    ("text", "password"),
    [(ARGON2ID, b"secret word"), (ARGON2I, b"secret word"), (FIREBASE, b"user1password")],
    ids=["argon2id", "argon2i", "firebase"],
)
def test_only_the_password_matches(text: str, password: bytes) -> None:
    check = parse(text)
    assert check(password)
    assert not check(password + b"!")
    assert not check(b"")


@pytest.mark.parametrize(
    "text",
    [
        "$argon2d$v=19$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg",
        "$argon2id$v=16$m=64,t=1,p=1$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg",
        "$argon2id$v=19$m=9999999,t=1,p=1$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg",
        "$argon2id$v=19$m=64,t=999,p=1$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg",
        "$argon2id$v=19$m=64,t=1,p=99$c2FsdHNhbHRzYWx0$x6z5pgP3dNP4PJnWi+7Swg",
        "$argon2id$v=19$m=64,t=1,p=1$$x6z5pgP3dNP4PJnWi+7Swg",
        "$argon2id$v=19$m=64,t=1,p=1$!!$!!",
        "$argon2",
        FIREBASE.replace("v=1,", "v=2,"),
        FIREBASE.replace("n=14", "n=40"),
        FIREBASE.replace("r=8", "r=0"),
        FIREBASE.replace("r=8", "r=999999"),
        FIREBASE.replace("42xEC+ixf3L2lw==", "***"),
        "$fbscrypt$",
    ],
)
def test_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse(text)
