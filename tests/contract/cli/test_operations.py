"""What operators do to a running stack, as they type it: accounts, waitlist, mail, keys, logs, policies, doctor."""

import csv
import io
import json
import os
import re
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from emulator.paths import CHECKOUT
from tests.support.commands import run, start
from tests.support.postgres import free_port
from tests.support.stack import CLEAN, RunningStack, muster, stack_env, start_stack, stop_stack, wait_until
from tests.support.stack_template import FillHome

PASSWORD = "Ladder-truck-41-tango"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, fill_home: FillHome) -> Iterator[RunningStack]:
    home = tmp_path_factory.mktemp("operations")
    try:
        fill_home(home)
        yield start_stack(home, free_port(), "--no-web")
    finally:
        stop_stack(home)


def at(stack: RunningStack, *arguments: str, say: str | None = None) -> "subprocess.CompletedProcess[str]":
    """A command on this stack, with something on standard input."""
    env = {**CLEAN, "MUSTER_HOME": str(stack.home)}
    return run(*arguments, env=env, stdin=say or "", cwd=str(CHECKOUT))


def done(stack: RunningStack, *arguments: str, say: str | None = None) -> str:
    """The same; it must succeed. What it printed to stdout."""
    ran = at(stack, *arguments, say=say)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def sign_in(stack: RunningStack, email: str, password: str) -> int:
    """The status of a sign-in."""
    request = urllib.request.Request(
        f"{stack.url}/auth/v1/token?grant_type=password",
        data=json.dumps({"email": email, "password": password}).encode(),
        headers={"apikey": stack.env["PUBLISHABLE_KEY"], "content-type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def account(stack: RunningStack, email: str) -> dict[str, Any]:
    """A row of users list."""
    (found,) = [row for row in json.loads(done(stack, "users", "list", "--json")) if row["email"] == email]
    return dict(found)


def test_an_account_lives_as_operators_say(running: RunningStack) -> None:
    email = "ada@example.org"
    made = json.loads(done(running, "users", "create", email, "--name", "Ada", "--admin", "--json", say=PASSWORD))
    assert (made["email"], made["admin"]) == (email, True)
    assert sign_in(running, email, PASSWORD) == 200
    assert account(running, email)["admin"] is True

    done(running, "users", "revoke-admin", email)
    assert account(running, email)["admin"] is False
    done(running, "users", "grant-admin", email)
    assert account(running, email)["admin"] is True

    done(running, "users", "suspend", email)
    assert sign_in(running, email, PASSWORD) == 400
    assert account(running, email)["suspended"] is True
    done(running, "users", "suspend", email, "--lift")
    assert sign_in(running, email, PASSWORD) == 200

    unconfirmed = at(running, "users", "delete", email)
    assert (unconfirmed.returncode, sign_in(running, email, PASSWORD)) == (4, 200)
    assert "--yes" in unconfirmed.stderr
    done(running, "users", "delete", email, "--yes")
    assert sign_in(running, email, PASSWORD) == 400


def test_the_operator_demands_second_factors_and_is_the_way_back(running: RunningStack) -> None:
    """§15.3: on is refused while it would shut out all admins; off, and a reset, let in who lost everything."""
    admin = running.env["DEMO_ADMIN_EMAIL"]
    refused = at(running, "users", "admins-need-second-factor", "on")
    assert refused.returncode == 1
    assert "No admin has a second factor yet, so all of them would be locked out" in refused.stderr
    with running.connect() as connection:
        connection.execute(
            "insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)"
            " select gen_random_uuid(), id, 'App', 'totp', 'verified', now(), now() from auth.users where email = %s",
            (admin,),
        )
        demanded = "select admins_need_second_factor, (select count(*) from auth.mfa_factors)"
        demanded += " from private.security_settings"
        done(running, "users", "admins-need-second-factor", "on")
        assert connection.execute(demanded).fetchone() == (True, 1)
        done(running, "users", "admins-need-second-factor", "off")
        done(running, "users", "reset-second-factor", admin, "--yes")
        assert connection.execute(demanded).fetchone() == (False, 0)


def test_no_such_account_is_one_line(running: RunningStack) -> None:
    for arguments in (["grant-admin"], ["suspend"], ["delete", "--yes"]):
        refused = at(running, "users", *arguments, "nobody@example.org")
        assert (refused.returncode, refused.stderr) == (
            1,
            "muster: there is no account with the address nobody@example.org\n",
        )


def test_an_address_that_is_taken_is_refused_in_the_services_words(running: RunningStack) -> None:
    refused = at(running, "users", "create", running.env["DEMO_MEMBER_EMAIL"], say=PASSWORD)
    assert refused.returncode == 1
    assert "422 A user with this email address has already been registered" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_last_admin_stays(running: RunningStack) -> None:
    email = running.env["DEMO_ADMIN_EMAIL"]
    others = "from private.admins where user_id <> (select id from auth.users where email = %s)"
    with running.connect() as connection:
        ids = [row[0] for row in connection.execute(f"select user_id {others}", (email,))]
        connection.execute(f"delete {others}", (email,))
        for command in (["revoke-admin"], ["suspend"], ["delete", "--yes"]):
            refused = at(running, "users", *command, email)
            assert refused.returncode == 1
            assert "this is the last administrator" in refused.stderr
        assert connection.execute("select count(*) from private.admins").fetchone() == (1,)
        for user_id in ids:
            connection.execute("insert into private.admins (user_id) values (%s)", (user_id,))


def test_the_waitlist_is_listed_exported_and_invited(running: RunningStack) -> None:
    waiting = json.loads(done(running, "waitlist", "list", "--status", "waitlist", "--json"))
    assert waiting
    assert {row["status"] for row in waiting} == {"waitlist"}
    email = waiting[0]["email"]
    ran = at(running, "waitlist", "invite", email, "nobody@example.org")
    assert ran.returncode == 1
    assert f"{email} is invited." in ran.stderr
    assert "nobody@example.org is not on the waitlist" in ran.stderr
    rows = {row["email"]: row["status"] for row in json.loads(done(running, "waitlist", "list", "--json"))}
    assert rows[email] == "invited"
    wait_until(lambda: _mails_to(running, email) == 1)
    (mail,) = [mail for mail in json.loads(done(running, "mail", "inbox", "--json")) if email in mail["to"]]
    assert "invit" in mail["subject"].lower()
    assert at(running, "mail", "clear").returncode == 4
    done(running, "mail", "clear", "--yes")
    assert json.loads(done(running, "mail", "inbox", "--json")) == []


def test_an_export_is_harmless_csv(running: RunningStack, tmp_path: Path) -> None:
    with running.connect() as connection:
        connection.execute("insert into public.waitlist (email) values ('=cmd@example.org')")
    file = tmp_path / "waitlist.csv"
    done(running, "waitlist", "export", str(file))
    rows = list(csv.DictReader(io.StringIO(file.read_text("utf8"))))
    assert "'=cmd@example.org" in [row["email"] for row in rows]
    head = "email,status,joined,type,role,years,platforms,frustrations,wishlist"
    assert done(running, "waitlist", "export", "-").splitlines()[0] == head
    refused = at(running, "waitlist", "export", "/nonexistent/x.csv")
    assert (refused.returncode, refused.stderr) == (1, "muster: /nonexistent/x.csv: No such file or directory\n")


def _mails_to(stack: RunningStack, email: str) -> int:
    with urllib.request.urlopen(f"{stack.url}/mail/api/messages") as answer:
        mails = json.loads(answer.read())["messages"]
    return sum(email in [to["address"] for to in mail["to"]] for mail in mails)


def test_a_parked_mail_is_seen_put_back_and_discarded(running: RunningStack) -> None:
    park = (
        "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body, attempts, last_error,"
        " parked_at) values ('system', 'x@example.org', %s, 't', 'h', 13, 'no such mailbox', now()) returning id::text"
    )
    with running.connect() as connection:
        ids = [str(connection.execute(park, (subject,)).fetchone()[0]) for subject in ("One", "Two")]  # type: ignore[index]
    listed = json.loads(done(running, "mail", "parked", "--json"))
    assert [(mail["subject"], mail["last_error"]) for mail in listed] == [
        ("One", "no such mailbox"), ("Two", "no such mailbox"),
    ]  # fmt: skip
    assert at(running, "mail", "discard", ids[0]).returncode == 4
    done(running, "mail", "discard", ids[0], "--yes")
    assert at(running, "mail", "discard", ids[0], "--yes").returncode == 1
    done(running, "mail", "retry")
    assert json.loads(done(running, "mail", "parked", "--json")) == []


def test_the_matrix_of_policies_is_so(running: RunningStack) -> None:
    matrix = json.loads(done(running, "policies", "messages", "--json"))
    assert {case["table"] for case in matrix} == {"messages"}
    done(running, "policies", "--check", "messages", "connections")
    assert at(running, "policies", "no_such_table").returncode == 2


def test_migrations_are_all_applied(running: RunningStack) -> None:
    rows = json.loads(done(running, "migrate", "status", "--json"))
    assert rows
    assert all(row["applied"] for row in rows)
    assert "Nothing to apply" in at(running, "migrate").stderr


def test_the_commands_of_the_official_cli_see_the_same_history(running: RunningStack) -> None:
    rows = json.loads(done(running, "migration", "list", "--json"))
    assert all(row["local"] and row["applied"] for row in rows)
    newest = rows[-1]["version"]
    done(running, "migration", "repair", newest, "--status", "reverted")
    assert newest in at(running, "db", "push", "--dry-run").stderr
    done(running, "migration", "repair", newest, "--status", "applied")
    assert "up to date" in at(running, "db", "push", "--dry-run").stderr
    assert at(running, "migration", "repair", "1", "--status", "applied").returncode == 1
    assert at(running, "migration", "repair", "x", "--status", "reverted").returncode == 2


def test_migrations_without_a_file_are_seen(running: RunningStack) -> None:
    with psycopg.connect(running.env["DB_URL"], autocommit=True) as connection:
        connection.execute("insert into supabase_migrations.schema_migrations (version) values ('29990101000000')")
        try:
            listed = json.loads(done(running, "migrate", "status", "--json"))
            findings = json.loads(done(running, "doctor", "--json"))
        finally:
            connection.execute("delete from supabase_migrations.schema_migrations where version = '29990101000000'")
    (unknown,) = [row for row in listed if row["version"] == "29990101000000"]
    assert (unknown["local"], unknown["applied"]) == (False, True)
    (found,) = [one for one in findings if one["what"] == "Migrations" and one["level"] == "warning"]
    assert "1 that this version has no file for" in found["said"]


def test_a_query_prints_rows_as_asked(running: RunningStack) -> None:
    statement = "select 1 as one, null as nothing"
    assert json.loads(done(running, "db", "query", statement, "--json")) == [{"one": 1, "nothing": None}]
    assert done(running, "db", "query", statement, "--csv").splitlines() == ["one,nothing", "1,"]
    refused = at(running, "db", "query", "select nowhere")
    assert refused.returncode == 1
    assert 'column "nowhere" does not exist' in refused.stderr


def test_a_seed_goes_into_an_empty_database_only(running: RunningStack) -> None:
    refused = at(running, "seed")
    assert refused.returncode == 1
    assert "accounts already" in refused.stderr


def test_keys_are_those_of_status(running: RunningStack) -> None:
    shown = json.loads(done(running, "keys", "show", "--json"))
    assert {name: shown[name.lower()] for name in ("ANON_KEY", "SECRET_KEY", "JWT_SECRET")} == {
        name: running.env[name] for name in ("ANON_KEY", "SECRET_KEY", "JWT_SECRET")
    }
    for line in done(running, "keys", "show").splitlines():
        assert re.fullmatch(r"[a-z_]+ +\S+", line), line


def test_logs_are_printed(running: RunningStack) -> None:
    assert len(done(running, "logs", "postgres", "--lines", "2").splitlines()) <= 2
    assert "Ready in" in done(running, "logs", "muster")
    assert at(running, "logs", "nonsense").returncode == 2


def test_the_doctor_finds_a_running_stack_well(running: RunningStack) -> None:
    findings = json.loads(done(running, "doctor", "--json"))
    levels = {finding["what"]: finding["level"] for finding in findings}
    assert levels["Database"] == levels["Migrations"] == levels["Secrets"] == levels["Files"] == "ok"
    assert {f"Service {name}" for name in ("rest", "auth", "realtime", "functions")} <= levels.keys()


def test_the_doctor_names_what_is_wrong(running: RunningStack) -> None:
    secrets = running.home / "secrets.json"
    secrets.chmod(0o644)
    try:
        ran = at(running, "doctor", "--json")
    finally:
        secrets.chmod(0o600)
    assert ran.returncode == 1
    (found,) = [finding for finding in json.loads(ran.stdout) if finding["what"] == "Secrets"]
    assert (found["level"], found["remedy"]) == ("problem", f"chmod 600 {secrets}")


def test_a_stack_by_its_url_needs_its_key(running: RunningStack) -> None:
    assert at(running, "users", "list", "--stack", running.url).returncode == 2
    env = {**CLEAN, "SUPABASE_SERVICE_ROLE_KEY": running.env["SECRET_KEY"]}
    assert json.loads(run("users", "list", "--stack", running.url, "--json", env=env).stdout)
    assert done(running, "migrate", "status", "--stack", running.env["DB_URL"], "--json")
    assert at(running, "users", "list", "--stack", running.env["DB_URL"]).returncode == 2


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["users", "list"], id="users"), pytest.param(["db", "url"], id="db"),
        pytest.param(["mail", "queue"], id="mail"), pytest.param(["reset", "--yes"], id="reset"),
        pytest.param(["waitlist", "list"], id="waitlist"), pytest.param(["migrate"], id="migrate"),
    ],
)  # fmt: skip
def test_where_nothing_runs_is_exit_code_3(arguments: list[str], tmp_path: Path) -> None:
    refused = muster(*arguments, "--home", str(tmp_path))
    assert refused.returncode == 3
    assert refused.stderr.count("\n") == 1


