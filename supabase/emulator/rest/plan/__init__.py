"""From an ApiRequest and the schema cache to a plan: what to read, write or call, with every name resolved. Pure."""
