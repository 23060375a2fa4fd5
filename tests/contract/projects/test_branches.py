"""Branches and snapshots of a running project: each with its own rows, accounts, files, mails and events."""

import asyncio
import json
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import postgrest
import psycopg
import pytest
import websockets
from postgrest import CountMethod
from supabase.lib.client_options import SyncClientOptions as ClientOptions
from websockets.sync.client import connect

import supabase
from emulator.paths import CHECKOUT
from muster_cli.stack.home import Home
from tests.contract.projects.test_projects import Running, started
from tests.support.branch_traffic import Keys, exchange
from tests.support.patience import PATIENCE_S, eventually
from tests.support.stack import CLEAN, kill_hard, muster, stack_env, wait_until

Branch = dict[str, Any]
MakeClient = Callable[[str, str], supabase.Client]
READY = 2  # copies that are made in advance


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A project, whose branches are closed after a second."""
    folder = tmp_path_factory.mktemp("branches")
    (folder / "home").mkdir(mode=0o700)
    variables = f"MUSTER_BRANCHES_IDLE_S=1\nMUSTER_BRANCHES_READY={READY}\n"
    variables += "GOTRUE_RATE_LIMIT_HEADER=X-Forwarded-For\n"
    (folder / "home" / "variables.env").write_text(variables)
    yield from started("saas", folder, "--test-control")


def run(project: Running, *arguments: str) -> Any:
    """A command that must work; its document."""
    done = muster(*arguments, "--home", str(project.home), "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def refused(project: Running, *arguments: str) -> tuple[int, str]:
    """A command that must not work; its exit code and what it said."""
    done = muster(*arguments, "--home", str(project.home))
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.fixture
def client() -> Iterator[MakeClient]:
    """supabase-py for a URL and a key; its connections are closed at the end."""
    with ExitStack() as stack:

        def made(url: str, key: str) -> supabase.Client:
            connections = stack.enter_context(httpx.Client(timeout=20))
            return supabase.create_client(url, key, ClientOptions(httpx_client=connections))

        yield made


def create(project: Running, name: str, *options: str) -> Branch:
    made: Branch = run(project, "branch", "create", name, *options)
    return made


def socket_url(project: Running, branch: Branch) -> str:
    key = project.said["SERVICE_ROLE_KEY"]
    url: str = branch["url"].replace("http://", "ws://")
    return url + f"/realtime/v1/websocket?apikey={key}&vsn=1.0.0"


def titles(project: Running, url: str) -> list[str]:
    key = project.said["SERVICE_ROLE_KEY"]
    answer = httpx.get(f"{url}/rest/v1/documents?select=title&order=title", headers={"apikey": key}, timeout=20)
    assert answer.status_code == 200, answer.text
    return [row["title"] for row in answer.json()]


def add_title(project: Running, url: str, title: str) -> None:
    key = project.said["SERVICE_ROLE_KEY"]
    row = {"organization_id": "00000000-0000-0000-0000-00000000000a", "title": title}
    assert httpx.post(f"{url}/rest/v1/documents", headers={"apikey": key}, json=row, timeout=20).status_code == 201


SEEDED = ["Plan of Acme", "Plan of Bolt"]


def test_supabase_py_uses_a_branch_and_the_stack_does_not_notice(project: Running, client: MakeClient) -> None:
    branch = create(project, "py")
    admin = client(branch["url"], project.said["SERVICE_ROLE_KEY"])
    signed_up = client(branch["url"], project.said["ANON_KEY"]).auth.sign_up(
        {"email": "ada@branch.test", "password": "correct-horse-1"}
    )
    assert signed_up.user is not None
    row = {"organization_id": "00000000-0000-0000-0000-00000000000a", "title": "Only here"}
    admin.table("documents").insert(row).execute()
    admin.storage.from_("documents").upload("a.txt", b"of the branch")
    assert admin.storage.from_("documents").download("a.txt") == b"of the branch"
    with psycopg.connect(branch["database_url"]) as connection:  # what psql would be given
        assert connection.execute("select count(*) from auth.users").fetchone() == (1,)

    main = client(project.said["API_URL"], project.said["SERVICE_ROLE_KEY"])
    assert titles(project, branch["url"]) == ["Only here", *SEEDED]
    assert titles(project, project.said["API_URL"]) == SEEDED
    assert main.auth.admin.list_users() == []
    assert [each.id for each in main.storage.list_buckets()] == ["documents"]
    assert main.storage.from_("documents").list() == []


def visit(project: Running) -> list[Any]:
    """What supabase-py is told by a new branch: of its rows, its accounts and its files."""
    branch = control(project, "POST", "/branches", json={}).json()
    with ExitStack() as stack:
        options = [ClientOptions(httpx_client=stack.enter_context(httpx.Client(timeout=60))) for _ in range(2)]
        anon = supabase.create_client(branch["url"], project.said["ANON_KEY"], options[0])
        admin = supabase.create_client(branch["url"], project.said["SERVICE_ROLE_KEY"], options[1])
        credentials: Any = {"email": "ada@same.test", "password": "correct-horse-1"}
        anon.auth.sign_up(credentials)
        session = anon.auth.sign_in_with_password(credentials).session
        assert session is not None
        row = {"organization_id": "00000000-0000-0000-0000-00000000000a", "title": "Of all"}
        written: Any = admin.table("documents").insert(row).execute().data
        with pytest.raises(postgrest.APIError) as refused:
            anon.table("documents").insert(row).execute()
        documents, files = admin.table("documents"), admin.storage.from_("documents")
        files.upload("a.txt", b"the same")
        counted = documents.select("title", count=CountMethod.exact).order("title").limit(2).execute()
        said = [
            [one["title"] for one in written], refused.value.code, counted.data, counted.count,
            anon.table("documents").select("title").execute().data, len(admin.auth.admin.list_users()),
            session.user.email, [one["name"] for one in files.list()], files.download("a.txt"),
        ]  # fmt: skip
        anon.auth.sign_out()
    assert control(project, "DELETE", f"/branches/{branch['name']}").status_code == 204
    return said


def test_supabase_py_is_told_the_same_by_eight_branches_at_once_as_by_one(project: Running) -> None:
    alone = visit(project)
    assert alone[2] == [{"title": "Of all"}, {"title": SEEDED[0]}]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(visit, [project] * 8))
    assert together == [alone] * 8


def test_a_mail_of_a_branch_arrives_in_its_mailbox_and_leads_back_to_it(project: Running) -> None:
    branch = create(project, "mails")
    anon = {"apikey": project.said["ANON_KEY"]}
    key = {"apikey": project.said["SERVICE_ROLE_KEY"]}
    user = {"email": "bo@branch.test", "email_confirm": True}
    assert httpx.post(f"{branch['url']}/auth/v1/admin/users", headers=key, json=user, timeout=20).status_code == 200
    recovered = httpx.post(f"{branch['url']}/auth/v1/recover", headers=anon, json={"email": "bo@branch.test"})
    assert recovered.status_code == 200, recovered.text
    mails = httpx.get(f"{branch['mail_url']}/api/messages").json()["messages"]
    assert [mail["to"][0]["address"] for mail in mails] == ["bo@branch.test"]
    body = httpx.get(f"{branch['mail_url']}/api/messages/{mails[0]['id']}").json()["text"]
    link = re.search(r"http://127\.0\.0\.1:\d+/branches/mails/auth/v1/verify\?\S+", body)
    assert link is not None, body
    opened = httpx.get(link[0].rstrip(")"))
    assert "access_token" in parse_qs(urlsplit(opened.headers["location"]).fragment)
    assert httpx.get(f"{project.said['API_URL']}/mail/api/messages").json()["messages"] == []


def test_row_changes_stay_within_their_branch(project: Running) -> None:
    """Two sockets that ask for the same table: the one of the branch whose row changed gets the event."""
    branches = [create(project, name) for name in ("live-1", "live-2")]
    for branch in branches:
        with psycopg.connect(branch["database_url"], autocommit=True) as connection:
            connection.execute("alter publication supabase_realtime add table public.documents")

    async def watch() -> list[list[str]]:
        key = project.said["SERVICE_ROLE_KEY"]
        sockets = []
        for branch in branches:
            socket = await websockets.connect(socket_url(project, branch))
            config = {"postgres_changes": [{"event": "*", "schema": "public", "table": "documents"}]}
            join = {"topic": "realtime:x", "event": "phx_join", "ref": "1", "join_ref": "1"}
            await socket.send(json.dumps({**join, "payload": {"config": config, "access_token": key}}))
            async with asyncio.timeout(PATIENCE_S):
                while json.loads(await socket.recv())["event"] != "system":
                    pass
            sockets.append(socket)
        for number, branch in enumerate(branches):
            await asyncio.to_thread(add_title, project, branch["url"], f"change {number}")
        seen = []
        for socket in sockets:
            found: list[str] = []
            async with asyncio.timeout(PATIENCE_S):
                while not found:
                    message = json.loads(await socket.recv())
                    if message["event"] == "postgres_changes":
                        found.append(message["payload"]["data"]["record"]["title"])
            # A heartbeat's answer comes after everything that was on its way.
            await socket.send(json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": "9"}))
            async with asyncio.timeout(PATIENCE_S):
                while (message := json.loads(await socket.recv()))["topic"] != "phoenix":
                    assert message["event"] != "postgres_changes"
            await socket.close()
            seen.append(found)
        return seen

    assert asyncio.run(watch()) == [["change 0"], ["change 1"]]


def test_a_branch_answers_by_its_host_too(project: Running) -> None:
    branch = create(project, "by-host")
    add_title(project, branch["url"], "Z")
    headers = {"apikey": project.said["SERVICE_ROLE_KEY"], "host": urlsplit(branch["site_url"]).netloc}
    found = httpx.get(f"{project.said['API_URL']}/rest/v1/documents?select=title&title=eq.Z", headers=headers)
    assert found.json() == [{"title": "Z"}]


def test_reset_begins_again_and_delete_leaves_nothing(project: Running) -> None:
    branch = create(project, "again")
    add_title(project, branch["url"], "Gone")
    run(project, "branch", "reset", "again")
    assert titles(project, branch["url"]) == SEEDED
    assert run(project, "branch", "delete", "again") == {"deleted": "again"}
    assert httpx.get(f"{branch['url']}/rest/v1/documents").status_code == 404
    assert "again" not in [each["name"] for each in run(project, "branch", "list")]
    assert not (Home(project.home).branches / "again").exists()
    left = (
        "select (select count(*) from pg_database where datname = 'muster_branch_again')"
        " + (select count(*) from pg_replication_slots where database = 'muster_branch_again')"
    )
    with psycopg.connect(project.said["DB_URL"], autocommit=True) as connection:
        assert connection.execute(left).fetchone() == (0,)


def test_a_branch_of_a_branch_has_its_rows_and_shares_no_file(project: Running, client: MakeClient) -> None:
    first = create(project, "first")
    key = project.said["SERVICE_ROLE_KEY"]
    add_title(project, first["url"], "Of first")
    client(first["url"], key).storage.from_("documents").upload("a.txt", b"one")
    second = create(project, "second", "--from", "first")
    assert titles(project, second["url"]) == ["Of first", *SEEDED]
    files = client(second["url"], key).storage.from_("documents")
    files.update("a.txt", b"two")
    assert client(first["url"], key).storage.from_("documents").download("a.txt") == b"one"
    client(first["url"], key).storage.from_("documents").remove(["a.txt"])
    assert files.download("a.txt") == b"two"


def test_snapshots_bring_back_a_branch_and_the_stack_itself(project: Running) -> None:
    branch, own = create(project, "kept"), project.said["API_URL"]
    add_title(project, branch["url"], "Kept")
    assert run(project, "snapshot", "create", "of-branch", "--branch", "kept")["of"] == "branch:kept"
    run(project, "snapshot", "create", "of-main")
    add_title(project, branch["url"], "Lost")
    add_title(project, own, "Lost")
    run(project, "snapshot", "restore", "of-branch", "--branch", "kept")
    run(project, "snapshot", "restore", "of-main", "--yes")
    assert titles(project, branch["url"]) == ["Kept", *SEEDED]
    wait_until(lambda: titles(project, own) == SEEDED)
    assert titles(project, create(project, "later", "--snapshot", "of-branch")["url"]) == ["Kept", *SEEDED]
    assert sorted(each["name"] for each in run(project, "snapshot", "list")) == ["of-branch", "of-main"]
    for name in ("of-branch", "of-main"):
        run(project, "snapshot", "delete", name)
    assert run(project, "snapshot", "list") == []


def test_what_can_not_be_done_is_said(project: Running) -> None:
    create(project, "taken")
    assert refused(project, "branch", "create", "taken") == (6, "muster: there is a branch 'taken' already\n")
    assert refused(project, "branch", "reset", "none") == (5, "muster: there is no branch 'none'\n")
    assert refused(project, "branch", "create", "x", "--from", "none")[0] == 5
    assert refused(project, "branch", "create", "x", "--snapshot", "none")[0] == 5
    for bad in ("main", "Über", "a/b", "a-", "a" * 41, "..", 'x"; drop database postgres'):
        code, said = refused(project, "branch", "create", bad)
        assert (code, "can't be a name" in said) == (1, True)
    assert refused(project, "snapshot", "restore", "none", "--yes")[0] == 5
    assert httpx.get(f"{project.said['API_URL']}/branches/none/rest/v1/").json()["code"] == "branch_not_found"
    assert httpx.get(f"{project.said['API_URL']}/branches/%2e%2e/rest/v1/").status_code == 400


def control(project: Running, method: str, path: str, **options: Any) -> httpx.Response:
    """A request of a test runner."""
    headers = {"apikey": project.said["SERVICE_ROLE_KEY"]}
    return httpx.request(method, f"{project.said['API_URL']}/control/v1{path}", headers=headers, timeout=30, **options)


def test_a_test_runner_makes_branches_over_http_with_the_secret_key(project: Running) -> None:
    made = control(project, "POST", "/branches", json={})
    assert made.status_code == 201, made.text
    name = made.json()["name"]
    assert titles(project, made.json()["url"]) == SEEDED
    metrics = httpx.get(f"{made.json()['url']}/metrics", headers={"apikey": project.said["SERVICE_ROLE_KEY"]})
    assert (metrics.status_code, "pgrst_schema_cache_loads_total" in metrics.text) == (200, True)  # of what was started
    assert control(project, "POST", f"/branches/{name}/reset").status_code == 200
    assert control(project, "DELETE", f"/branches/{name}").status_code == 204
    assert control(project, "DELETE", f"/branches/{name}").json()["code"] == "branch_not_found"
    url = f"{project.said['API_URL']}/control/v1/branches"
    assert httpx.get(url, headers={"apikey": project.said["ANON_KEY"]}).status_code == 401
    assert httpx.get(url).status_code == 401
    for bad in ("nonsense", "[]", '{"name": 1}', '{"name": "../x"}', '{"from": "elsewhere"}'):
        assert control(project, "POST", "/branches", content=bad).status_code == 400
    assert control(project, "POST", "/branches", content="x" * 70_000).status_code == 400
    assert control(project, "PATCH", "/branches").status_code == 404


def test_a_settled_branch_has_sent_its_mails(project: Running) -> None:
    branch = create(project, "settled")
    user = {"email": "cy@branch.test", "password": "correct-horse-1"}
    key = {"apikey": project.said["SERVICE_ROLE_KEY"]}
    assert httpx.post(f"{branch['url']}/auth/v1/signup", headers=key, json=user, timeout=20).status_code == 200
    assert httpx.post(f"{branch['url']}/auth/v1/recover", headers=key, json=user, timeout=20).status_code == 200
    assert control(project, "POST", "/branches/settled/settle").json() == {"settled": True}
    found = control(project, "GET", "/branches/settled/mails?to=cy@branch.test&timeout_s=20").json()
    assert found["total"] == 1
    assert control(project, "GET", "/branches/settled/mails?to=nobody@branch.test").json()["total"] == 0
    assert control(project, "GET", "/branches/settled/mails?timeout_s=x").status_code == 400
    with psycopg.connect(branch["database_url"], autocommit=True) as connection:
        connection.execute("create extension pg_net")
        connection.execute("select net.http_post('http://kong:8000/rest/v1/organizations', '{}'::jsonb)")
        assert control(project, "POST", "/branches/settled/settle").json() == {"settled": True}
        assert connection.execute("select count(*) from net._http_response").fetchone() == (1,)


def test_the_clock_of_a_branch_ends_its_tokens_and_no_others(project: Running) -> None:
    branch = create(project, "clock")
    user = {"email": "dee@branch.test", "password": "correct-horse-1"}
    key = {"apikey": project.said["ANON_KEY"]}
    for url in (branch["url"], project.said["API_URL"]):
        assert httpx.post(f"{url}/auth/v1/signup", headers=key, json=user, timeout=20).status_code == 200
    tokens = {}
    for url in (branch["url"], project.said["API_URL"]):
        asked = httpx.post(f"{url}/auth/v1/token?grant_type=password", headers=key, json=user, timeout=20)
        tokens[url] = asked.json()["access_token"]

    def status(url: str, path: str) -> int:
        return httpx.get(f"{url}{path}", headers={**key, "Authorization": f"Bearer {tokens[url]}"}).status_code

    storage, admin = f"{branch['url']}/storage/v1", {"apikey": project.said["SERVICE_ROLE_KEY"]}
    assert httpx.post(f"{storage}/object/documents/a.txt", headers=admin, content=b"a").status_code == 200
    asked = httpx.post(f"{storage}/object/sign/documents/a.txt", headers=admin, json={"expiresIn": 3600})
    signed = storage + asked.json()["signedURL"]
    assert httpx.get(signed).text == "a"
    with connect(socket_url(project, branch), open_timeout=20) as socket:
        payload = {"config": {}, "access_token": tokens[branch["url"]]}
        join = {"topic": "realtime:room", "event": "phx_join", "ref": "1", "join_ref": "1", "payload": payload}
        socket.send(json.dumps(join))
        assert json.loads(socket.recv(timeout=20))["payload"]["status"] == "ok"
        control(project, "POST", "/branches/clock/clock", json={"advance_s": 7200})
        heard = ""
        while "phx_close" not in heard and "phx_error" not in heard:
            heard += str(socket.recv(timeout=20))
        assert "Token has expired" in heard
    assert httpx.get(signed).status_code == 400
    control(project, "DELETE", "/branches/clock/clock")
    assert httpx.get(signed).text == "a"

    turned = control(project, "POST", "/branches/clock/clock", json={"stop": True, "advance_s": 7200})
    assert turned.json()["is_stopped"] is True
    assert control(project, "GET", "/branches/clock/clock").json() == turned.json()
    assert [status(branch["url"], path) for path in ("/rest/v1/documents", "/auth/v1/user")] == [401, 403]
    assert [status(project.said["API_URL"], path) for path in ("/rest/v1/documents", "/auth/v1/user")] == [200, 200]
    assert control(project, "DELETE", "/branches/clock/clock").status_code == 204
    assert [status(branch["url"], path) for path in ("/rest/v1/documents", "/auth/v1/user")] == [200, 200]
    for bad in ({"set": "soon"}, {"advance_s": "1"}, {"stop": False}, {"back": 1}, {"set": "9999999-01-01"}):
        assert control(project, "POST", "/branches/clock/clock", json=bad).status_code == 400


def test_a_rate_limit_is_of_one_branch_and_goes_by_its_clock(project: Running) -> None:
    spent, fresh = create(project, "spent"), create(project, "fresh")
    guess = {"type": "signup", "email": "nobody@branch.test", "token": "000000"}
    with httpx.Client(headers={"apikey": project.said["ANON_KEY"]}, timeout=20) as client:

        def verify(branch: Branch) -> int:
            return client.post(f"{branch['url']}/auth/v1/verify", json=guess).status_code

        answers = [verify(spent) for _ in range(40)]
        assert answers == [403] * 30 + [429] * 10
        assert verify(fresh) == 403
        assert client.post(f"{project.said['API_URL']}/auth/v1/verify", json=guess).status_code == 403
        control(project, "POST", "/branches/spent/clock", json={"advance_s": 300})
        assert verify(spent) == 403


def test_cron_goes_by_the_clock_of_its_branch(project: Running) -> None:
    branch = create(project, "jobs")
    # It works for as long as it is used, which a WebSocket does.
    with (
        connect(socket_url(project, branch), open_timeout=20),
        psycopg.connect(branch["database_url"], autocommit=True) as connection,
    ):
        connection.execute("create extension pg_cron")
        yearly = "cron.schedule('new year', '0 0 1 1 *', 'select 1')"
        connection.execute(f"select {yearly}, cron.schedule('often', '1 seconds', 'select 1')")

        def years_of(job: str) -> list[int]:
            years = "select extract(year from start_time at time zone 'UTC')::int from cron.job_run_details"
            where = "where status = 'succeeded' and jobid = (select jobid from cron.job where jobname = %s)"
            return [row[0] for row in connection.execute(f"{years} {where}", (job,))]

        eventually(lambda: years_of("often"))  # the scheduler knows both jobs
        for moment in ("2031-12-31T23:59:30Z", "2032-01-01T00:00:30Z"):
            turned = control(project, "POST", "/branches/jobs/clock", json={"set": moment})
            assert turned.json()["now"].startswith(moment[:16])
        assert set(eventually(lambda: years_of("new year"))) == {2032}


def test_a_fault_meets_the_request_that_it_is_for(project: Running) -> None:
    branch = create(project, "faults")
    path, key = "/rest/v1/documents?select=title", {"apikey": project.said["SERVICE_ROLE_KEY"]}
    fault = {"path": "/rest/v1/*", "method": "GET", "nth": 2, "status": 503, "body": {"message": "down"}}
    assert control(project, "POST", "/branches/faults/faults", json=fault).status_code == 201
    answers = [httpx.get(branch["url"] + path, headers=key, timeout=20) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 503, 200]
    assert answers[1].json() == {"message": "down"}
    control(project, "POST", "/branches/faults/faults", json={"path": "/rest/*", "drop": True})
    with pytest.raises(httpx.TransportError):
        httpx.get(branch["url"] + path, headers=key)
    assert titles(project, project.said["API_URL"]) == SEEDED
    control(project, "POST", "/branches/faults/faults", json={"status": 500, "times": 9})
    assert control(project, "DELETE", "/branches/faults/faults").status_code == 204
    assert httpx.get(branch["url"] + path, headers=key).status_code == 200
    for bad in ({}, {"status": 99}, {"nth": 0, "drop": True}, {"delay_ms": 10**9}, {"status": "500"}, {"what": 1}):
        assert control(project, "POST", "/branches/faults/faults", json=bad).status_code == 400


def test_a_websocket_meets_its_faults(project: Running) -> None:
    branch = create(project, "socket-faults")
    url = socket_url(project, branch)
    beat = json.dumps({"topic": "phoenix", "event": "heartbeat", "payload": {}, "ref": "1"})

    def ask(**fault: object) -> None:
        document = {"path": "/realtime/v1/*", **fault}
        assert control(project, "POST", "/branches/socket-faults/faults", json=document).status_code == 201

    ask(websocket="new", status=503)
    with pytest.raises(websockets.InvalidStatus) as refused:
        connect(url, open_timeout=20)
    assert refused.value.response.status_code == 503
    ask(websocket="new", drop=True)
    with pytest.raises((websockets.InvalidMessage, ConnectionError, EOFError)):
        connect(url, open_timeout=20)
    ask(websocket="new", close=4000)
    with connect(url, open_timeout=20) as closed, pytest.raises(websockets.ConnectionClosed) as ended:
        closed.recv(timeout=20)
    assert ended.value.rcvd is not None
    assert ended.value.rcvd.code == 4000
    with connect(url, open_timeout=20) as first, connect(url, open_timeout=20) as second:
        ask(websocket="open", delay_ms=200)
        began = time.monotonic()
        for _ in range(3):
            first.send(beat)
        assert [json.loads(first.recv(timeout=20))["ref"] for _ in range(3)] == ["1"] * 3
        assert time.monotonic() - began >= 0.2
        ask(websocket="open", path="/functions/*", close=1011)  # none of these
        ask(websocket="open", close=1011)
        for socket in (first, second):
            with pytest.raises(websockets.ConnectionClosed) as ended:
                socket.recv(timeout=20)
            assert ended.value.rcvd is not None
            assert ended.value.rcvd.code == 1011
    with connect(url, open_timeout=20) as third:
        third.send(beat)
        assert json.loads(third.recv(timeout=20))["ref"] == "1"
        ask(websocket="open", drop=True)
        with pytest.raises(websockets.ConnectionClosed) as ended:
            third.recv(timeout=20)
        assert ended.value.rcvd is None


PYTEST_FILE = """
import httpx, pytest

