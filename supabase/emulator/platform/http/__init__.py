"""The requests of the extension http, asked for over PostgreSQL's protocol."""
