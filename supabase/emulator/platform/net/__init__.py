"""pg_net's sender: drains net.http_request_queue and writes net._http_response."""
