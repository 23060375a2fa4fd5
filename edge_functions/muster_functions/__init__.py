"""The serverless functions: small HTTP handlers beside the database, e-mail above all."""
