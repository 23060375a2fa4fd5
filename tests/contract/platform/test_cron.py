"""pg_cron: who may schedule what, when jobs run, as whom, and what is recorded.

Source: https://github.com/citusdata/pg_cron and https://supabase.com/docs/guides/cron.
"""

from typing import Any

import psycopg
import pytest

from tests.contract.platform.conftest import Connect, Connection, Workers
from tests.support.patience import eventually

pytestmark = pytest.mark.usefixtures("workers")


@pytest.fixture(scope="module", autouse=True)
def extension(postgres: Connection) -> None:
    postgres.execute("drop extension if exists pg_cron")  # with the jobs that the migrations schedule
    postgres.execute("create extension pg_cron with schema pg_catalog")
    postgres.execute(
        "create table public.ticks (job text, role text default current_user, at timestamptz default now())"
    )


def schedule(connection: Connection, name: str, command: str, when: str = "1 seconds") -> int:
    row = connection.execute("select cron.schedule(%s, %s, %s)", (name, when, command)).fetchone()
    assert row is not None
    return int(row[0])


def ended(connection: Connection, jobid: int) -> tuple[Any, ...]:
    """The first run of a job that ended; the job is unscheduled."""
    statement = (
        "select status, return_message, username, job_pid is not null, end_time >= start_time"
        " from cron.job_run_details where jobid = %s and status in ('succeeded', 'failed') order by runid limit 1"
    )
    got = eventually(lambda: connection.execute(statement, (jobid,)).fetchone())
    connection.execute("select cron.unschedule(%s)", (jobid,))
    return got


RUNS = {
    "command": ("insert into public.ticks (job) values ('a')", ("succeeded", "INSERT 0 1")),
    "rows": ("select 1 union select 2", ("succeeded", "2 rows")),
    "row": ("select 1", ("succeeded", "1 row")),
    "outside of a transaction": ("vacuum public.ticks", ("succeeded", "VACUUM")),
    "several": ("select 1; select 2; analyze public.ticks", ("succeeded", "ANALYZE")),
    "error": ("select * from nowhere", ("failed", 'ERROR:  relation "nowhere" does not exist')),
}


def test_runs_are_recorded(postgres: Connection) -> None:
    """Every command in a job of its own, all due at once."""
    jobs = {name: schedule(postgres, name, command) for name, (command, _) in RUNS.items()}
    for name, (_, want) in RUNS.items():
        status, message, username, has_pid, is_ordered = ended(postgres, jobs[name])
        assert (status, message.splitlines()[0], username, has_pid, is_ordered) == (*want, "postgres", True, True), name


def test_a_job_runs_as_its_user_and_cannot_become_more(postgres: Connection) -> None:
    jobid = schedule(postgres, "user", "reset role; insert into public.ticks values ('user', session_user)")
    assert ended(postgres, jobid)[0] == "succeeded"
    assert postgres.execute("select distinct role from public.ticks where job = 'user'").fetchall() == [("postgres",)]


def test_the_runs_of_a_job_do_not_overlap(postgres: Connection) -> None:
    jobid = schedule(postgres, "long", "select pg_sleep(1.2)")
    count = "select count(*) from cron.job_run_details where jobid = %s and status = 'succeeded'"
    eventually(lambda: (postgres.execute(count, (jobid,)).fetchone() or (0,))[0] >= 2)
    postgres.execute("select cron.unschedule('long')")
    overlaps = """
      select count(*) from cron.job_run_details as one join cron.job_run_details as other
      on one.jobid = other.jobid and one.runid < other.runid and other.start_time < one.end_time where one.jobid = %s
    """
    assert postgres.execute(overlaps, (jobid,)).fetchone() == (0,)


@pytest.mark.parametrize(
    "command",
    [
        "select pg_sleep(1000)",
        "do $$ begin loop begin perform pg_sleep(1000); exception when query_canceled then end; end loop; end $$",
    ],
)
def test_a_job_that_never_ends_is_canceled_when_it_is_unscheduled(postgres: Connection, command: str) -> None:
    jobid = schedule(postgres, "endless", command)
    status = "select status, return_message from cron.job_run_details where jobid = %s"
    eventually(lambda: postgres.execute(status, (jobid,)).fetchone() == ("running", None))
    postgres.execute("select cron.unschedule('endless')")
    eventually(lambda: postgres.execute(status, (jobid,)).fetchone() == ("failed", "job canceled"))
    sleeping = (
        "select count(*) from pg_stat_activity where application_name = 'pg_cron' and query like '%pg_sleep(1000)%'"
    )
    eventually(lambda: postgres.execute(sleeping).fetchone() == (0,))


