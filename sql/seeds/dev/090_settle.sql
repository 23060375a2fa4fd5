-- What was seeded a moment ago was never edited: its time of change is its time of writing.
-- Only rows of this very transaction are touched, and no trigger runs, so that a second seeding changes nothing.

set local session_replication_role = replica;
update public.posts set updated_at = created_at
where updated_at = now();
update public.comments set updated_at = created_at
where updated_at = now();
set local session_replication_role = origin;
