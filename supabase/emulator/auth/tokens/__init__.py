"""Access tokens, refresh tokens and the sessions that they belong to."""
