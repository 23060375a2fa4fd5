"""Reliability: PostgreSQL stops and starts, requests come while passwords are hashed."""

import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from emulator.auth.crypto.password import COST
from tests.contract.auth.conftest import StartAuth
from tests.contract.auth.harness import NEW, AuthClient, error_of, wait_until
from tests.support.postgres import Database

NewDatabase = Callable[[], Database]


@pytest.fixture(scope="module")
def hash_cost() -> int:
    return COST


def test_lost_connections_are_replaced(auth: AuthClient) -> None:
    person = auth.person()
    auth.sql(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'auth'"
        " and datname = current_database()"
    )
    seen: set[int] = set()

    def answers() -> bool:
        seen.add(person.request("GET", "/user").status_code)
        return 200 in seen

    wait_until(answers)
    assert seen <= {200, 503}


def test_without_a_database_it_is_a_503(start_auth: StartAuth, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("emulator.auth.app.POOL_TIMEOUT_S", 0.2)
    cut = start_auth(DB_DATABASE_URL="postgresql://nobody@127.0.0.1:1/nothing")
    answer = cut.post("/recover", {"email": "a@b.co"}, headers=NEW)
    assert error_of(answer)[:2] == (503, "unexpected_failure")
    assert error_of(cut.get("/health", headers=NEW))[:2] == (503, "unexpected_failure")


def test_hashing_does_not_block_other_requests(auth: AuthClient) -> None:
    """Passwords are compared off the event loop: a reader waits far less than the queue of sign-ins."""
    person = auth.person()
    assert auth.sql("select left(encrypted_password, 7) from auth.users where id = %s", person.id) == [("$2a$10$",)]
    login = {"email": person.email, "password": "wrong"}
    with ThreadPoolExecutor(12) as threads:
        begun = time.perf_counter()
        queue = [threads.submit(auth.post, "/token?grant_type=password", login) for _ in range(12)]
        waits = []
        while not all(entry.done() for entry in queue):
            start = time.perf_counter()
            assert auth.get("/health").status_code == 200
            waits.append(time.perf_counter() - start)
        whole = time.perf_counter() - begun
    assert len(waits) > 5
    assert statistics.median(waits) < whole / 5


def test_it_works_as_postgres_too(start_auth: StartAuth, module_database: Database) -> None:
    """The role may be the one that the client libraries' own suites use."""
    service = start_auth(DB_DATABASE_URL=module_database.url("postgres"))
    person = service.person()
    assert service.refresh(person.session["refresh_token"]).status_code == 200


def test_rows_move_to_another_database(auth: AuthClient, start_auth: StartAuth, new_database: NewDatabase) -> None:
    """Columns by position, as in a dump: passwords, sessions and factors included."""
    person = auth.person(user_metadata={"name": "Ada"})
    factor = person.request("POST", "/factors", {"factor_type": "totp"}).json()
    elsewhere = new_database()
    tables = "users identities sessions refresh_tokens mfa_amr_claims mfa_factors one_time_tokens audit_log_entries"
    with psycopg.connect(auth.dsn) as source, psycopg.connect(elsewhere.dsn("supabase_admin")) as target:
        for table in tables.split():
            with (
                source.cursor().copy(f"copy auth.{table} to stdout") as rows,
                target.cursor().copy(f"copy auth.{table} from stdin") as copied,
            ):
                for block in rows:
                    copied.write(block)
        target.execute("select setval('auth.refresh_tokens_id_seq', (select max(id) from auth.refresh_tokens))")
    moved = start_auth(DB_DATABASE_URL=elsewhere.url("supabase_auth_admin"))
    again = moved.sign_in(person.email)
    assert again.id == person.id
    assert again.session["user"]["user_metadata"]["name"] == "Ada"
    assert [one["id"] for one in again.session["user"]["factors"]] == [factor["id"]]
    assert moved.get("/user", headers=person.bearer).status_code == 200


def test_request_timeout(start_auth: StartAuth) -> None:
    hasty = start_auth(API_MAX_REQUEST_DURATION="5ms")
    answer = hasty.post("/signup", {"email": "slow@example.com", "password": "long enough"}, headers=NEW)
    text = "Processing this request timed out, please retry after a moment."
    assert error_of(answer) == (504, "request_timeout", text)
    assert hasty.sql("select count(*) from auth.users where email = 'slow@example.com'") == [(0,)]
