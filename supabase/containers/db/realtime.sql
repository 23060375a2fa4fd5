-- Realtime's own schema must be there before it starts for the first time.
create schema if not exists _realtime;
alter schema _realtime owner to supabase_admin;
