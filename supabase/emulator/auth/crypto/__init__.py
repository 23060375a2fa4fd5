"""Signing keys, password hashes, one-time codes and WebAuthn ceremonies."""
