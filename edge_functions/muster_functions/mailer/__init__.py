"""The outgoing mail queue in PostgreSQL, and the worker that sends it."""
