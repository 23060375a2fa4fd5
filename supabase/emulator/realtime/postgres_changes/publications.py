"""The publications of the original: tables whose changes clients may subscribe to, and the table of broadcasts."""

CHANGES_PUBLICATION = "supabase_realtime"
MESSAGES_PUBLICATION = "supabase_realtime_messages_publication"
