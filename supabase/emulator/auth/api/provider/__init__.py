"""External identity providers."""
