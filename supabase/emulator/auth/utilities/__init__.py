"""Go's JSON, addresses and redirect URLs, as GoTrue reads them."""
