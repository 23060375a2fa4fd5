"""A person's variables for the services: a file, and the environment over it."""

from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.project.find import Project
from muster_cli.stack.environment import Addresses, service_environment
from muster_cli.stack.home import Home
from muster_cli.stack.options import Options
from muster_cli.stack.secrets import generate
from muster_cli.stack.variables import chosen_variables, read_variables_of_person

PROJECT = Project(Path("/project"))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_the_file_reaches_the_services_and_the_environment_goes_before_it(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home.path / "variables.env").write_text(
        "# ours\nPGRST_DB_MAX_ROWS=50\nexport GOTRUE_JWT_EXP='600'\nMAX_CONNECTIONS=9\nDB_POOL = 3\n"
    )
    monkeypatch.setenv("GOTRUE_JWT_EXP", "900")
    monkeypatch.setenv("TENANT_MAX_JOINS_PER_SECOND", "7")
    monkeypatch.setenv("PORT", "1")
    monkeypatch.setenv("DB_HOST", "elsewhere")
    outside = read_variables_of_person(Options(home, PROJECT))
    env = service_environment(Addresses("127.0.0.1", 1, 2, "h", 3), generate(0), None, home.mail, home.files, outside)
    assert (env["PGRST_DB_MAX_ROWS"], env["GOTRUE_JWT_EXP"]) == ("50", "900")
    assert (env["MAX_CONNECTIONS"], env["TENANT_MAX_JOINS_PER_SECOND"], env["DB_POOL"]) == ("9", "7", "3")
    assert env["DB_HOST"] == "h"
    assert "PORT" not in env


def test_the_file_may_name_the_mail_server(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SMTP_HOST", raising=False)
    (home.path / "variables.env").write_text("SMTP_HOST=smtp.example\n")
    chosen = Options(home, PROJECT, public_url="https://muster.example")
    outside = read_variables_of_person(chosen)
    chosen.refuse_open_mailbox(outside)
    env = service_environment(Addresses("127.0.0.1", 1, 2, "h", 3), generate(0), None, home.mail, home.files, outside)
    assert env["GOTRUE_SMTP_HOST"] == "smtp.example"
    assert "MAILBOX_DIR" not in env


def test_without_a_file_the_rest_of_the_environment_stays_outside(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME_OF_SOMETHING", "x")
    assert "HOME_OF_SOMETHING" not in chosen_variables(read_variables_of_person(Options(home, PROJECT)))


@pytest.mark.parametrize("content", [None, b"A=\xff\xfe"])
def test_a_file_that_can_not_be_read_is_named(home: Home, content: bytes | None) -> None:
    file = home.path / "mine.env"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UserError, match="mine.env") as refused:
        read_variables_of_person(Options(home, PROJECT, variables_file=file))
    assert refused.value.exit_code == 2
