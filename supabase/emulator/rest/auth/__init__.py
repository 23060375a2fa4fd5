"""From a bearer token to a role and its claims (JWT). Pure."""
