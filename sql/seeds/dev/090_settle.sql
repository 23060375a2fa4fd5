-- Seeded rows were never edited: updated_at is set to created_at.
-- Only rows of this transaction are updated, without triggers, so that a second seeding changes nothing.

set local session_replication_role = replica;
update public.posts set updated_at = created_at
where updated_at = now();
update public.comments set updated_at = created_at
where updated_at = now();
set local session_replication_role = origin;

-- What is seeded happened before: nobody is told of it by mail.
delete from functions.mail_requests
where requested_at = now();
