"""Hostile and malformed bodies: the answer is always JSON, never a 500, and no mail is sent."""

import asyncio
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from muster_functions.settings import Limits
from tests.contract.functions.conftest import ANON, SERVICE, People, token
from tests.support.mail_server import MailServer

PATH = "send-notification-email"
BEARER = {"authorization": f"Bearer {SERVICE}"}
TYPES = ["message", "mention", "reaction", "connection", "comment", "system", "others", "admin_waitlist",
         "admin_feedback", "invitation", "feedback_answer"]  # fmt: skip

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
ADDRESSES = st.sampled_from(
    ["ben@muster.test", "nobody@muster.test", "\x00@x", "a@b\r\nBcc: c@d", "%", "'; --", "🚒@x"]
)
IDS: st.SearchStrategy[object] = st.sampled_from([str(uuid4()), "x", "", "\x00", 7, None, [], {"id": 1}])
BODIES = st.fixed_dictionaries(
    {
        "notification": st.fixed_dictionaries(
            {"type": st.sampled_from(TYPES)},
            optional={
                "title": st.text(max_size=400) | JSON_VALUES,
                "content": st.text(max_size=200) | JSON_VALUES,
                "metadata": JSON_VALUES
                | st.fixed_dictionaries({"id": IDS, "email": ADDRESSES | IDS, "message_id": IDS, "url": st.text()}),
            },
        )
        | JSON_VALUES,
    },
    optional={
        "recipient": st.fixed_dictionaries({"email": ADDRESSES | st.text(max_size=400) | JSON_VALUES}) | JSON_VALUES
    },
)


@pytest.fixture
async def client(serve: Callable[..., Any], smtp: MailServer, people: People) -> httpx.AsyncClient:
    people.member("Ada Stone", admin=True)
    people.member("Ben", emailGlobalMute=True)
    made: httpx.AsyncClient = await serve(smtp.port, limits=Limits(requests_per_minute=10**6))
    return made


# The service runs in the same process and draws its own random numbers (jitter) while hypothesis watches the generator.
@pytest.mark.filterwarnings("ignore:Do not use the .random. module inside strategies")
@pytest.mark.parametrize("role", ["visitor", "member", "admin", "service"])
async def test_no_body_makes_it_fail(client: httpx.AsyncClient, people: People, role: str) -> None:
    """Bodies of about the documented shape, from every kind of caller."""
    ids = dict(people.connection.execute("select full_name, id from public.profiles").fetchall())
    bearer = {
        "visitor": ANON, "service": SERVICE, "admin": token(sub=ids["Ada Stone"]), "member": token(sub=ids["Ben"]),
    }[role]  # fmt: skip
    loop = asyncio.get_running_loop()

    @settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(BODIES)
    def check(body: Any) -> None:
        headers = {"authorization": f"Bearer {bearer}"}
        got = asyncio.run_coroutine_threadsafe(client.post(PATH, headers=headers, json=body), loop).result(20)
        assert got.status_code in (200, 400, 401, 403, 413, 429), (got.status_code, body)
        answer = got.json()
        assert isinstance(answer["success"], bool)
        assert answer["success"] or isinstance(answer["error"], str)

    await asyncio.to_thread(check)


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="cut off"),
        pytest.param(b"null", id="null"),
        pytest.param(b"[]", id="array"),
        pytest.param(b'"text"', id="text"),
        pytest.param(b"\xff\xfe", id="no UTF-8"),
        pytest.param(b"[" * 50_000, id="deep"),
        pytest.param(b'{"notification": {"type": "message"}}', id="no recipient"),
        pytest.param(b'{"notification": {"type": "nothing"}, "recipient": {"email": "a@b"}}', id="unknown type"),
        pytest.param(b'{"notification": {"type": "system"}, "recipient": {"email": ""}}', id="empty address"),
        pytest.param(b'{"notification": {"type": "system"}, "recipient": {"email": ["a@b"]}}', id="list of addresses"),
        pytest.param(
            b'{"notification": {"type": "system", "title": "\\ud800"}, "recipient": {"email": "a"}}', id="surrogate"
        ),
        pytest.param(
            b'{"notification": {"type": "system", "title": "a\\u0000"}, "recipient": {"email": "a"}}', id="NUL"
        ),
    ],
)
async def test_a_body_of_another_shape_is_400(client: httpx.AsyncClient, body: bytes) -> None:
    got = await client.post(PATH, headers=BEARER, content=body)
    assert (got.status_code, got.json()["code"]) == (400, "INVALID_BODY")
    assert got.json()["success"] is False
    assert "Traceback" not in got.text


async def test_a_refusal_does_not_repeat_what_it_was_given(client: httpx.AsyncClient) -> None:
    got = await client.post(PATH, headers=BEARER, json={"notification": {"type": "<b>evil</b>"}})
    assert got.status_code == 400
    assert "evil" not in got.text


async def test_a_megabyte_is_too_much(client: httpx.AsyncClient) -> None:
    body = {"notification": {"type": "system", "title": "x" * 2**20}, "recipient": {"email": "ben@muster.test"}}
    assert (await client.post(PATH, headers=BEARER, json=body)).status_code == 413


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
async def test_only_post_is_answered(client: httpx.AsyncClient, method: str) -> None:
    got = await client.request(method, PATH, headers=BEARER)
    assert (got.status_code, got.headers["allow"], got.json()["success"]) == (405, "POST", False)


async def test_the_content_type_does_not_matter(client: httpx.AsyncClient, people: People) -> None:
    """What is read is JSON, whatever it is called."""
    people.member("Cleo")
    body = {"notification": {"type": "system", "title": "x"}, "recipient": {"email": "cleo@muster.test"}}
    headers = BEARER | {"content-type": "text/plain;charset=UTF-8"}
    assert (await client.post(PATH, headers=headers, content=json.dumps(body))).json()["success"] is True


async def test_the_refusal_of_an_outsider_is_the_same_for_members_and_strangers(client: httpx.AsyncClient) -> None:
    """§7.44: nobody learns here who has an account."""
    body = {"notification": {"type": "message", "title": "x"}}
    answers = []
    for bearer in (ANON, token(sub=uuid4())):
        for email in ("ben@muster.test", "nobody@muster.test"):
            headers = {"authorization": f"Bearer {bearer}"}
            got = await client.post(PATH, headers=headers, json=body | {"recipient": {"email": email}})
            answers.append((got.status_code, got.text))
    assert answers[0] == answers[1]
    assert answers[2] == answers[3]
