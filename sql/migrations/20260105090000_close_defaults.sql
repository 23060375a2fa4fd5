-- Nothing is open because it was created: what a role may do, the migration that makes the object says.
-- The supabase/postgres image grants everything in public to the API roles; hosted projects stopped doing so.

alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
