"""From a query result or an error to an HTTP response: status, headers, body, and the OpenAPI document. Pure."""
