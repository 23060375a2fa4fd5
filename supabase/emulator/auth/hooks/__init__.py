"""Extensibility hooks: what each one is sent, what its answer does, and how it is reached."""