def test_reset_replaces_everything_and_services_go_on(running: RunningStack) -> None:
    with running.connect() as connection:
        connection.execute("update public.profiles set bio = 'to be lost'")
    assert at(running, "reset").returncode == 4
    done(running, "reset", "--yes")
    wait_until(lambda: _rest(running, "profiles?select=bio&bio=eq.to be lost") == [], 30)
    wait_until(lambda: len(_rest(running, "profiles?select=id") or []) > 1, 30)
    assert sign_in(running, running.env["DEMO_MEMBER_EMAIL"], running.env["DEMO_PASSWORD"]) == 200
    with running.connect() as connection:
        names = [row[0] for row in connection.execute("select datname from pg_database order by 1")]
    assert names == ["postgres", "template0", "template1"]


def test_a_reset_that_is_killed_changes_nothing(running: RunningStack) -> None:
    """kill -9 once the new database is being filled: the old one serves on, and the next reset clears up."""
    before = _rest(running, "profiles?select=id&order=id")
    assert before
    env = {**CLEAN, "MUSTER_HOME": str(running.home)}
    with open(os.devnull, "wb") as nothing:
        process = start("muster_cli", "reset", "--yes", env=env, stdout=nothing.fileno(), stderr=nothing.fileno())
    wait_until(lambda: _new_databases(running) == 1)
    process.kill()
    process.wait()
    assert _rest(running, "profiles?select=id&order=id") == before
    done(running, "reset", "--no-seed", "--yes")
    assert _new_databases(running) == 0
    wait_until(lambda: _rest(running, "profiles?select=id") == [], 30)
    done(running, "seed")


