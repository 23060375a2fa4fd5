-- Home of what no client reaches by name: helper functions that see more than their caller, and the list of admins.
-- The REST service exposes `public` only. Policies call these functions as the caller, hence the usage.

create schema private;
comment on schema private is 'Not exposed by the API: helpers of policies and triggers, and who is an admin.';
grant usage on schema private to anon, authenticated, service_role;
