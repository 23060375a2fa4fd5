"""The OAuth 2.1 server (OAUTH_SERVER_ENABLED): other applications sign users in by this service."""
