-- The functions that supabase.schema('pgmq_public').rpc(...) calls. No part of the extension: the dashboard makes them
-- when queues are exposed through the API, here a stack does when the project's api.schemas names pgmq_public.

create schema if not exists pgmq_public;

create or replace function pgmq_public.pop(queue_name text)
returns setof pgmq.message_record
language sql
set search_path = ''
as $$ select * from pgmq.pop(queue_name => $1) $$;
comment on function pgmq_public.pop(text) is
'Retrieves and locks the next message from the specified queue.';

create or replace function pgmq_public.send(queue_name text, message jsonb, sleep_seconds integer default 0)
returns setof bigint
language sql
set search_path = ''
as $$ select * from pgmq.send(queue_name => $1, msg => $2, delay => $3) $$;
comment on function pgmq_public.send(text, jsonb, integer) is
'Sends a message to the specified queue, optionally delaying its availability by a number of seconds.';

create or replace function pgmq_public.send_batch(queue_name text, messages jsonb[], sleep_seconds integer default 0)
returns setof bigint
language sql
set search_path = ''
as $$ select * from pgmq.send_batch(queue_name => $1, msgs => $2, delay => $3) $$;
comment on function pgmq_public.send_batch(text, jsonb[], integer) is
'Sends a batch of messages to the specified queue, optionally delaying their availability by a number of seconds.';

create or replace function pgmq_public.archive(queue_name text, message_id bigint)
returns boolean
language sql
set search_path = ''
as $$ select pgmq.archive(queue_name => $1, msg_id => $2) $$;
comment on function pgmq_public.archive(text, bigint) is
'Archives a message by moving it from the queue to a permanent archive.';

create or replace function pgmq_public.delete(queue_name text, message_id bigint)
returns boolean
language sql
set search_path = ''
as $$ select pgmq.delete(queue_name => $1, msg_id => $2) $$;
comment on function pgmq_public.delete(text, bigint) is
'Permanently deletes a message from the specified queue.';

create or replace function pgmq_public.read(queue_name text, sleep_seconds integer, n integer)
returns setof pgmq.message_record
language sql
set search_path = ''
as $$ select * from pgmq.read(queue_name => $1, vt => $2, qty => $3) $$;
comment on function pgmq_public.read(text, integer, integer) is
'Reads up to "n" messages from the specified queue with an optional "sleep_seconds" (visibility timeout).';

grant usage on schema pgmq, pgmq_public to postgres, anon, authenticated, service_role;
grant execute on all functions in schema pgmq_public to postgres, anon, authenticated, service_role;
grant execute on all functions in schema pgmq to postgres, service_role, anon, authenticated;
grant select, insert, update, delete on all tables in schema pgmq to postgres, service_role;
grant usage, select, update on all sequences in schema pgmq to anon, authenticated, service_role;
alter default privileges in schema pgmq grant select, insert, update, delete on tables to service_role;
alter default privileges in schema pgmq grant usage, select, update on sequences to anon, authenticated, service_role;
