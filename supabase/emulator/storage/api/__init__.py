"""The routes of /bucket, /object and the like: validate, one rule, one response."""
