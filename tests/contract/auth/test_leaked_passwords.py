"""Passwords that were in a breach: asked of the service, looked up in its file, and what a failure of either means."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.contract.auth.conftest import StartAuth, outside_world
from tests.contract.auth.harness import NEW, AuthClient, error_of, new_email

LEAKED = "correct horse"
DIGEST = hashlib.sha1(LEAKED.encode()).hexdigest().upper()
TEXT = "Password is known to be weak and easy to guess, please choose a different one."


class Breaches(httpx.AsyncBaseTransport):
    """haveibeenpwned.com: knows one password, pads with others; `status` is what it answers."""

    def __init__(self) -> None:
        self.status, self.asked = 200, ""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.asked = str(request.url)
        padding = hashlib.sha1(b"unknown to all").hexdigest().upper()[5:]
        return httpx.Response(self.status, text=f"{DIGEST[5:]}:4\r\n{padding}:0\r\n")


@pytest.fixture(scope="module")
def breaches() -> Iterator[Breaches]:
    made = Breaches()
    with outside_world(lambda: made):
        yield made


def sign_up(auth: AuthClient, password: str) -> httpx.Response:
    return auth.post("/signup", {"email": new_email(), "password": password}, headers=NEW)


def test_the_service_is_told_five_digits(start_auth: StartAuth, breaches: Breaches) -> None:
    auth = start_auth(PASSWORD_HIBP_ENABLED="true", MAILER_AUTOCONFIRM="true")
    breaches.status = 200
    answer = sign_up(auth, LEAKED)
    assert error_of(answer) == (422, "weak_password", TEXT)
    assert answer.json()["weak_password"] == {"reasons": ["pwned"]}
    assert breaches.asked == f"https://api.pwnedpasswords.com/range/{DIGEST[:5]}"
    assert sign_up(auth, "unknown to all").status_code == 200
    assert error_of(auth.person().request("PUT", "/user", {"password": LEAKED}, headers=NEW))[1] == "weak_password"


def test_while_it_does_not_answer(start_auth: StartAuth, breaches: Breaches) -> None:
    breaches.status = 503
    opened = start_auth(PASSWORD_HIBP_ENABLED="true", MAILER_AUTOCONFIRM="true")
    assert sign_up(opened, LEAKED).status_code == 200
    closed = start_auth(PASSWORD_HIBP_ENABLED="true", PASSWORD_HIBP_FAIL_CLOSED="true")
    assert error_of(sign_up(closed, LEAKED))[:2] == (500, "unexpected_failure")


def test_a_file_of_them(start_auth: StartAuth, breaches: Breaches, tmp_path: Path) -> None:
    listed = sorted([DIGEST, *(hashlib.sha1(bytes([n])).hexdigest().upper() for n in range(200))])
    file = tmp_path / "pwned.txt"
    file.write_text("".join(f"{digest}:{n}\r\n" for n, digest in enumerate(listed)))
    breaches.asked = ""
    auth = start_auth(
        PASSWORD_HIBP_ENABLED="true", PASSWORD_HIBP_FILE=str(file), PASSWORD_HIBP_FAIL_CLOSED="true",
        MAILER_AUTOCONFIRM="true",
    )  # fmt: skip
    assert error_of(sign_up(auth, LEAKED)) == (422, "weak_password", TEXT)
    assert sign_up(auth, "unknown to all").status_code == 200
    file.unlink()
    assert sign_up(auth, "unknown to all").status_code == 500
    assert breaches.asked == "", "nothing leaves the machine"
