"""Options that do not go together, and checks that could check nothing: said, and no success."""

import io
import sys

import pytest

from muster_cli.main import main
from muster_product.commands import audit
from muster_product.commands.users import is_address
from muster_product.database.policies import rows_for_people
from muster_product.dependency_audit import Audit


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["muster", *arguments])
    try:
        return main()
    except SystemExit as end:
        return int(end.code or 0)


@pytest.mark.parametrize(
    ("email", "password", "code", "says"),
    [
        ("foo", "Ladder-truck-41", 2, "'foo' is not an email address"),
        ("eve@example.org", "five5", 1, "at least 8 characters"),
        ("eve@example.org", "", 1, "no password was given"),
    ],
)
def test_an_account_that_could_not_sign_in_is_not_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], email: str, password: str, code: int, says: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{password}\n"))
    assert run(monkeypatch, "users", "create", email, "--home", "/nonexistent") == code
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--posts", "--messages"])
def test_a_size_without_members_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    assert run(monkeypatch, "seed", option, "5") == 2
    assert "need --members" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("audits", "options", "code"),
    [
        ([Audit("npm", why_not="offline")], [], 1),
        ([Audit("npm", why_not="offline")], ["--allow-none"], 0),
        ([Audit("npm", why_not="offline"), Audit("Python", 7)], [], 0),
        ([Audit("npm", 7, ("left-pad (critical)",))], ["--allow-none"], 1),
    ],
)
def test_an_audit_of_nothing_is_no_success(
    monkeypatch: pytest.MonkeyPatch, audits: list[Audit], options: list[str], code: int
) -> None:
    monkeypatch.setattr(audit, "audit_all", lambda: audits)
    assert run(monkeypatch, "audit", *options) == code


@pytest.mark.parametrize(
    ("text", "want"), [("ada@example.org", True), ("foo", False), ("a@", False), ("@b", False), ("a b@c", False)]
)
def test_an_address_is_told_from_a_name(text: str, want: bool) -> None:
    assert is_address(text) is want


def test_an_error_code_is_no_count_of_rows() -> None:
    said = {word for row in list(rows_for_people())[1:] for word in row[3:]}
    assert "refused (23514)" in said
    assert not [word for word in said if word.endswith(" rows") and len(word.split()[0]) > 3]
