"""Replays recorded exchanges (requests and what to expect of the responses) against a server; reports differences."""

import base64
import http.client
import json
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from emulator.jwt import sign

Json = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def all(self, name: str) -> list[str]:
        """Every value of a header."""
        return [value for key, value in self.headers if key.lower() == name.lower()]


def replay(case: Json, port: int, fixtures: Path) -> list[str]:
    """Send a case's steps in order; returns what was not as expected."""
    answers: list[Answer] = []
    wrong: list[str] = []
    for number, step in enumerate(case["steps"]):
        answer = _send(step, answers, port, fixtures)
        answers.append(answer)
        wrong.extend(f"step {number}: {text}" for text in _differences(step["expect"], answer))
    return wrong


def _send(step: Json, answers: list[Answer], port: int, fixtures: Path) -> Answer:
    path = step["path"]
    if isinstance(path, dict):
        path = answers[path["header_of_step"]].all(path["name"])[0]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.putrequest(step["method"], path, skip_accept_encoding=True)
        for name, value in step["headers"]:
            connection.putheader(name, _header_value(value))
        body = _body(step.get("body"), answers, fixtures)
        if body is not None or step["method"] in ("POST", "PATCH", "PUT"):
            connection.putheader("Content-Length", str(len(body or b"")))
        connection.endheaders(body)
        response = connection.getresponse()
        return Answer(response.status, response.getheaders(), response.read())
    finally:
        connection.close()


def _header_value(value: Any) -> str:
    if isinstance(value, str):
        return value
    claims = {
        name: int(time.time()) + claim["now_plus_seconds"] if isinstance(claim, dict) and "now_plus_seconds" in claim
        else claim
        for name, claim in value["jwt_claims"].items()
    }  # fmt: skip
    return str(value["prefix"]) + sign(claims, base64.b64decode(value["secret_base64"]))


def _body(body: Any, answers: list[Answer], fixtures: Path) -> bytes | None:
    if body is None:
        return None
    if isinstance(body, str):
        return body.encode()
    members = {
        name: (fixtures / source["fixture"]).read_text()
        if "fixture" in source
        else answers[source["body_of_step"]].body.decode()
        for name, source in body["json_with"].items()
    }
    return json.dumps({name: _maybe_json(text) for name, text in members.items()}).encode()


def _maybe_json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _differences(expect: Json, answer: Answer) -> list[str]:
    wrong: list[str] = []
    if "status" in expect and answer.status != expect["status"]:
        wrong.append(f"status {answer.status}, not {expect['status']}; body {answer.body[:300]!r}")
    for check in expect.get("headers", ()):
        if not _header_holds(check, answer):
            wrong.append(f"header {check}: got {answer.all(check['name'])}")
    if "body" in expect and not _body_holds(expect["body"], answer.body):
        wrong.append(f"body {answer.body[:1500]!r}, not {json.dumps(expect['body'], ensure_ascii=False)[:1500]}")
    for check in expect.get("json", ()):
        if not _place_holds(check, answer.body):
            wrong.append(f"json {check}: body {answer.body[:600]!r}")
    for check in expect.get("text", ()):
        if not _text_holds(check, answer.body.decode("utf-8", "replace")):
            wrong.append(f"text {check}: body {answer.body[:600]!r}")
    if expect.get("error_object"):
        error = _loads(answer.body)
        if not isinstance(error, dict) or "message" not in error or set(error) - {"message", "code", "details", "hint"}:
            wrong.append(f"no error object: {answer.body[:300]!r}")
    if expect.get("no_blank_headers") and any(not name.strip() for name, _ in answer.headers):
        wrong.append("a header without a name")
    return wrong


def _header_holds(check: Json, answer: Answer) -> bool:
    values = answer.all(check["name"])
    first = values[0] if values else None
    if "equals" in check:
        return check["equals"] in values
    if "only" in check:
        return values == [check["only"]]
    if "contains" in check:
        return first is not None and check["contains"] in first
    if "matches" in check:
        return first is not None and re.search(check["matches"], first) is not None
    if "differs" in check:
        return first is not None and first != check["differs"]
    if check.get("json_media_type"):
        return first is not None and re.fullmatch(r"application/json(; *charset=utf-8)?", first) is not None
    if "absent" in check:
        return not values
    raise ValueError(f"unknown check {check}")


def _loads(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None


def _body_holds(want: Json, body: bytes) -> bool:
    if "json" in want:
        try:
            return _same(json.loads(body), want["json"])
        except ValueError:
            return False
    if "text" in want:
        return body == str(want["text"]).encode()
    return body == base64.b64decode(want["base64"])


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


_MISSING = object()


def _at(value: Any, path: list[Any]) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return _MISSING
    return value


def _place_holds(check: Json, body: bytes) -> bool:
    found = _at(_loads(body), check["path"])
    if "absent" in check:
        return found is _MISSING
    if "present" in check:
        return found is not _MISSING
    if found is _MISSING:
        return False
    if "equals" in check:
        return _same(found, check["equals"])
    if "less_than" in check:
        return bool(found < check["less_than"])
    if "greater_than" in check:
        return bool(found > check["greater_than"])
    raise ValueError(f"unknown check {check}")


def _text_holds(check: Json, text: str) -> bool:
    if "contains" in check:
        return check["contains"] in text
    if "lacks" in check:
        return check["lacks"] not in text
    if "starts_with" in check:
        return text.startswith(check["starts_with"])
    number = text.count(check["occurrences_of"])
    return bool(number == check["equals"] if "equals" in check else number > check["greater_than"])
