"""The container stack's .env: made whole, read back, judged."""

import stat
import time
from functools import cache
from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.stack.compose import Choices, compose_command, make_env, problems, read_env, write_env
from muster_cli.stack.variables import parse_env

NOW = int(time.time())


@cache
def made() -> dict[str, str]:
    """A process makes its keys for web push."""
    return make_env(Choices("https://muster.example", smtp_host="smtp.example", smtp_port=587), NOW)


def an_env(**changes: str) -> dict[str, str]:
    return made() | changes


def test_what_is_made_is_fine() -> None:
    assert problems(an_env(), NOW) == []
    assert problems(make_env(Choices("http://127.0.0.1:8000"), NOW), NOW) == []


@pytest.mark.parametrize(
    ("value", "is_placeholder"),
    [("xxxx", True), ("sk_xxxx", True), ("XXX-key", True), ("a7Xxx3", False), ("-xxxQ", False)],
)
def test_a_random_key_is_no_placeholder(value: str, is_placeholder: bool) -> None:
    found = problems({**an_env(), "SECRET_KEY": value}, NOW)
    assert ("SECRET_KEY is a placeholder" in found) is is_placeholder


def test_no_two_stacks_share_a_secret() -> None:
    one, two = an_env(), make_env(Choices("https://muster.example"), NOW)
    for name in ("JWT_SECRET", "POSTGRES_PASSWORD", "ANON_KEY", "SECRET_KEY", "REALTIME_DB_ENC_KEY", "SECRET_KEY_BASE"):
        assert one[name] != two[name]


def test_it_is_written_for_its_owner_alone_and_read_back(tmp_path: Path) -> None:
    file = tmp_path / ".env"
    values = an_env(SMTP_PASS='a$b #c "d" e=f')
    write_env(values, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert parse_env(file.read_text()) == values
    assert read_env(file) == values
    assert [entry.name for entry in tmp_path.iterdir()] == [".env"]


def test_a_value_that_can_not_be_quoted_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="SMTP_PASS"):
        write_env(an_env(SMTP_PASS="it's"), tmp_path / ".env")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        pytest.param({"JWT_SECRET": ""}, "JWT_SECRET is missing", id="missing"),
        pytest.param({"SECRET_KEY_BASE": "change-me"}, "SECRET_KEY_BASE is a placeholder", id="placeholder"),
        pytest.param(
            {"POSTGRES_PASSWORD": "your-super-secret-and-long"}, "POSTGRES_PASSWORD is a place", id="upstreams"
        ),
        pytest.param({"POSTGRES_PASSWORD": "pa'ss:word@host//here"}, "hexadecimal", id="password-with-quotes"),
        pytest.param({"POSTGRES_PASSWORD": "abc123"}, "hexadecimal", id="short-password"),
        pytest.param({"REALTIME_DB_ENC_KEY": "short"}, "exactly 16", id="encryption-key"),
        pytest.param({"JWT_SECRET": "0" * 64}, "ANON_KEY is not signed with JWT_SECRET", id="foreign-secret"),
        pytest.param({"ANON_KEY": "nonsense"}, "ANON_KEY is not signed", id="no-token"),
    ],
)
def test_what_is_unsafe_is_named(changes: dict[str, str], says: str) -> None:
    assert any(says in text for text in problems(an_env(**changes), NOW))


def test_swapped_keys_are_noticed() -> None:
    env = an_env()
    env["ANON_KEY"], env["SERVICE_ROLE_KEY"] = env["SERVICE_ROLE_KEY"], env["ANON_KEY"]
    assert any("ANON_KEY is of role 'service_role'" in text for text in problems(env, NOW))


def test_expired_keys_are_noticed() -> None:
    assert any("ANON_KEY has expired" in text for text in problems(an_env(), NOW + 11 * 365 * 24 * 3600))


@pytest.mark.parametrize("url", ["muster.example", "ftp://muster.example", "https://muster.example/app", ""])
def test_a_public_url_is_an_origin(url: str) -> None:
    with pytest.raises(UserError, match="origin"):
        make_env(Choices(url), NOW)


def test_https_publishes_its_own_ports_and_keeps_the_plain_one_here() -> None:
    env = an_env()
    assert env["SITE_ADDRESS"] == ":8000, https://muster.example"
    assert env["GATEWAY_BIND"] == "127.0.0.1"
    assert env["COMPOSE_FILE"].endswith(":supabase/containers/tls.yml")
    assert env["COMPOSE_PROFILES"] == ""


def test_without_a_file_it_says_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="config init") as refused:
        read_env(tmp_path / ".env")
    assert refused.value.exit_code == 3


def test_a_compose_that_is_too_old_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Version 1 would start nothing and end with 0."""
    monkeypatch.setenv("PATH", str(tmp_path))
    command = tmp_path / "docker-compose"
    command.write_text("#!/bin/sh\necho 1.29.2\n")
    command.chmod(0o755)
    with pytest.raises(UserError, match=r"docker-compose 1\.29\.2 is too old"):
        compose_command()
    command.write_text("#!/bin/sh\necho v2.24.5\n")
    assert compose_command() == ["docker-compose"]
