"""A module per endpoint, and what they share: the router, who is calling, pages, responses."""