def test_an_inactive_job_does_not_run(postgres: Connection) -> None:
    jobid = schedule(postgres, "inactive", "select 1", "59 seconds")
    postgres.execute("select cron.alter_job(%s, schedule := '1 seconds', active := false)", (jobid,))
    assert ended(postgres, schedule(postgres, "witness", "select 1"))[0] == "succeeded"
    assert postgres.execute("select from cron.job_run_details where jobid = %s", (jobid,)).fetchone() is None
    postgres.execute("select cron.unschedule(%s)", (jobid,))


def test_a_run_that_a_killed_scheduler_left_is_recorded_as_failed(
    postgres: Connection, connect: Connect, workers: Workers
) -> None:
    workers.stop()
    connect("supabase_admin").execute("insert into cron.job_run_details (jobid, status) values (-1, 'running')")
    workers.start()
    left = "select status, return_message from cron.job_run_details where jobid = -1"
    eventually(lambda: postgres.execute(left).fetchone() == ("failed", "server restarted"))


def test_a_name_is_one_job_of_a_role(postgres: Connection) -> None:
    first = schedule(postgres, "twice", "select 1", "0 10 * * *")
    assert schedule(postgres, "twice", "select 2", "0 11 * * *") == first
    got = postgres.execute(
        "select schedule, command, username, active, database from cron.job where jobid = %s", (first,)
    )
    assert got.fetchone() == ("0 11 * * *", "select 2", "postgres", True, "postgres")
    assert postgres.execute("select cron.unschedule('twice')").fetchone() == (True,)


@pytest.mark.parametrize(
    "text",
    ["", "x", "60 seconds", "0 seconds", "* * * *", "60 * * * *", "1/5 * * * *", "* * * * 8", "@never", "* 5-x * * *"],
)
def test_a_bad_schedule_is_refused(postgres: Connection, text: str) -> None:
    with pytest.raises(psycopg.errors.InvalidParameterValue, match="invalid schedule: ") as caught:
        schedule(postgres, "bad", "select 1", text)
    want = "Use cron format (e.g. 5 4 * * *), or interval format '[1-59] seconds'"
    assert caught.value.diag.message_hint == want


@pytest.mark.parametrize(
    ("call", "want"),
    [
        pytest.param("cron.unschedule('none')", "could not find valid entry for job 'none'", id="name"),
        pytest.param("cron.unschedule(999)", "could not find valid entry for job 999", id="number"),
        pytest.param("cron.alter_job(999, active := true)", "Job 999 does not exist or you don't own it", id="alter"),
        pytest.param("cron.schedule(null, '* * * * *', 'x')", "job_name can not be NULL", id="no name"),
        pytest.param("cron.schedule('x', '* * * * *', null)", "command can not be NULL", id="no command"),
        pytest.param(
            "cron.schedule_in_database('x', '* * * * *', 'x', 'template1', 'supabase_admin')",
            "must be superuser to create a job for another role", id="another role",
        ),
    ],
)  # fmt: skip
def test_a_bad_call_is_refused(postgres: Connection, call: str, want: str) -> None:
    with pytest.raises(psycopg.errors.RaiseException) as caught:
        postgres.execute(f"select {call}")
    assert caught.value.diag.message_primary == want


def test_jobs_of_others_are_out_of_reach(postgres: Connection, connect: Connect) -> None:
    admin = connect("supabase_admin")
    admin.execute("grant usage on schema cron to anon")
    mine = schedule(postgres, "mine", "select 1", "0 0 1 1 *")
    anon = connect("postgres")
    anon.execute("set role anon")
    assert anon.execute("select count(*) from cron.job").fetchone() == (0,)
    for call in (f"cron.unschedule({mine})", "cron.unschedule('mine')"):
        with pytest.raises(psycopg.errors.RaiseException, match="could not find valid entry"):
            anon.execute(f"select {call}")
    for statement in (
        "insert into cron._own_job (jobid, schedule, command, username) values (7, '* * * * *', 'x', 'postgres')",
        "insert into cron.job (schedule, command) values ('* * * * *', 'x')",
        "select cron.alter_job(1, active := false)",
        "select nextval('cron.jobid_seq')",
    ):
        with pytest.raises((psycopg.errors.InsufficientPrivilege, psycopg.errors.WithCheckOptionViolation)):
            anon.execute(statement)
    postgres.execute("select cron.unschedule('mine')")


def test_role_postgres_only_reads_the_table_of_jobs(postgres: Connection) -> None:
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        postgres.execute("update cron.job set active = false")