@pytest.mark.parametrize("number", range(10))
def test_a_document_is_the_only_one(muster_branch, number):
    url, key = f"{muster_branch.url}/rest/v1/documents", {"apikey": muster_branch.service_role_key}
    row = {"organization_id": "00000000-0000-0000-0000-00000000000a", "title": f"document {number}"}
    assert httpx.post(url, headers=key, json=row, timeout=30).status_code == 201
    found = httpx.get(f"{url}?select=title&title=like.document*", headers=key, timeout=30).json()
    assert found == [{"title": f"document {number}"}]

def test_what_else_there_is(muster_branch, make_muster_branch):
    muster_branch.settle()
    muster_branch.turn_clock(advance_s=60)
    muster_branch.add_fault(status=503)
    muster_branch.clear_faults()
    muster_branch.reset()
    assert make_muster_branch(f"branch:{muster_branch.name}").name != muster_branch.name
    with pytest.raises(BaseException, match="no mail to x@y.test"):
        muster_branch.expect_mail(to="x@y.test", timeout_s=0)
"""


def test_the_pytest_plugin_gives_each_of_ten_parallel_tests_a_branch(project: Running, tmp_path: Path) -> None:
    (tmp_path / "test_documents.py").write_text(PYTEST_FILE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "xdist", "-n", "2", "--rootdir", "."]
    command += ["-p", "muster_cli.pytest_plugin"]
    environment = {**CLEAN, "MUSTER_HOME": str(project.home)}
    environment = {name: value for name, value in environment.items() if not name.startswith("PYTEST_")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    ran = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=240
    )
    assert "11 passed" in ran.stdout, ran.stdout + ran.stderr
    assert not [each for each in run(project, "branch", "list") if each["name"].startswith("gw")]


def test_the_package_for_vitest_gives_each_of_ten_parallel_tests_a_branch(project: Running) -> None:
    folder = CHECKOUT / "tests" / "supabase_js"
    vitest = CHECKOUT / "web" / "node_modules" / "vitest" / "vitest.mjs"
    command = ["node", str(vitest), "run", "--config", str(folder / "vitest.config.mjs"), "branches.test.ts"]
    environment = {**CLEAN, "API_URL": project.said["API_URL"], "SECRET_KEY": project.said["SECRET_KEY"]}
    ran = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=240)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-2000:]


def test_eight_branches_at_once_keep_to_themselves(project: Running) -> None:
    """A property: random traffic; rows, accounts, mails, files, broadcasts, settings and locks stay where they are."""
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")  # noqa: T201  # shown when it fails
    counted = "select (select count(*) from auth.users), (select count(*) from public.documents)"
    leaked = "select count(*) from pg_db_role_setting as s where setconfig::text like '%statement_timeout=770%'"
    leaked += " and s.setdatabase in (select 0 union all select oid from pg_database where datname = 'postgres')"
    with psycopg.connect(project.said["DB_URL"], autocommit=True) as connection:
        before = connection.execute(counted).fetchone()
        keys = Keys(project.said["API_URL"], project.said["ANON_KEY"], project.said["SERVICE_ROLE_KEY"])
        asyncio.run(exchange(keys, seed))
        assert connection.execute(counted).fetchone() == before
        assert connection.execute(leaked).fetchone() == (0,)


def test_an_idle_branch_holds_no_connection_and_no_slot(project: Running) -> None:
    branch, unused = create(project, "idle"), create(project, "never-opened")
    assert titles(project, branch["url"]) == SEEDED
    used = (
        "select (select count(*) from pg_stat_activity where datname = %(name)s)"
        " + (select count(*) from pg_replication_slots where database = %(name)s)"
    )
    with psycopg.connect(project.said["DB_URL"], autocommit=True) as connection:
        for each in (branch, unused):
            wait_until(lambda name=each["database"]: connection.execute(used, {"name": name}).fetchone() == (0,))
        # Nor do the copies that wait to be taken.
        kept = "select count(*) filter (where slot_name is null), count(slot_name) from pg_database"
        kept += " left join pg_replication_slots on database = datname where datname like 'muster\\_ready%'"
        wait_until(lambda: connection.execute(kept.encode()).fetchone() == (READY, 0))
    assert titles(project, branch["url"]) == SEEDED


def test_what_a_killed_stack_leaves_is_named_and_removed(project: Running) -> None:
    home = Home(project.home)
    kept = create(project, "survivor")
    add_title(project, kept["url"], "Survived")
    state = home.running()
    assert state is not None
    kill_hard(state.pid)
    with psycopg.connect(project.said["DB_URL"], user="supabase_admin", autocommit=True) as connection:
        connection.execute("create database muster_dropped_000000000000 template template0")
        connection.execute("create database muster_dropped_000000000001 template template0")
        # As PostgreSQL notes before it removes files: what is cut short then can't be used any more, only dropped.
        connection.execute("update pg_database set datconnlimit = -2 where datname = 'muster_dropped_000000000001'")
    shutil.rmtree(home.branches / "nobody", ignore_errors=True)
    options = ["--project", str(project.root), "--home", str(project.home), "--port", str(state.port), "--test-control"]
    assert muster("up", *options, "--detach").returncode == 0
    run(project, "branch", "list")  # waits for the stack's own look, which may come late and would find the folder, too
    (home.branches / "nobody").mkdir()
    found = json.loads(muster("doctor", "--home", str(project.home), "--json").stdout)
    said = [each["said"] for each in found if each["what"] == "Branches"]
    assert len(said) == 1
    assert str(home.branches / "nobody") in said[0]
    fixed = muster("doctor", "--home", str(project.home), "--fix", "--json")
    assert not [each for each in json.loads(fixed.stdout) if each["what"] == "Branches"]
    assert not (home.branches / "nobody").exists()
    # Its PostgreSQL has another port where another program's connection was given the one that it had.
    with psycopg.connect(stack_env(project.home)["DB_URL"], autocommit=True) as connection:
        left = "select count(*) from pg_database where datname like 'muster\\_dropped%'"
        wait_until(lambda: connection.execute(left).fetchone() == (0,))
    assert titles(project, kept["url"]) == [*SEEDED, "Survived"]
