"""PostgREST's part: an HTTP request becomes one SQL statement."""
