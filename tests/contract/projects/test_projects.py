"""Other people's projects: each folder of tests/projects is started by `muster up --project` and used."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from emulator import jwt
from emulator.paths import CHECKOUT
from muster_cli.stack.signing_keys import generate_key
from tests.support.postgres import free_port
from tests.support.stack import keep_in_memory, muster, stop_stack, wait_until

PROJECTS = CHECKOUT / "tests" / "projects"
ACME, BOLT = "00000000-0000-0000-0000-00000000000a", "00000000-0000-0000-0000-00000000000b"


@dataclass(frozen=True)
class Running:
    """A project's stack, and what its start printed."""

    root: Path
    home: Path
    said: dict[str, Any]

    def ask(self, method: str, path: str, token: str | None = None, **options: Any) -> httpx.Response:
        """A request with the anon key, or with the service key where that is the token."""
        key = token or self.said["ANON_KEY"]
        headers = {"apikey": self.said["ANON_KEY"], "Authorization": f"Bearer {key}", **options.pop("headers", {})}
        return httpx.request(method, self.said["API_URL"] + path, headers=headers, timeout=20, **options)

    def sign_up(self, email: str, password: str = "password-123") -> httpx.Response:
        """Make an account."""
        return self.ask("POST", "/auth/v1/signup", json={"email": email, "password": password})

    def service(self, method: str, path: str, **options: Any) -> httpx.Response:
        """A request with the service key."""
        return self.ask(method, path, self.said["SERVICE_ROLE_KEY"], **options)


def up(root: Path, home: Path, *more: str) -> tuple[int, dict[str, Any], str]:
    """Start a project in the background: exit code, the document, what was said."""
    options = ["--project", str(root), "--home", str(keep_in_memory(home)), "--port", str(free_port()), "--detach"]
    options += ["--json", *more]
    done = muster("up", *options)
    return done.returncode, json.loads(done.stdout) if done.stdout else {}, done.stderr


def started(name: str, folder: Path, *options: str) -> Iterator[Running]:
    """A copy of a project, running; removed at the end."""
    root, home = folder / name, folder / "home"
    shutil.copytree(PROJECTS / name, root)
    if name == "every_key":
        (root / "supabase" / "signing_keys.json").write_text(json.dumps([generate_key()]))
    try:
        code, said, words = up(root, home, *options)
        assert code == 0, words
        _never_sync(said["DB_URL"])
        yield Running(root, home, said)
    finally:
        stop_stack(home)


def _never_sync(database: str) -> None:
    """What a branch's database is made of waits for the disk several times; nothing here has to outlive the machine."""
    with psycopg.connect(database, user="supabase_admin", autocommit=True) as connection:
        connection.execute("alter system set fsync = off")
        connection.execute("select pg_reload_conf()")


@pytest.fixture(scope="module")
def minimal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield from started("minimal", tmp_path_factory.mktemp("minimal"))


