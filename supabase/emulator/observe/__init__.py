"""Observability: request ids, log lines, metrics for Prometheus. Knows no service."""
