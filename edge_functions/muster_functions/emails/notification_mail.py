"""What the mail of a notification has to say, before it is rendered. Pure."""

from dataclasses import dataclass

from muster_functions.emails.reminder_links import Reminder
from muster_functions.emails.unsubscribe_links import Subscription


@dataclass(frozen=True)
class Section:
    """A part of a mail that lists several things: each line with a note, then a link to all of them."""

    title: str
    lines: tuple[tuple[str, str], ...]
    path: str
    label: str


@dataclass(frozen=True)
class NotificationMail:
    """What a mail has to say. `kind` names the templates; `rows` are labeled facts; `path` is where its button leads.

    A digest has `sections`. A certification has `life`, the percent of its time that is left, and its `reminder`.
    `actor` did it, `text` is what they wrote, `title` and `author` are those of the post it is about (an operator's
    own mail: its title). `subscription`: the recipient is a member, and may turn this kind of mail off.
    """

    kind: str
    to: str
    to_name: str = ""
    actor: str = ""
    text: str = ""
    title: str = ""
    author: str = ""
    variant: str = ""
    is_own_post: bool = False
    rows: tuple[tuple[str, str], ...] = ()
    path: str = "/"
    sections: tuple[Section, ...] = ()
    life: int | None = None
    reminder: Reminder | None = None
    subscription: Subscription | None = None
