"""The edge functions: small HTTP handlers beside the database, most of them for e-mail and the public blog."""
