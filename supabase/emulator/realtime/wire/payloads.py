"""Payloads by meaning: what a join asks for, and what replies and pushes carry."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from emulator.realtime.wire.frames import dump

MAX_REPLAY = 25
MIN_SINCE_MS, MAX_SINCE_MS = -62_135_596_800_000, 253_402_300_799_999  # the years 1 to 9999
DEFAULT_WAIT_MS = 15_000
MAX_WAIT_MS = 20_000
TOPIC_PREFIX = "realtime:"
EMPTY = "{}"

Extension = Literal["broadcast", "presence", "persistence"]  # what policies on realtime.messages are asked about
Meta = dict[str, Any]  # what a client tracks, with phx_ref and phx_ref_prev


@dataclass(frozen=True, slots=True)
class Replay:
    """Which stored broadcasts a join wants again."""

    since_ms: int
    limit: int


@dataclass(frozen=True, slots=True)
class JoinOptions:
    """A join's config: what did not validate is as if it were not there."""

    broadcast_self: bool = False
    broadcast_ack: bool = False
    replication_ready: bool = False
    asks_replay: bool = False
    replay: Replay | None = None
    replay_is_invalid: bool = False
    presence_key: str = ""
    presence_enabled: bool = False
    is_private: bool = False
    bindings: tuple[Mapping[str, Any], ...] = ()
    is_legacy: bool = False
    wait_ms: int | None = None


def parse_join(payload: object, topic: str) -> JoinOptions:
    """Read a phx_join payload as tolerantly as the service does.

    Without `config` (clients of before 2022) the topic says which changes are wanted, and `is_legacy` is set: each
    change is an event of its own.
    """
    body = _mapping(payload)
    if isinstance(payload, dict) and "config" not in payload:
        return JoinOptions(bindings=(legacy_binding(topic),), is_legacy=True)
    config = _mapping(body.get("config"))
    broadcast, presence = _mapping(config.get("broadcast")), _mapping(config.get("presence"))
    options = _mapping(config.get("postgres_changes_options"))
    replay, replay_is_invalid = _parse_replay(broadcast.get("replay"))
    wanted = config.get("postgres_changes")
    bindings = wanted if isinstance(wanted, list) else []
    key = presence.get("key")
    return JoinOptions(
        broadcast_self=_flag(broadcast.get("self")),
        broadcast_ack=_flag(broadcast.get("ack")),
        replication_ready=_flag(broadcast.get("replication_ready")),
        asks_replay="replay" in broadcast,
        replay=replay,
        replay_is_invalid=replay_is_invalid,
        presence_key=key if isinstance(key, str) else "" if key is None else dump(key),
        presence_enabled=_flag(presence.get("enabled")),
        is_private=_flag(config.get("private")),
        bindings=tuple(binding for binding in bindings if isinstance(binding, dict)),
        wait_ms=_parse_wait(options),
    )


def legacy_binding(topic: str) -> Mapping[str, Any]:
    """What a topic names by itself: `schema`, `schema:table` or `schema:table:filter`."""
    return dict(zip(("schema", "table", "filter"), topic_name(topic).split(":", 2), strict=False))


def join_token(payload: object) -> str | None:
    """The token that a phx_join brings; None where the socket's is meant."""
    body = _mapping(payload)
    user_token, access_token = body.get("user_token"), body.get("access_token")
    first = user_token if access_token is None else access_token
    if isinstance(first, str) and first.startswith("sb_"):
        return None  # an API key, which the gateway has mapped already
    for token in (user_token, access_token):
        if isinstance(token, str):
            return token
    return None


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _flag(value: object) -> bool:
    return value is True or (isinstance(value, str) and value.lower() == "true")


def _parse_wait(options: Mapping[str, Any]) -> int | None:
    if not _flag(options.get("wait")):
        return None
    timeout = options.get("timeout")
    return min(timeout, MAX_WAIT_MS) if isinstance(timeout, int) and timeout > 0 else DEFAULT_WAIT_MS


def _parse_replay(value: object) -> tuple[Replay | None, bool]:
    """The replay, and whether it is invalid; what is no object is ignored."""
    if not isinstance(value, dict):
        return None, False
    since, limit = value.get("since"), value.get("limit")
    limit = MAX_REPLAY if limit is None else limit
    if type(since) is not int or type(limit) is not int or not MIN_SINCE_MS <= since <= MAX_SINCE_MS:
        return None, True
    return Replay(since, max(1, min(limit, MAX_REPLAY))), False


def wants_persistence(metadata: str) -> bool:
    """Whether a user broadcast's metadata asks to store it; `ttl` is accepted, and partitions decide."""
    try:
        value = json.loads(metadata) if metadata else {}
    except ValueError:
        return False
    persist = _mapping(value).get("persist")
    return persist is True or isinstance(persist, dict)


def topic_name(topic: str) -> str:
    """A channel's name: its topic without `realtime:`."""
    return topic[len(TOPIC_PREFIX) :]


def reply(status: str, response: str) -> str:
    """A phx_reply's payload; `response` is JSON text of an object."""
    return f'{{"status":"{status}","response":{response}}}'


def reason(text: str) -> str:
    """The response of a refusal."""
    return dump({"reason": text})


def system(message: str, status: str, extension: str, topic: str) -> str:
    """A system message's payload."""
    return dump({"message": message, "status": status, "extension": extension, "channel": topic_name(topic)})


def binding_ids(bindings: Sequence[Mapping[str, Any]]) -> list[int]:
    """The ids of a join's bindings. They start at 1 (to clients 0 is no id), and equal bindings share one."""
    ids: dict[str, int] = {}
    return [ids.setdefault(json.dumps(binding, sort_keys=True), number) for number, binding in enumerate(bindings, 1)]


def joined(bindings: Sequence[Mapping[str, Any]]) -> str:
    """A join reply's response: every binding as it came, with its id."""
    numbered = zip(bindings, binding_ids(bindings), strict=True)
    return dump({"postgres_changes": [{**binding, "id": number} for binding, number in numbered]})


def broadcast(event: str | None, payload: str, meta: str = "") -> str:
    """A broadcast's payload from JSON texts; `meta` is empty or an object."""
    tail = f',"meta":{meta}' if meta else ""
    return f'{{"type":"broadcast","event":{dump(event)},"payload":{payload}{tail}}}'


def postgres_changes(ids: Sequence[int], data: str) -> str:
    """A row change's payload; `data` is JSON text, made once for all who may see the same."""
    return f'{{"ids":{dump(list(ids))},"data":{data}}}'