def _new_databases(stack: RunningStack) -> int:
    with stack.connect() as connection:
        row = connection.execute("select count(*) from pg_database where datname like 'muster%'").fetchone()
    assert row is not None
    return int(row[0])


def _rest(stack: RunningStack, path: str) -> Any:
    asked = urllib.request.Request(
        f"{stack.url}/rest/v1/{path.replace(' ', '%20')}", headers={"apikey": stack.env["SECRET_KEY"]}
    )
    try:
        with urllib.request.urlopen(asked) as answer:
            return json.loads(answer.read())
    except urllib.error.HTTPError as error:
        error.close()
        return None


def test_a_dump_brings_everything_back_and_people_sign_in(running: RunningStack, tmp_path: Path) -> None:
    """Meanwhile nobody is offered the demo: the start is not what counts, the accounts are gone since then."""
    file = tmp_path / "backup.muster"
    assert json.loads(done(running, "db", "dump", str(file), "--json"))["rows"] > 100
    assert os.stat(file).st_mode & 0o077 == 0
    before = _rest(running, "profiles?select=id,full_name,bio&order=id")
    assert _offers_demo(running) == (True, True)
    done(running, "reset", "--no-seed", "--yes")
    wait_until(lambda: _rest(running, "profiles?select=id") == [], 30)
    assert _offers_demo(running) == (False, False)
    assert at(running, "db", "restore", str(file)).returncode == 4
    done(running, "db", "restore", str(file), "--yes")
    assert _rest(running, "profiles?select=id,full_name,bio&order=id") == before
    assert _offers_demo(running) == (True, True)
    assert sign_in(running, running.env["DEMO_MEMBER_EMAIL"], running.env["DEMO_PASSWORD"]) == 200


