"""The root endpoint's document: an exposed schema as OpenAPI 2.0 (Swagger). Pure."""
