"""What the commands do to a database."""
