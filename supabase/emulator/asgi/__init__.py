"""The ASGI plumbing that every service shares: bodies, headers, CORS, lifespans, the server. It knows no service."""
