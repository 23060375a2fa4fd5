"""The variables of a branch, from those of the stack."""

import pytest

from emulator.branches.environment import Place, branch_environment, describe_branch

STACK = {
    "DB_NAME": "postgres",
    "DB_HOST": "/run/db",
    "DB_PORT": "5433",
    "DB_PASSWORD": "p/w",
    "PGRST_DB_URI": "postgresql://authenticator:pw@/postgres?host=%2Frun%2Fdb&port=5433",
    "GOTRUE_DB_DATABASE_URL": "postgresql://auth:pw@127.0.0.1:5433/postgres",
    "OTHER_DATABASE_URL": "postgresql://u:pw@db.example.org/reports",
    "PGRST_OPENAPI_SERVER_PROXY_URI": "http://127.0.0.1:54321/rest/v1",
    "API_EXTERNAL_URL": "http://127.0.0.1:54321/auth/v1",
    "SUPABASE_URL": "http://127.0.0.1:54321",
    "GOTRUE_SITE_URL": "http://127.0.0.1:54321",
    "GOTRUE_URI_ALLOW_LIST": "http://127.0.0.1:54321/**",
    "GOTRUE_MAILER_URLPATHS_INVITE": "/auth/v1/verify",
    "GOTRUE_MAILER_TEMPLATES_INVITE": "http://127.0.0.1:54321/functions/v1/email-template/invite",
    "GOTRUE_SMTP_HOST": "smtp.example.org",
    "GOTRUE_SMTP_USER": "sender",
    "GOTRUE_SMTP_PASS": "secret",
    "BUS_DIR": "/run/bus",
    "ANON_KEY": "anon",
}
PLACE = Place("pr-42", "muster_branch_pr-42", "/home/branches/pr-42", 9, 40025)


@pytest.mark.parametrize(
    ("name", "want"),
    [
        ("DB_NAME", "muster_branch_pr-42"),
        ("PGRST_DB_URI", "postgresql://authenticator:pw@/muster_branch_pr-42?host=%2Frun%2Fdb&port=5433"),
        ("GOTRUE_DB_DATABASE_URL", "postgresql://auth:pw@127.0.0.1:5433/muster_branch_pr-42"),
        ("OTHER_DATABASE_URL", "postgresql://u:pw@db.example.org/reports"),
        ("API_EXTERNAL_URL", "http://127.0.0.1:54321/branches/pr-42/auth/v1"),
        ("SUPABASE_URL", "http://127.0.0.1:54321/branches/pr-42"),
        ("GOTRUE_SITE_URL", "http://pr-42.localhost:54321"),
        ("GOTRUE_URI_ALLOW_LIST", "http://127.0.0.1:54321/**,http://pr-42.localhost:54321/**"),
        ("GOTRUE_MAILER_URLPATHS_INVITE", "/branches/pr-42/auth/v1/verify"),
        ("GOTRUE_MAILER_TEMPLATES_INVITE", STACK["GOTRUE_MAILER_TEMPLATES_INVITE"]),
        ("GOTRUE_SMTP_HOST", "127.0.0.1"),
        ("GOTRUE_SMTP_PORT", "40025"),
        ("GOTRUE_SMTP_USER", None),
        ("GOTRUE_SMTP_PASS", None),
        ("SMTP_HOST", "127.0.0.1"),
        ("MAILBOX_DIR", "/home/branches/pr-42/mail"),
        ("STORAGE_FILE_BACKEND_PATH", "/home/branches/pr-42/storage"),
        ("BUS_DIR", None),
        ("ANON_KEY", "anon"),
    ],
)
def test_a_variable_of_a_branch(name: str, want: str | None) -> None:
    assert branch_environment(STACK, PLACE).get(name) == want


def test_a_site_elsewhere_stays() -> None:
    stack = {**STACK, "GOTRUE_SITE_URL": "http://localhost:3000"}
    assert branch_environment(stack, PLACE)["GOTRUE_SITE_URL"] == "http://localhost:3000"


def test_the_addresses_of_a_branch() -> None:
    assert describe_branch(STACK, "pr-42", "muster_branch_pr-42") == {
        "url": "http://127.0.0.1:54321/branches/pr-42",
        "site_url": "http://pr-42.localhost:54321",
        "mail_url": "http://127.0.0.1:54321/branches/pr-42/mail",
        "database": "muster_branch_pr-42",
        "database_url": "postgresql://postgres:p%2Fw@127.0.0.1:5433/muster_branch_pr-42",
    }
