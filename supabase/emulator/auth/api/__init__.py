"""A module per endpoint, and what they share: routes, authentication, responses."""
