"""A row change as JSON, as one role may see it."""
