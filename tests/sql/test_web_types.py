"""web/src/lib/supabase: what the web application takes from the database is as the database has it."""

import psycopg
import pytest

from muster_cli.stack import official_cli
from muster_product.database import types
from tests.support.postgres import Database


@pytest.mark.slow
def test_the_web_application_knows_the_kinds_of_notifications(module_database: Database) -> None:
    """`./muster types` was run after the last change of private.notification_kinds."""
    with psycopg.connect(module_database.dsn()) as connection:
        assert types.KINDS.read_text("utf8") == types.render_notification_kinds(connection)


@pytest.mark.slow
def test_the_web_application_knows_the_tables(module_database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """`./muster types` was run after the last change of the migrations."""
    # A test installs nothing.
    monkeypatch.setattr(types, "ensure_web_packages", lambda: None)
    monkeypatch.setattr(official_cli, "ensure_official_cli", lambda: None)
    assert types.TYPES.read_text("utf8") == types.generate_types(module_database.url("postgres"))
