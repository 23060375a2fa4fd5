"""Text messages with one-time codes, by the providers that GoTrue knows."""
