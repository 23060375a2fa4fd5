"""What a notification's mail has to say: an event in the database's words, or an admin's own. Pure."""

from datetime import date
from urllib.parse import quote

from muster_functions.emails.notification_mail import NotificationMail
from muster_functions.emails.unsubscribe_links import Subscription
from muster_functions.notifications.models import Event, NotificationRequest

# The labels of what a mail to admins lists, in their order.
FACT_LABELS = {
    "category": "Category", "email": "Email", "name": "Name", "current_rank": "Rank or role",
    "firefighter_type": "Service", "years_of_service": "Years of service", "status": "Status",
}  # fmt: skip
# What is stored, in words; everything else is what somebody wrote.
FACT_WORDS = {
    "category": {
        "general": "General", "bug": "Bug", "feature": "Feature", "improvement": "Improvement",
        "question": "Question", "other": "Other",
    },
    "firefighter_type": {
        "career": "Career", "volunteer": "Volunteer", "wildland": "Wildland", "industrial": "Industrial",
        "military": "Military", "retired": "Retired", "other": "Other", "waitlist_quiz": "",
    },
    "years_of_service": {
        "less-than-1": "Under 1", "1-5": "1 to 5", "6-10": "6 to 10", "11-20": "11 to 20", "more-than-20": "Over 20",
        "unknown": "",
    },
    "status": {"waitlist": "Waiting", "pending": "Pending", "invited": "Invited", "active": "Active"},
}  # fmt: skip


def write_mail(request: NotificationRequest, event: Event) -> NotificationMail:
    """The mail to the recipient of an event that may be mailed."""
    notification, given_name = request.notification, request.recipient.full_name if request.recipient else None
    has_own_words = event.subject_id is None
    subscription = None
    if event.recipient_id is not None and event.preference is not None:
        subscription = Subscription(event.recipient_id, event.preference)
    return NotificationMail(
        kind=event.template,
        to=event.recipient_email or "",
        to_name=(event.recipient_name if event.recipient_id is not None else given_name) or "",
        actor=event.actor_name or _sender(event),
        text=notification.content if has_own_words else event.content,
        title=notification.title if has_own_words else event.post_title or "",
        author=event.post_author or "",
        variant=event.variant,
        is_own_post=event.is_own_post,
        rows=_rows(event, notification.metadata or {}),
        path=_path(event, notification.metadata or {}),
        subscription=subscription,
    )


def _sender(event: Event) -> str:
    """Who joined the waitlist or wrote feedback, by name, else by address."""
    facts = event.facts or {}
    return facts.get("name") or facts.get("email") or "A visitor"


def _path(event: Event, metadata: dict[str, object]) -> str:
    if event.link is not None:
        return event.link
    if event.recipient_id is None:  # somebody who is no member yet
        token = (event.facts or {}).get("token")
        proof = f"&token={token}" if token else ""
        return f"/invitation?email={quote(event.recipient_email or '', safe='@')}{proof}"
    url = metadata.get("url")
    return url if isinstance(url, str) else "/"


def _rows(event: Event, metadata: dict[str, object]) -> tuple[tuple[str, str], ...]:
    """The facts of a mail to admins, labeled. Names and departments that only the form knows come from the body."""
    if event.facts is None:
        return ()
    if "token" in event.facts:  # an invitation's
        day = date.fromisoformat(event.facts["last_day"] or "")
        return (("It’s good until", f"{day:%B} {day.day}"),)
    if "question" in event.facts:  # an answer's
        return (("You wrote", event.facts["question"] or ""),)
    given = {name: value for name, value in metadata.items() if isinstance(value, str) and "\x00" not in value}
    facts = {
        "name": f"{given.get('first_name', '')} {given.get('last_name', '')}".strip(),
        **({"current_rank": given.get("department", "")} if "current_rank" in event.facts else {}),
        **{name: FACT_WORDS.get(name, {}).get(value, value) for name, value in event.facts.items() if value},
    }
    names = [*(name for name in FACT_LABELS if name in facts), *(name for name in facts if name not in FACT_LABELS)]
    return tuple((FACT_LABELS.get(name) or name.replace("_", " ").capitalize(), facts[name]) for name in names)
