"""The write-ahead log as values: decoded changes, positions, what is kept for a while."""
