"""Passwords, one-time codes and WebAuthn ceremonies."""
