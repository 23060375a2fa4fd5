"""From a NotificationMail to an Email. Pure but for the templates, which `load` reads once.

Nothing here is trusted but the site: every value is escaped in HTML, and links are paths of the site's own origin.
"""

import re
from functools import cache
from urllib.parse import quote, urlsplit

import jinja2
from markupsafe import Markup, escape

from emulator.mail.email import Email
from emulator.mail.message import one_line
from muster_functions.emails import reminder_links
from muster_functions.emails.notification_mail import NotificationMail
from muster_functions.emails.unsubscribe_links import link

SETTINGS_PATH = "/settings/notifications"
ONE_CLICK = "List-Unsubscribe=One-Click"  # RFC 8058, section 2
QUOTE_LENGTH = 2000
ROW_LENGTH = 400
PREVIEW_LENGTH = 100  # §9.15, §9.16
NAME_LENGTH = 80
PARTS = ("subject.txt", "body.txt", "body.html")

_KIND = re.compile(r"[a-z][a-z_]*")
_BREAKS = re.compile(r"\r\n?|\u2028|\u2029|\x85")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@cache
def load() -> jinja2.Environment:
    """The templates, all compiled: call it once where it may take a while."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("muster_functions.emails"),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        lines=_lines, highlight_mention=_highlight_mention, preview=_preview, first_name=_first_name
    )
    for name in environment.list_templates():
        environment.get_template(name)
    return environment


def render(mail: NotificationMail, *, site_url: str, year: int, secret: str) -> Email:
    """Render a mail. `secret` signs the link that turns such mails off."""
    site = site_url.rstrip("/")
    unsubscribe = link(mail.subscription, site_url=site, secret=secret) if mail.subscription else ""
    values: dict[str, object] = {
        "actor": one_line(mail.actor, NAME_LENGTH) or "A member",
        "to_name": one_line(mail.to_name, NAME_LENGTH),
        "text": _clean(mail.text),
        "title": one_line(mail.title),
        "author": one_line(mail.author, NAME_LENGTH),
        "variant": mail.variant,
        "is_own_post": mail.is_own_post,
        "rows": [(label, _clean(value, ROW_LENGTH)) for label, value in mail.rows if value],
        "sections": [
            {
                "title": one_line(section.title, 80),
                "lines": [(one_line(text, 200), one_line(note, 200)) for text, note in section.lines],
                "link": site + own_path(section.path, site),
                "label": one_line(section.label, 80),
            }
            for section in mail.sections
        ],
        "life": mail.life,
        "later_link": reminder_links.link(mail.reminder, site_url=site, secret=secret) if mail.reminder else "",
        "link": site + own_path(mail.path, site),
        "site_host": urlsplit(site).netloc,
        "settings_link": site + SETTINGS_PATH if mail.subscription else "",
        "unsubscribe_link": unsubscribe,
        "year": year,
    }
    if not _KIND.fullmatch(mail.kind):
        raise ValueError(f"no templates for {mail.kind!r}")
    templates = {part: load().get_template(f"notifications/{mail.kind}/{part}") for part in PARTS}
    subject = one_line(templates["subject.txt"].render(values))
    values["headline"] = subject
    headers = {"List-Unsubscribe": f"<{unsubscribe}>", "List-Unsubscribe-Post": ONE_CLICK} if unsubscribe else {}
    text, html = templates["body.txt"].render(values), templates["body.html"].render(values)
    to_name = one_line(mail.to_name, NAME_LENGTH)
    return Email(mail.kind, mail.to, subject, _collapse_blank_lines(text), html, to_name, headers)


def own_path(url: object, site_url: str) -> str:
    """The path of a link if it stays on the site, else `/`: a mail leads nowhere else."""
    if not isinstance(url, str) or len(url) > 500 or any(char <= " " or char == "\\" for char in url):
        return "/"
    path = url[len(site_url) :] if url.startswith(f"{site_url}/") else url
    if not path.startswith("/") or path.startswith("//"):
        return "/"
    return quote(path, safe="/?&=#%:@!$'()*+,;~-._")


def _clean(text: str, length: int = QUOTE_LENGTH) -> str:
    """Text of people as it may be shown: no controls, no reordering, plain line ends, not too long."""
    text = _CONTROLS.sub("", _BREAKS.sub("\n", text)).strip()
    text = re.sub(r"\n{3,}", "\n\n", text)
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def _collapse_blank_lines(text: str) -> str:
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def _lines(text: str) -> Markup:
    return Markup("<br>\n").join(escape(line) for line in text.split("\n"))


def _highlight_mention(text: str, name: str) -> Markup:
    """Lines of text with `@name` highlighted, as on the site."""
    called = Markup('<strong class="link" style="color:#a94400">{}</strong>').format(f"@{name}")
    return called.join(_lines(part) for part in text.split(f"@{name}")) if name else _lines(text)


def _preview(text: str) -> str:
    return one_line(text, PREVIEW_LENGTH)


def _first_name(name: str) -> str:
    return name.split(" ", maxsplit=1)[0]
