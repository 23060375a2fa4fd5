"""E-mail for every service: the value, its bytes, and one SMTP sender. What a mail says is up to the service."""
