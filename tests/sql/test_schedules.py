"""What the database does by the clock (§10.4): the jobs of the migrations, and their runs as admins see them."""

from typing import Any

import psycopg

from muster_product.database.policies import act_as
from muster_product.database.policy_world import member_id


def test_the_jobs_are_made_by_a_migration(world: psycopg.Connection[Any]) -> None:
    """§10.4: as role postgres, so that both backends run them; each command runs."""
    jobs = world.execute(
        "select jobname, schedule, username, active, command from cron.job order by jobname"
    ).fetchall()
    assert [job[:4] for job in jobs] == [
        ("certification-reminders", "*/15 * * * *", "postgres", True),
        ("clean-up", "20 * * * *", "postgres", True),
        ("clean-up-runs", "40 3 * * *", "postgres", True),
        ("directory", "5 * * * *", "postgres", True),
        ("security-events", "50 3 * * *", "postgres", True),
        ("training-reminders", "*/15 * * * *", "postgres", True),
        ("weekly-digests", "*/15 * * * 0,1,2", "postgres", True),
    ]
    world.execute("set local role postgres")
    for job in jobs:
        world.execute(job[4])


def test_what_is_old_is_deleted(world: psycopg.Connection[Any]) -> None:
    """Receipts after a week, parked mails after 30 days, counted requests after a day, runs of jobs after 14 days."""
    for days in (0, 2, 8, 15, 31):
        at = f"now() - interval '{days} days'"
        world.execute(f"insert into functions.mail_receipts values ('x', gen_random_uuid(), 'a@x.test', 'x', {at})")
        world.execute(
            "insert into functions.mail_queue (kind, recipient, subject, text_body, html_body, last_error, parked_at)"
            f" values ('x', 'a@x.test', 'x', 'x', 'x', 'x', {at})"
        )
        world.execute(f"insert into private.connection_requests values (%s, {at})", (member_id("owner"),))
        world.execute(f"insert into cron.job_run_details (jobid, end_time) values (0, {at})")
    world.execute("insert into cron.job_run_details (jobid, status) values (0, 'running')")
    for command in world.execute("select command from cron.job where jobname like 'clean-up%'").fetchall():
        world.execute(command[0])
    counts = world.execute(
        "select (select count(*) from functions.mail_receipts), (select count(*) from functions.mail_queue),"
        " (select count(*) from private.connection_requests), (select count(*) from cron.job_run_details)"
    ).fetchone()
    assert counts == (2, 4, 1, 4)


def test_admins_see_the_last_runs(world: psycopg.Connection[Any]) -> None:
    """§10.4: of each job so many, newest first; one that never ran is listed, too."""
    row = world.execute("select jobid from cron.job where jobname = 'weekly-digests'").fetchone()
    assert row is not None
    for minute in range(3):
        world.execute(
            "insert into cron.job_run_details (jobid, status, return_message, start_time, end_time)"
            " values (%s, %s, '1 row', now() + make_interval(mins => %s), now())",
            (row[0], "failed" if minute == 2 else "succeeded", minute),
        )
    act_as(world, "admin")
    runs = world.execute("select job, status from admin_job_runs(2)").fetchall()
    assert runs == [
        ("certification-reminders", None), ("clean-up", None), ("clean-up-runs", None), ("directory", None),
        ("security-events", None), ("training-reminders", None), ("weekly-digests", "failed"),
        ("weekly-digests", "succeeded"),
    ]  # fmt: skip
