"""What the options of `up` mean: who reaches the stack, what that demands, whose X-Forwarded-For is believed."""

from pathlib import Path

import pytest

from muster_cli.output import UserError
from muster_cli.project.find import Project
from muster_cli.project.read import load
from muster_cli.stack.home import Home
from muster_cli.stack.options import Options
from muster_cli.stack.origin import local_origin

HOME = Home(Path("/nowhere"))


def options(**chosen: object) -> Options:
    return Options(HOME, Project(HOME.path), **chosen)  # type: ignore[arg-type]


PUBLIC = pytest.mark.parametrize(
    "public",
    [
        {"public_url": "https://muster.example"},
        {"public_url": "http://192.0.2.1:8000/"},
        {"public_url": "https://127.0.0.1.evil.example"},
        {"host": "0.0.0.0"},
        {"host": "::"},
        {"host": "192.168.1.5"},
    ],
)


@PUBLIC
def test_a_project_s_stack_with_its_public_keys_is_for_this_machine_alone(
    tmp_path: Path, public: dict[str, str]
) -> None:
    (tmp_path / "supabase").mkdir()
    loaded = load(Project(tmp_path), {})
    with pytest.raises(UserError, match="public knowledge"):
        options(loaded=loaded, **public)
    with pytest.raises(UserError, match="db.example is another machine"):
        options(loaded=loaded, database_url="postgresql://postgres@db.example/postgres")
    assert not options(loaded=loaded, database_url="postgresql://postgres@127.0.0.1/postgres").is_public


@PUBLIC
def test_a_stack_that_others_reach_needs_a_mail_server(public: dict[str, str]) -> None:
    made = options(**public)
    assert made.is_public
    with pytest.raises(UserError, match="SMTP_HOST") as refused:
        made.refuse_open_mailbox({})
    assert refused.value.exit_code == 1
    made.refuse_open_mailbox({"SMTP_HOST": "smtp.example"})


@pytest.mark.parametrize(
    "local",
    [{}, {"host": "::1"}, {"host": "localhost"}, {"public_url": "http://localhost:3000"}, {"host": "127.9.9.9"}],
)
def test_a_stack_of_this_machine_needs_none(local: dict[str, str]) -> None:
    made = options(**local)
    assert not made.is_public
    made.refuse_open_mailbox({})


@pytest.mark.parametrize(
    ("seed", "public_url", "want"),
    [
        (None, None, True), (None, "https://muster.example", False), (True, "https://muster.example", True),
        (False, None, False),
    ],
)  # fmt: skip
def test_a_public_stack_gets_no_seed_unless_asked(seed: bool | None, public_url: str | None, want: bool) -> None:
    assert options(seed=seed, public_url=public_url).is_seeded is want


@pytest.mark.parametrize(
    ("chosen", "want"),
    [
        ({}, ""),
        ({"public_url": "https://muster.example"}, "127.0.0.0/8,::1"),
        ({"public_url": "https://muster.example", "trusted_proxy": "10.0.0.0/8"}, "10.0.0.0/8"),
        ({"public_url": "https://muster.example", "trusted_proxy": "none"}, ""),
    ],
)
def test_a_proxy_is_believed_only_where_there_is_one(chosen: dict[str, str], want: str) -> None:
    assert options(**chosen).trusted_proxies == want


@pytest.mark.parametrize(
    "url",
    ["ftp://x", "muster.example", "https://", "https://a.example/app", "https://u:p@a.example", "http://[::1", ""],
)
def test_a_public_url_is_an_origin(url: str) -> None:
    with pytest.raises(UserError, match="must be an origin") as refused:
        options(public_url=url)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize(
    ("host", "url", "local"),
    [
        ("127.0.0.1", "http://127.0.0.1:54321", "http://127.0.0.1:54321"),
        ("::1", "http://[::1]:54321", "http://[::1]:54321"),
        ("0.0.0.0", "http://0.0.0.0:54321", "http://127.0.0.1:54321"),
        ("::", "http://[::]:54321", "http://[::1]:54321"),
    ],
)
def test_ipv6_stands_in_brackets(host: str, url: str, local: str) -> None:
    assert options(host=host).url == url
    assert local_origin(host, 54321) == local


def test_a_trusted_proxy_is_an_address_or_a_network() -> None:
    with pytest.raises(UserError, match="--trusted-proxy") as refused:
        options(trusted_proxy="my-proxy")
    assert refused.value.exit_code == 2


def test_options_travel_as_variables() -> None:
    sent = options(trusted_proxy="10.0.0.1", seed=False).environment()
    assert (sent["MUSTER_TRUSTED_PROXY"], sent["MUSTER_SEED"]) == ("10.0.0.1", "False")
    assert "MUSTER_SEED" not in options().environment()
