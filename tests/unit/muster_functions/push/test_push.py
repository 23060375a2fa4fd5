"""What a push says, who sends it, where it may go, and what a push service's answer means."""

import base64
import json
from uuid import UUID

import jwt as pyjwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from muster_cli.stack.secrets import generate
from muster_functions.push.encryption import LONGEST, from_base64url
from muster_functions.push.endpoints import RefusedEndpoint, Target, UnknownHost, find_target, look_up
from muster_functions.push.message import News, confirmation, pushes_of
from muster_functions.push.sender import Outcome, outcome_of
from muster_functions.push.vapid import VapidKeys, authorization

ID = UUID("a0000000-0000-4000-8000-000000000001")
MESSAGE = News(ID, "messages", "Ada Fontaine sent you a message", "Coffee\nat 0630?", "/messages?with=1")


def test_a_push_says_what_happened_and_leads_there() -> None:
    """§17.3: in the notification's words; a newer one of the same notification takes its place."""
    (push,) = pushes_of([MESSAGE], hides_content=False)
    assert json.loads(push.payload) == {
        "title": "Ada Fontaine sent you a message", "body": "Coffee at 0630?", "url": "/messages?with=1",
        "tag": str(ID),
    }  # fmt: skip
    assert (len(push.topic), push.urgency, push.ttl_s) == (22, "high", 86_400)


@pytest.mark.parametrize(
    ("preference", "want"),
    [
        ("messages", "New message"),
        ("connections", "News about a connection"),
        ("mentions", "Somebody mentioned you or answered you"),
        ("certifications", "A certification needs a look"),
        ("trainings", "News about a training"),
        ("growth", "News about endorsements or mentoring"),
        ("system", "News from Muster"),
    ],
)
def test_a_push_can_name_no_content(preference: str, want: str) -> None:
    """§17.3: the kind of news, nobody's name, none of the words."""
    news = News(ID, preference, "Ada Fontaine", "Coffee", "/")
    (push,) = pushes_of([news], hides_content=True)
    said = json.loads(push.payload)
    assert (said["title"], said["body"], said["url"]) == (want, "", "/")


def test_many_become_one() -> None:
    """§17.3: after quiet hours a device is not flooded."""
    assert len(pushes_of([MESSAGE] * 3, hides_content=False)) == 3
    (push,) = pushes_of([MESSAGE] * 4, hides_content=False)
    assert json.loads(push.payload)["title"] == "4 new notifications"


def test_the_longest_notification_fits() -> None:
    news = News(ID, "messages", "\U0001f692" * 200, "\U0001f692" * 1000, "/" + "x" * 1000)
    (push,) = pushes_of([news], hides_content=False)
    assert len(push.payload) <= LONGEST
    assert json.loads(push.payload)["body"].endswith("…")
    assert len(confirmation("x" * 200).payload) <= LONGEST


def test_a_push_service_can_tell_who_sends() -> None:
    """§17.3: RFC 8292, with keys as a stack generates them."""
    made = generate(0)
    keys = VapidKeys(made.vapid_public_key, made.vapid_private_key)
    header = authorization("https://push.example.net:443/send/1", keys, "mailto:a@b.test", 1000)
    scheme, token, key = header.split(" ")
    assert (scheme, key) == ("vapid", f"k={keys.public}")
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), from_base64url(keys.public))
    claims = pyjwt.decode(
        token.removeprefix("t=").rstrip(","),
        point,
        algorithms=["ES256"],
        options={"verify_exp": False, "verify_aud": False},
    )
    assert claims == {"aud": "https://push.example.net:443", "exp": 1000 + 12 * 3600, "sub": "mailto:a@b.test"}
    assert keys.private not in repr(keys)


async def _public(host: str) -> list[str]:
    return {"push.example.net": ["93.184.216.34"], "six.example.net": ["2606:2800:220:1::1"]}[host]


@pytest.mark.parametrize(
    ("endpoint", "want"),
    [
        ("https://push.example.net/send/1?a=b", Target("https://93.184.216.34/send/1?a=b", "push.example.net")),
        ("https://six.example.net", Target("https://[2606:2800:220:1::1]/", "six.example.net")),
    ],
)
async def test_the_checked_address_is_called(endpoint: str, want: Target) -> None:
    """§17.3: not the name once more, which may lead elsewhere by then."""
    assert await find_target(endpoint, None, _public) == want


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "::1", "fe80::1", "fd00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "255.255.255.255",
    ],
)  # fmt: skip
async def test_no_push_goes_to_networks_of_our_own(address: str) -> None:
    """§17.3: one private address among those of a name is enough."""

    async def lookup(_: str) -> list[str]:
        return ["93.184.216.34", address]

    with pytest.raises(RefusedEndpoint):
        await find_target("https://push.example.net/send/1", None, lookup)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.net/", "https://127.0.0.1/", "https://[::1]/", "https://localhost/", "https://2130706433/",
        "https://push.example.net:8443/", "https://ada@push.example.net/", "file:///etc/passwd", "https://", "https://[",
        "//push.example.net/",
    ],
)  # fmt: skip
async def test_no_push_goes_to_what_is_no_push_service(endpoint: str) -> None:
    """§17.3: whatever the stand-in of the tests, or a resolver, would make of it."""
    with pytest.raises((RefusedEndpoint, UnknownHost)):
        await find_target(endpoint, None, look_up)


@pytest.mark.parametrize(
    ("status", "retry_after", "want"),
    [
        (201, None, Outcome("sent")),
        (404, None, Outcome("gone", "status 404")),
        (410, "5", Outcome("gone", "status 410")),
        (429, "30", Outcome("later", "status 429", 30)),
        (429, "9" * 400, Outcome("later", "status 429", 7200)),
        (429, "Wed, 21 Oct 2026 07:28:00 GMT", Outcome("later", "status 429")),
        (503, "-1", Outcome("later", "status 503")),
        (500, "²", Outcome("later", "status 500")),
        (301, None, Outcome("refused", "status 301")),
        (403, None, Outcome("refused", "status 403")),
        (413, None, Outcome("refused", "status 413")),
    ],
)
def test_what_a_push_service_answers(status: int, retry_after: str | None, want: Outcome) -> None:
    """§17.3: a dead subscription is told from a service that is busy, and from a push that nobody will take."""
    assert outcome_of(status, retry_after) == want


def test_base64url_is_what_browsers_give() -> None:
    assert from_base64url(base64.urlsafe_b64encode(b"\xff" * 5).decode().rstrip("=")) == b"\xff" * 5
