"""What is known of the database: tables, relationships, functions, media type handlers."""
