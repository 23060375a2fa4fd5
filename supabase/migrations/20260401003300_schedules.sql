-- What the database does by the clock (§10.4), and its last runs for admins. Both backends run it: pg_cron in the
-- containers, the emulator's scheduler otherwise. Times are UTC.

create function private.delete_expired_rows()
returns void
language sql
set search_path = ''
as $$
  delete from functions.mail_receipts where accepted_at < now() - interval '7 days';
  delete from functions.mail_queue where parked_at < now() - interval '30 days';
  delete from private.connection_requests where asked_at < now() - interval '1 day';
$$;
comment on function private.delete_expired_rows() is
'Deletes receipts of mails after a week, parked mails after 30 days, and counted connection requests after a day.';

do $$
begin
  -- A PostgreSQL of somebody else may lack it. The functions can be called by any other clock then.
  if not exists (select from pg_available_extensions where name = 'pg_cron') then
    raise warning 'pg_cron is not installed: reminders, digests and clean-up do not run by themselves';
    return;
  end if;
  create extension if not exists pg_cron with schema pg_catalog;
  -- Every quarter of an hour it is 7 a.m. somewhere.
  perform cron.schedule('certification-reminders', '*/15 * * * *', 'select private.give_certification_reminders()');
  perform cron.schedule('training-reminders', '*/15 * * * *', 'select private.give_training_reminders()');
  -- Monday begins at 10:00 UTC on Sunday and ends at 12:00 UTC on Tuesday.
  perform cron.schedule('weekly-digests', '*/15 * * * 0,1,2', 'select private.give_weekly_digests()');
  perform cron.schedule('clean-up', '20 * * * *', 'select private.delete_expired_rows()');
  -- Certifications that expired yesterday leave the directory for good.
  perform cron.schedule('directory', '5 * * * *', 'select private.merge_directory()');
  perform cron.schedule(
    'clean-up-runs', '40 3 * * *', $job$delete from cron.job_run_details where end_time < now() - interval '14 days'$job$
  );
end
$$;

create function private.admin_job_runs(most integer)
returns table (job text, schedule text, status text, message text, started_at timestamptz, ended_at timestamptz)
language plpgsql
stable
security definer
set search_path = ''
as $$
begin
  perform private.require_admin();
  if to_regclass('cron.job') is null then
    return;
  end if;
  return query
  select j.jobname, j.schedule, run.status, run.return_message, run.start_time, run.end_time
  from cron.job as j
  left join lateral (
    select d.* from cron.job_run_details as d
    where d.jobid = j.jobid
    order by d.runid desc limit least(greatest(coalesce(most, 5), 1), 50)
  ) as run on true
  where j.active
  order by j.jobname, run.runid desc;
end
$$;
comment on function private.admin_job_runs(integer) is 'Implements public.admin_job_runs.';
grant execute on function private.admin_job_runs(integer) to authenticated;

create function public.admin_job_runs(most integer default 5)
returns table (job text, schedule text, status text, message text, started_at timestamptz, ended_at timestamptz)
language sql
stable
set search_path = ''
as $$
  select * from private.admin_job_runs(most)
$$;
comment on function public.admin_job_runs(integer) is
'For admins: the scheduled jobs with their last runs, newest first; a job that never ran has one row without a status.';
grant execute on function public.admin_job_runs(integer) to authenticated;
