-- Passwords of the roles that the services sign in as. Run once by the image, on an empty data volume, before its
-- own migrations; supabase_admin's is set by the image itself.
\set password `echo "$PGPASSWORD"`
alter user authenticator with password :'password';
alter user supabase_auth_admin with password :'password';
alter user supabase_storage_admin with password :'password';
