"""What this project adds to the control plane, as supabase/muster.toml names it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from emulator.paths import SUPABASE
from muster_cli.extension import CommandGroup, Extension
from muster_cli.findings import Finding
from muster_product.database.seed import SEED_ACCOUNTS, SEEDS, load_seed
from muster_product.web import WEB, ensure_web

if TYPE_CHECKING:
    from muster_cli.extension import Connection


def seed_demo(connection: "Connection", password: str) -> list[str]:
    """Fill an empty database with the demo community; the files that were run."""
    return load_seed(connection, "dev", password)


def examine_machine() -> Iterator[Finding]:
    """Whether the web application is built, and whether there is a browser for its tests."""
    from muster_product.browser import find_chromium

    built = (WEB / "dist" / "index.html").exists()
    yield Finding("Web application", "ok" if built else "warning", "built" if built else "not built yet",
                  "" if built else "./muster up builds it")  # fmt: skip
    chromium = find_chromium()
    yield Finding("Chromium", "ok" if chromium else "warning", chromium or "not found, so browser journeys can't run",
                  "" if chromium else "apt install chromium, or set MUSTER_CHROMIUM")  # fmt: skip


def examine_database(connection: "Connection") -> Iterator[Finding]:
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
        CommandGroup(
            "muster_product.commands.seed:app",
            {"seed": "Fill an empty database with the demo community."},
            is_group=True,
        ),  # fmt: skip
        CommandGroup("muster_product.commands.policies:app", {"policies": "Print who may do what to which table."}),
        CommandGroup("muster_product.commands.types:app", {"types": "Write the TypeScript types of the database."}),
        CommandGroup("muster_product.commands.schema:app", {"schema": "Write sql/schema.sql, the schema on one page."}),
        CommandGroup(
            "muster_product.commands.users:app",
            {"users": "The accounts of a stack: list, create, make admins, suspend, delete."},
            is_group=True,
        ),
        CommandGroup(
            "muster_product.commands.waitlist:app",
            {"waitlist": "The waitlist of a stack: list, invite, export."},
            is_group=True,
        ),
        CommandGroup("muster_product.commands.mail:app", {"mail": ""}, is_group=True),  # joins the general one
        CommandGroup("muster_product.commands.bench:app", {"bench": "Measure one part of the stack."}),
        CommandGroup("muster_product.commands.shots:app", {"shots": "Take a picture of every screen."}),
        CommandGroup(
            "muster_product.commands.check:app",
            {
                "test": "Run every check of the checkout, or some.",
                "hook": "Let git run the quick checks before each commit.",
            },
        ),
        CommandGroup("muster_product.commands.audit:app", {"audit": "Look up every locked package for known flaws."}),
    ),
    build_site=ensure_web,
    rendered_files=render_mail_templates,
    environment={"MUSTER_EXTENSION": "muster_functions.extension:EXTENSION"},
    mail_sender=("Muster", "no-reply@muster.test"),
    seed=seed_demo,
    seed_files=lambda: (SEEDS / "dev").glob("*.sql"),
    seed_accounts=SEED_ACCOUNTS,
    examine_machine=examine_machine,
    examine_database=examine_database,
)