def _offers_demo(stack: RunningStack) -> tuple[bool, bool]:
    """Whether status tells people, and programs, of the demo accounts."""
    told = stack.env["DEMO_PASSWORD"] in done(stack, "status")
    return told, json.loads(done(stack, "status", "--json"))["has_demo"]


def test_a_file_that_is_no_dump_changes_nothing(running: RunningStack, tmp_path: Path) -> None:
    file = tmp_path / "nonsense"
    file.write_bytes(b"not a dump")
    refused = at(running, "db", "restore", str(file), "--yes")
    assert refused.returncode == 1
    assert "is not a dump" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_rotated_keys_are_in_force_at_once(running: RunningStack) -> None:
    """One of the last tests of this module: it restarts the stack with new keys and a new password of the database."""
    old, pid = running.env, running.pid
    done(running, "keys", "rotate", "--database", "--yes")
    again = RunningStack(running.home, running.port, stack_env(running.home))
    assert again.pid == pid
    assert not {old[name] for name in ("ANON_KEY", "SECRET_KEY", "JWT_SECRET", "DB_URL")} & set(again.env.values())
    assert again.env["DEMO_PASSWORD"] == old["DEMO_PASSWORD"]
    asked = urllib.request.Request(f"{again.url}/rest/v1/posts", headers={"apikey": old["PUBLISHABLE_KEY"]})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(asked)
    with refused.value:
        assert refused.value.code == 401
    assert sign_in(again, again.env["DEMO_MEMBER_EMAIL"], again.env["DEMO_PASSWORD"]) == 200


