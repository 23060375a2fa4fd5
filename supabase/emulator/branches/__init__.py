"""Branches: further stacks of one process, each over a database of its own in the same cluster."""
