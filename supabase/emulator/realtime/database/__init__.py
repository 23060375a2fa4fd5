"""Ordinary connections to PostgreSQL, the table realtime.messages, and what its policies allow."""
