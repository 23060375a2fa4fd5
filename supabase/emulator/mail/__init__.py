"""E-mail for every service: the value, its bytes, and one SMTP sender. What mails say is the services' own."""