@pytest.fixture(scope="module")
def every_key(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield from started("every_key", tmp_path_factory.mktemp("every_key"))


@pytest.fixture(scope="module")
def saas(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield from started("saas", tmp_path_factory.mktemp("saas"))


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    yield from started("everything", tmp_path_factory.mktemp("everything"))


def test_the_keys_are_those_that_every_local_project_has(minimal: Running) -> None:
    assert minimal.said["PUBLISHABLE_KEY"] == "sb_publishable_ACJWlzQHlZjBrEguHvfOxg_3BJgxAaH"
    assert minimal.said["DB_URL"].startswith("postgresql://postgres:postgres@127.0.0.1:")
    assert minimal.said["migrations"] == {"applied": 1, "failed": None}
    assert minimal.said["seeds"] == {"applied": 1, "failed": None}


def test_a_new_table_is_open_until_row_security_is_on(minimal: Running) -> None:
    assert [row["body"] for row in minimal.ask("GET", "/rest/v1/notes?select=body").json()] == ["first", "second"]


def test_a_request_without_a_key_is_anonymous(minimal: Running) -> None:
    url = minimal.said["API_URL"]
    assert httpx.get(f"{url}/rest/v1/notes").status_code == 200
    assert httpx.get(f"{url}/rest/v1/notes", headers={"Authorization": "Bearer nonsense"}).status_code == 401
    assert httpx.get(f"{url}/auth/v1/admin/users").status_code == 401


def test_a_sign_up_gives_a_session_that_the_api_accepts(minimal: Running) -> None:
    token = minimal.sign_up("ada@minimal.test", "six666").json()["access_token"]
    assert minimal.ask("GET", "/rest/v1/notes?select=id", token).status_code == 200
    assert jwt.KeySet.parse(minimal.ask("GET", "/auth/v1/.well-known/jwks.json").text).verify(token)


def test_status_says_the_same_and_a_later_start_runs_nothing_again(minimal: Running) -> None:
    status = json.loads(muster("status", "--home", str(minimal.home), "--json").stdout)
    assert {name: status[name] for name in minimal.said} == minimal.said
    (minimal.root / "supabase" / "migrations" / "20260102000000_more.sql").write_text("create table more (id int);")
    assert muster("down", "--home", str(minimal.home)).returncode == 0
    code, said, _ = up(minimal.root, minimal.home)
    assert (code, said["migrations"]["applied"], said["seeds"]["applied"]) == (0, 1, 0)
    assert len(httpx.get(f"{said['API_URL']}/rest/v1/notes", headers={"apikey": said["ANON_KEY"]}).json()) == 2


def test_a_service_that_is_switched_off_is_not_there(minimal: Running) -> None:
    (minimal.root / "supabase" / "config.toml").write_text("[realtime]\nenabled = false\n[storage]\nenabled = false\n")
    assert muster("down", "--home", str(minimal.home)).returncode == 0
    code, said, words = up(minimal.root, minimal.home)
    assert code == 0, words
    assert httpx.get(f"{said['API_URL']}/storage/v1/bucket").status_code == 404
    assert (
        json.loads(httpx.get(f"{said['API_URL']}/healthz").text)["services"].keys().isdisjoint({"storage", "realtime"})
    )


def test_the_home_of_another_project_is_refused(minimal: Running, tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    code, _, words = up(tmp_path, minimal.home)
    assert code == 1
    assert f"belongs to the project {minimal.root}" in words


def test_ports_of_another_project_are_named(saas: Running, tmp_path: Path) -> None:
    (tmp_path / "supabase").mkdir()
    port, database_port = (str(urlsplit(saas.said[name]).port) for name in ("API_URL", "DB_URL"))
    options = ["--project", str(tmp_path), "--home", str(tmp_path / "home"), "--detach"]
    of_api = muster("up", *options, "--port", port)
    of_database = muster("up", *options, "--port", str(free_port()), "--database-port", database_port)
    for refused in (of_api, of_database):
        assert refused.returncode == 1
        assert f"in use by the stack of {saas.root}" in refused.stderr
    rotated = muster("keys", "rotate", "--yes", "--project", str(tmp_path), "--home", str(tmp_path / "home"))
    assert "a project's stack has the keys of every local project" in rotated.stderr


def test_a_migration_that_fails_is_named_with_its_place(tmp_path: Path) -> None:
    migrations = tmp_path / "supabase" / "migrations"
    migrations.mkdir(parents=True)
    (migrations / "1_first.sql").write_text("create table a (id int);")
    (migrations / "2_second.sql").write_text("create table b (id int);\n\ninsert into c values (1);\n")
    home = tmp_path / "home"
    try:
        code, said, words = up(tmp_path, home)
        failed = said["migrations"]["failed"]
        assert (code, said["migrations"]["applied"]) == (1, 1)
        assert (failed["file"], failed["line"], failed["sqlstate"]) == ("2_second.sql", 3, "42P01")
        assert "2_second.sql, line 3" in words
        assert "Traceback" not in words
    finally:
        stop_stack(home)


def test_every_key_is_understood_and_has_its_effect(every_key: Running) -> None:
    assert not [warning for warning in every_key.said["warnings"] if "not known" in warning]
    assert every_key.said["PUBLISHABLE_KEY"] == "sb_publishable_every_key"
    assert every_key.said["buckets"] == ["pictures"]
    picture = httpx.get(f"{every_key.said['API_URL']}/storage/v1/object/public/pictures/one.txt")
    assert (picture.status_code, picture.text) == (200, "a picture\n")
    refused = every_key.sign_up("ada@every-key.test", "lettersonly")
    assert refused.json()["error_code"] == "weak_password"
    assert every_key.ask("POST", "/auth/v1/signup", json={}).json()["user"]["is_anonymous"]
    # The project does not open new tables by itself.
    assert every_key.ask("GET", "/rest/v1/notes").json()["code"] == "42501"
    with psycopg.connect(every_key.said["DB_URL"]) as connection:
        assert connection.execute("select body.n from (select count(*) as n from notes) as body").fetchone() == (1,)
        secrets = connection.execute("select name, decrypted_secret from vault.decrypted_secrets order by name")
        assert secrets.fetchall() == [("of_a_variable", "of the variable"), ("of_the_file", "plain")]
        assert connection.execute("show work_mem").fetchone() == ("8MB",)


def test_roles_in_claims_decide_who_sees_an_organization(saas: Running) -> None:
    ada = saas.sign_up("ada@saas.test").json()
    assert ada["access_token"]
    membership = {"organization_id": ACME, "user_id": ada["user"]["id"], "role": "viewer"}
    assert saas.service("POST", "/rest/v1/memberships", json=membership).status_code == 201
    fresh = saas.ask("POST", "/auth/v1/token?grant_type=refresh_token", json={"refresh_token": ada["refresh_token"]})
    token = fresh.json()["access_token"]
    assert [row["title"] for row in saas.ask("GET", "/rest/v1/documents", token).json()] == ["Plan of Acme"]
    own_schema = saas.ask("GET", "/rest/v1/document_titles", token, headers={"Accept-Profile": "api"})
    assert own_schema.json() == [{"title": "Plan of Acme"}]
    refused = saas.ask("POST", "/rest/v1/documents", token, json={"organization_id": ACME, "title": "x"})
    assert refused.status_code == 403
    assert saas.ask("GET", "/rest/v1/documents").json() == []


def test_files_follow_the_same_claims(saas: Running) -> None:
    for organization in (ACME, BOLT):
        path = f"/storage/v1/object/documents/{organization}/plan.txt"
        assert saas.service("POST", path, content=b"plan", headers={"Content-Type": "text/plain"}).status_code == 200
    ben = saas.sign_up("ben@saas.test").json()
    membership = {"organization_id": BOLT, "user_id": ben["user"]["id"], "role": "owner"}
    assert saas.service("POST", "/rest/v1/memberships", json=membership).status_code == 201
    login = {"email": "ben@saas.test", "password": "password-123"}
    token = saas.ask("POST", "/auth/v1/token?grant_type=password", json=login).json()["access_token"]
    assert saas.ask("GET", f"/storage/v1/object/authenticated/documents/{BOLT}/plan.txt", token).text == "plan"
    assert saas.ask("GET", f"/storage/v1/object/authenticated/documents/{ACME}/plan.txt", token).status_code == 400


def test_the_hook_before_a_sign_up_may_refuse_it(saas: Running) -> None:
    refused = saas.sign_up("x@disposable.test")
    assert (refused.status_code, refused.json()["msg"]) == (403, "Disposable addresses are refused")


def test_mails_are_the_project_s(saas: Running) -> None:
    saas.sign_up("cleo@saas.test")
    assert saas.ask("POST", "/auth/v1/otp", json={"email": "cleo@saas.test"}).status_code == 200

    def has_mail() -> bool:
        mails = httpx.get(f"{saas.said['API_URL']}/mail/api/messages").json()["messages"]
        return any(mail["subject"] == "Sign in to http://localhost:3000" for mail in mails)

    wait_until(has_mail)


def test_what_public_projects_are_made_of_applies_and_can_be_read(everything: Running) -> None:
    assert everything.said["migrations"] == {"applied": 5, "failed": None}
    assert everything.said["seeds"] == {"applied": 2, "failed": None}
    assert any("README.md" in warning for warning in everything.said["warnings"])
    description = everything.service("GET", "/rest/v1/").json()
    tables = [path[1:] for path in description["paths"] if path != "/" and not path.startswith("/rpc/")]
    assert {"profiles", "messages", "authors"} <= set(tables)
    assert {
        name: everything.service("GET", f"/rest/v1/{name}?limit=1").status_code for name in tables
    } == dict.fromkeys(tables, 200)
    assert "avatars" in [bucket["id"] for bucket in everything.service("GET", "/storage/v1/bucket").json()]


def test_an_account_of_the_seed_signs_in_and_has_its_profile(everything: Running) -> None:
    login = {"email": "ada@everything.test", "password": "password123"}
    token = everything.ask("POST", "/auth/v1/token?grant_type=password", json=login).json()["access_token"]
    assert [row["handle"] for row in everything.ask("GET", "/rest/v1/profiles", token).json()] == ["ada"]
    with psycopg.connect(everything.said["DB_URL"]) as connection:
        assert connection.execute("select count(*) from pgmq.q_mails").fetchone() == (1,)
        assert connection.execute("select jobname from cron.job").fetchone() == ("tidy",)
        assert connection.execute("select rolname from pg_roles where rolname = 'reporting'").fetchone()


def test_confirmation_is_asked_for_where_the_project_wants_it(everything: Running) -> None:
    assert "access_token" not in everything.sign_up("new@everything.test").json()
