"""The GOTRUE_* variables as typed settings."""
