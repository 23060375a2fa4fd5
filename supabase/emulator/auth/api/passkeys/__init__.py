"""/passkeys: signing in with a discoverable WebAuthn credential instead of a password."""
