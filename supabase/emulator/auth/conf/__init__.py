"""The GOTRUE_* variables of GoTrue's container as typed settings, with its names and defaults. Read once, at start."""
