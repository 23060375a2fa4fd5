"""Lets all httpx clients of a test process share what they trust.

A client reads the certificates of all authorities when it is made, for 20 ms, and `httpx.get` makes one. The suite
makes thousands, nearly all of them for plain HTTP.
"""

from functools import cache

import httpx._transports.default as transports

transports.create_ssl_context = cache(transports.create_ssl_context)  # type: ignore[attr-defined]
