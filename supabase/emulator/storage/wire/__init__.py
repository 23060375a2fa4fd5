"""Requests and responses as bytes: paths, headers, bodies, and what the protocol says of each. Pure."""
