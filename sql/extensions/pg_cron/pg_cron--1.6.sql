-- pg_cron's surface. The emulator's scheduler (emulator/platform/cron) runs the jobs and writes cron.job_run_details.

-- A schema that is there already stays when the extension is dropped.
do $$
begin
  if pg_catalog.to_regnamespace('cron') is null then
    create schema cron;
  end if;
end
$$;

create sequence cron.jobid_seq;
create sequence cron.runid_seq;

create table cron.job (
  jobid bigint primary key default pg_catalog.nextval('cron.jobid_seq'),
  schedule text not null,
  command text not null,
  nodename text not null default 'localhost',
  nodeport integer not null default pg_catalog.current_setting('port')::integer,
  database text not null default 'postgres',
  username text not null default current_user,
  active boolean not null default true,
  jobname text,
  constraint jobname_username_uniq unique (jobname, username)
);
alter table cron.job enable row level security;
create policy cron_job_policy on cron.job using (username = current_user);

create table cron.job_run_details (
  jobid bigint,
  runid bigint primary key default pg_catalog.nextval('cron.runid_seq'),
  job_pid integer,
  database text,
  username text,
  command text,
  status text,
  return_message text,
  start_time timestamptz,
  end_time timestamptz
);
alter table cron.job_run_details enable row level security;
create policy cron_job_run_details_policy on cron.job_run_details using (username = current_user);

-- The original's functions are C and write cron.job as its owner for the calling role. In SQL, current_user is the
-- caller only outside of security definer functions; so they write through this view, which shows a role its own jobs
-- and refuses rows of others.
create view cron._own_job as
select
  jobid,
  schedule,
  command,
  nodename,
  nodeport,
  database,
  username,
  active,
  jobname
from cron.job
where
  username = current_user
  or (select role.rolsuper from pg_catalog.pg_roles as role where role.rolname = current_user)
with local check option;

create function cron._next_jobid()
returns bigint
language sql
security definer
set search_path = ''
as $$ select pg_catalog.nextval('cron.jobid_seq') $$;

-- One field of a schedule, Vixie's grammar: a list of *, numbers or names, ranges, and steps of ranges.
create function cron._is_field(field text, low integer, high integer, names text[])
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
declare
  range text;
  parts text[];
  first integer;
  last integer;
  step integer;
begin
  foreach range in array pg_catalog.string_to_array(field, ',') loop
    parts := pg_catalog.regexp_match(range, '^(?:(\*)|([0-9]{1,9}|[A-Za-z]{3})(?:-([0-9]{1,9}|[A-Za-z]{3}))?)(?:/([0-9]{1,9}))?$');
    if parts is null or (parts[4] is not null and parts[1] is null and parts[3] is null) then
      return false;
    end if;
    first := case when parts[1] is not null then low when parts[2] ~ '^\d' then parts[2]::integer
      else low - 1 + pg_catalog.array_position(names, pg_catalog.lower(parts[2])) end;
    last := case when parts[1] is not null then high when parts[3] is null then first when parts[3] ~ '^\d'
      then parts[3]::integer else low - 1 + pg_catalog.array_position(names, pg_catalog.lower(parts[3])) end;
    step := coalesce(parts[4]::integer, 1);
    if first is null or last is null or step <= 0 or (
      first <= last and (first < low or first + (last - first) / step * step > high)
    ) then
      return false;
    end if;
  end loop;
  return true;
end
$$;

-- What follows the fifth field is ignored, as in the original (a crontab has the command there).
create function cron._is_schedule(schedule text)
returns boolean
language plpgsql
immutable
set search_path = ''
as $$
declare
  fields text[];
  seconds text[] := pg_catalog.regexp_match(schedule, '^\s*(\d{1,9})\s+seconds?\s*$', 'i');
