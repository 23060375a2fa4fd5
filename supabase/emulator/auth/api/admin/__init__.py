"""Endpoints for tokens with an admin role (service_role)."""
