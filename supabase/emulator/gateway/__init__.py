"""The one origin: routes to services, api keys, CORS, static files."""