begin
  if seconds is not null then
    return seconds[1]::integer between 1 and 59;
  end if;
  fields := pg_catalog.regexp_split_to_array(pg_catalog.btrim(schedule, E' \t\n'), '[ \t]+');
  if fields[1] like '@%' then
    return fields[1] in (
      '@reboot', '@restart', '@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'
    );
  end if;
  return pg_catalog.cardinality(fields) >= 5
    and pg_catalog.length(schedule) < 1000
    and cron._is_field(fields[1], 0, 59, '{}')
    and cron._is_field(fields[2], 0, 23, '{}')
    and (fields[3] = '$' or cron._is_field(fields[3], 1, 31, '{}'))
    and cron._is_field(fields[4], 1, 12, '{jan,feb,mar,apr,may,jun,jul,aug,sep,oct,nov,dec}')
    and cron._is_field(fields[5], 0, 7, '{sun,mon,tue,wed,thu,fri,sat,sun}');
end
$$;

create function cron._check_schedule(schedule text)
returns void
language plpgsql
immutable
set search_path = ''
as $$
begin
  if not cron._is_schedule(schedule) then
    raise exception 'invalid schedule: %', schedule
    using
      errcode = 'invalid_parameter_value',
      hint = 'Use cron format (e.g. 5 4 * * *), or interval format ''[1-59] seconds''';
  end if;
end
$$;

create function cron._check_role(username text, database text)
returns void
language plpgsql
set search_path = ''
as $$
declare
  can_login boolean := (select role.rolcanlogin from pg_catalog.pg_roles as role where role.rolname = username);
begin
  if username <> current_user then
    if not (select role.rolsuper from pg_catalog.pg_roles as role where role.rolname = current_user) then
      raise exception 'must be superuser to create a job for another role';
    elsif can_login is null then
      raise exception 'role "%" does not exist', username;
    elsif not can_login then
      raise exception 'role "%" can not log in', username
      using detail = 'Jobs may only be run by roles that have the LOGIN attribute.';
    end if;
  end if;
  if not pg_catalog.has_database_privilege(username, database, 'connect') then
    raise exception 'User % does not have CONNECT privilege on %', username, database;
  end if;
end
$$;

create function cron._schedule(
  job_name text, schedule text, command text, database text, username text, active boolean
)
returns bigint
language plpgsql
set search_path = ''
as $$
#variable_conflict use_column
declare
  made bigint;
begin
  if _schedule.schedule is null then
    raise exception 'schedule can not be NULL';
  elsif _schedule.command is null then
    raise exception 'command can not be NULL';
  end if;
  perform cron._check_schedule(_schedule.schedule);
  perform cron._check_role(
    coalesce(_schedule.username, current_user), coalesce(_schedule.database, pg_catalog.current_database())
  );
  insert into cron._own_job as existing (jobid, jobname, schedule, command, database, username, active)
  values (
    cron._next_jobid(), job_name, _schedule.schedule, _schedule.command, coalesce(_schedule.database, 'postgres'),
    coalesce(_schedule.username, current_user), _schedule.active
  )
  on conflict (jobname, username) do update
  set schedule = excluded.schedule, command = excluded.command, database = excluded.database
  returning existing.jobid into made;
  return made;
end
$$;

create function cron.schedule(schedule text, command text)
returns bigint
language sql
strict
as $$ select cron._schedule(null, schedule, command, null, null, true) $$;
comment on function cron.schedule(text, text) is 'schedule a pg_cron job';

create function cron.schedule(job_name text, schedule text, command text)
returns bigint
language plpgsql
as $$
begin
  if job_name is null then
    raise exception 'job_name can not be NULL';
  end if;
  return cron._schedule(job_name, schedule, command, null, null, true);
end
$$;
comment on function cron.schedule(text, text, text) is 'schedule a pg_cron job';

create function cron.schedule_in_database(
  job_name text, schedule text, command text, database text, username text default null, active boolean default true
)
returns bigint
language plpgsql
as $$
begin
  if job_name is null then
    raise exception 'job_name can not be NULL';
  end if;
  return cron._schedule(job_name, schedule, command, database, username, coalesce(active, true));
