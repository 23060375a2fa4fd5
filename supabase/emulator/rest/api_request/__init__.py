"""From an HTTP request to an ApiRequest: path, headers, query string, preferences, body. Pure."""
