"""What tells an operator what goes on: request ids, log lines, numbers for Prometheus. Knows no service."""