end
$$;
comment on function cron.schedule_in_database(text, text, text, text, text, boolean) is 'schedule a pg_cron job';

create function cron.alter_job(
  job_id bigint,
  schedule text default null,
  command text default null,
  database text default null,
  username text default null,
  active boolean default null
)
returns void
language plpgsql
set search_path = ''
as $$
#variable_conflict use_variable
declare
  job cron._own_job;
begin
  if job_id is null then
    raise exception 'job_id can not be NULL';
  end if;
  select own.* into job from cron._own_job as own where own.jobid = job_id;
  if job.jobid is null then
    raise exception 'Job % does not exist or you don''t own it', job_id;
  elsif pg_catalog.num_nonnulls(schedule, command, database, username, active) = 0 then
    raise exception 'no updates specified'
    using hint = 'You must specify at least one job attribute to change when calling alter_job';
  elsif schedule is not null then
    perform cron._check_schedule(schedule);
  end if;
  if username is not null or database is not null then
    perform cron._check_role(coalesce(username, job.username), coalesce(database, pg_catalog.current_database()));
  end if;
  update cron._own_job as own
  set
    schedule = coalesce(alter_job.schedule, own.schedule),
    command = coalesce(alter_job.command, own.command),
    database = coalesce(alter_job.database, own.database),
    username = coalesce(alter_job.username, own.username),
    active = coalesce(alter_job.active, own.active)
  where own.jobid = job_id;
end
$$;
comment on function cron.alter_job(bigint, text, text, text, text, boolean) is
'Alter the job identified by job_id. Any option left as NULL will not be modified.';

create function cron.unschedule(job_id bigint)
returns boolean
language plpgsql
strict
as $$
begin
  delete from cron._own_job as own where own.jobid = job_id;
  if not found then
    raise exception 'could not find valid entry for job %', job_id;
  end if;
  return true;
end
$$;
comment on function cron.unschedule(bigint) is 'unschedule a pg_cron job';

create function cron.unschedule(job_name text)
returns boolean
language plpgsql
strict
as $$
begin
  delete from cron._own_job as own where own.jobname = job_name and own.username = current_user;
  if not found then
    raise exception 'could not find valid entry for job ''%''', job_name;
  end if;
  return true;
end
$$;
comment on function cron.unschedule(text) is 'unschedule a pg_cron job';

create function cron.job_cache_invalidate()
returns trigger
language plpgsql
as $$
begin
  perform pg_catalog.pg_notify('muster_cron', pg_catalog.current_database());
  return null;
end
$$;
comment on function cron.job_cache_invalidate() is 'invalidate job cache';

create trigger cron_job_cache_invalidate
after insert or update or delete or truncate on cron.job
for each statement execute function cron.job_cache_invalidate();

grant select on cron.job, cron.job_run_details to public;
grant delete on cron.job_run_details to public;
grant select on sequence cron.jobid_seq, cron.runid_seq to public;
grant select, insert, update, delete on cron._own_job to public;
revoke all on function cron.alter_job(bigint, text, text, text, text, boolean) from public;
revoke all on function cron.schedule_in_database(text, text, text, text, text, boolean) from public;

-- What the image's script does after the extension is made.
grant usage on schema cron to postgres with grant option;
grant all on all functions in schema cron to postgres with grant option;
grant all on all tables in schema cron to postgres with grant option;
revoke all on table cron.job from postgres;
grant select on table cron.job to postgres with grant option;

select pg_catalog.pg_extension_config_dump('cron.job', '');
select pg_catalog.pg_extension_config_dump('cron.jobid_seq', '');
select pg_catalog.pg_extension_config_dump('cron.job_run_details', '');
select pg_catalog.pg_extension_config_dump('cron.runid_seq', '');
