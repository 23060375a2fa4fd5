-- People are found by a part of their name or e-mail (§5.16): trigram indexes make that quick.

create extension if not exists pg_trgm with schema extensions;
