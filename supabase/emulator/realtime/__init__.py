"""Realtime's part: from the write-ahead log to the right sockets."""
