"""What this project adds to the control plane, as supabase/muster.toml names it."""

from collections.abc import Iterator
from pathlib import Path

from emulator.paths import SUPABASE
from muster_cli.extension import CommandGroup, Connection, Extension
from muster_cli.findings import Finding
from muster_product.browser import find_chromium
from muster_product.commands import audit, bench, check, mail, policies, schema, seed, shots, types, users, waitlist
from muster_product.database.seed import SEED_ACCOUNTS, load_seed
from muster_product.web import WEB, ensure_web


def seed_demo(connection: Connection, password: str) -> list[str]:
    """Fill an empty database with the demo community; the files that were run."""
    return load_seed(connection, "dev", password)


def examine_machine() -> Iterator[Finding]:
    """Whether the web application is built, and whether there is a browser for its tests."""
    built = (WEB / "dist" / "index.html").exists()
    yield Finding("Web application", "ok" if built else "warning", "built" if built else "not built yet",
                  "" if built else "./muster up builds it")  # fmt: skip
    chromium = find_chromium()
    yield Finding("Chromium", "ok" if chromium else "warning", chromium or "not found, so browser journeys can't run",
                  "" if chromium else "apt install chromium, or set MUSTER_CHROMIUM")  # fmt: skip


def examine_database(connection: Connection) -> Iterator[Finding]:
    """Whether e-mails could not be sent."""
    row = connection.execute("select count(*) from functions.mail_queue where parked_at is not null").fetchone()
    count = row[0] if row else 0
    yield Finding("Mail", "warning" if count else "ok", f"{count} could not be sent" if count else "all sent",
                  "./muster mail parked says why, ./muster mail retry" if count else "")  # fmt: skip


def render_mail_templates() -> dict[Path, str]:
    """The templates of auth's mails, in the layout of all mails."""
    from muster_functions.emails.auth import AUTH_MAILS, render_template

    return {SUPABASE / "templates" / f"{kind}.html": render_template(kind) for kind in AUTH_MAILS}


EXTENSION = Extension(
    commands=(
        CommandGroup(seed.app),
        CommandGroup(policies.app),
        CommandGroup(types.app),
        CommandGroup(schema.app),
        CommandGroup(users.app, "users"),
        CommandGroup(waitlist.app, "waitlist"),
        CommandGroup(mail.app, "mail"),
        CommandGroup(bench.app),
        CommandGroup(shots.app),
        CommandGroup(check.app),
        CommandGroup(audit.app),
    ),
    build_site=ensure_web,
    rendered_files=render_mail_templates,
    environment={"MUSTER_EXTENSION": "muster_functions.extension:EXTENSION"},
    mail_sender=("Muster", "no-reply@muster.test"),
    seed=seed_demo,
    seed_accounts=SEED_ACCOUNTS,
    examine_machine=examine_machine,
    examine_database=examine_database,
)