def test_a_restart_keeps_the_options_and_the_data(running: RunningStack) -> None:
    before = json.loads(done(running, "status", "--json"))
    done(running, "restart")
    after = json.loads(done(running, "status", "--json"))
    assert {name: after[name] for name in ("pid", "port", "url", "healthy", "has_demo")} == {
        name: before[name] for name in ("pid", "port", "url", "healthy", "has_demo")
    }
    assert (running.home / "logs" / "muster.log").read_text("utf8").count("Ready in") == 3


def test_where_nothing_runs_a_restart_is_refused_and_a_rotation_is_kept(tmp_path: Path) -> None:
    home = ["--home", str(tmp_path / "home")]
    assert muster("restart", *home).returncode == 3
    assert muster("keys", "rotate", "--yes", *home).returncode == 3
    first = json.loads(muster("keys", "show", "--json", *home).stdout) if (tmp_path / "home").exists() else None
    assert first is None


def test_config_init_never_overwrites_unasked(tmp_path: Path) -> None:
    file = tmp_path / "stack.env"
    env = {**CLEAN, "MUSTER_ENV_FILE": str(file)}
    assert run("config", "check", env=env).returncode == 3
    assert run("config", "init", "--stack", "containers", env=env).returncode == 0
    assert run("config", "check", env=env).returncode == 0
    first = file.read_text()
    assert run("config", "init", "--stack", "containers", env=env).returncode == 4
    assert file.read_text() == first
    file.write_text(re.sub("JWT_SECRET='.*'", "JWT_SECRET='change-me'", first))
    refused = run("config", "check", env=env)
    assert refused.returncode == 1
    assert "JWT_SECRET is a placeholder" in refused.stderr
