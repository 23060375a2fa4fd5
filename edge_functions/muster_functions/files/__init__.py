"""What members upload: known by its content, cleaned in a process of its own, moved to its bucket, and removed."""
