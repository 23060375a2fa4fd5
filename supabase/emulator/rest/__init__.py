"""PostgREST: an HTTP request becomes one SQL statement. The folders, one per stage, are pure; modules here do I/O."""
