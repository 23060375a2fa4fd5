"""What a push says, and how a push service is to treat it. Pure; web/worker/push.ts reads the payload."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from muster_functions.push.encryption import base64url

DAY_S = 86_400
CONFIRMATION_TTL_S = 300
LONGEST_TITLE, LONGEST_BODY = 120, 240
MOST_AT_ONCE = 3  # more of them become one

# Of each entry of notification_settings.preferences: its words where a push names no content, and its urgency
# (RFC 8030, section 5.3: what a device with little battery is still told).
KINDS = {
    "messages": ("New message", "high"),
    "connections": ("News about a connection", "normal"),
    "mentions": ("Somebody mentioned you or answered you", "normal"),
    "certifications": ("A certification needs a look", "normal"),
    "trainings": ("News about a training", "high"),
    "growth": ("News about endorsements or mentoring", "normal"),
    "system": ("News from Muster", "low"),
}


@dataclass(frozen=True)
class News:
    """A notification; `url` is a path of the site."""

    id: UUID
    preference: str
    title: str
    content: str
    url: str


@dataclass(frozen=True)
class Push:
    """`payload` is {title, body, url, tag}. A newer one of its topic (on the device: tag) takes its place."""

    payload: bytes
    topic: str
    urgency: str
    ttl_s: int


def pushes_of(news: list[News], *, hides_content: bool) -> list[Push]:
    """A push for each, or one for all when there are many: after quiet hours, or a night without network."""
    if len(news) > MOST_AT_ONCE:
        said = {"title": f"{len(news)} new notifications", "body": "", "url": "/notifications", "tag": "many"}
        return [_push(said, "many", "normal")]
    return [_push_of(one, hides_content) for one in news]


def confirmation(device: str) -> Push:
    """The first push to a device, and the one that the member asks for."""
    said = {
        "title": "Notifications are on", "body": f"Muster tells you here: {device}.",
        "url": "/settings/notifications", "tag": "on",
    }  # fmt: skip
    return _push(said, "on", "normal", CONFIRMATION_TTL_S)


def _push_of(news: News, hides_content: bool) -> Push:
    words, urgency = KINDS[news.preference]
    said = {
        "title": words if hides_content else _shortened(news.title, LONGEST_TITLE),
        "body": "" if hides_content else _shortened(news.content, LONGEST_BODY),
        "url": news.url,
        "tag": str(news.id),
    }
    return _push(said, base64url(news.id.bytes), urgency)


def _push(said: dict[str, Any], topic: str, urgency: str, ttl_s: int = DAY_S) -> Push:
    return Push(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode(), topic, urgency, ttl_s)


def _shortened(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1].rstrip()}…"
