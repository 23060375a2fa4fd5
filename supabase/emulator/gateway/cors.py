"""Cross-origin rules of the API's paths, as Kong's plugin with its defaults has them: any origin may ask.

A preflight permits the headers that it names; what answers expose is the services' own.
"""

from emulator.asgi.cors import CorsPolicy
from emulator.gateway.config import preflight_methods

CORS = CorsPolicy(
    methods=preflight_methods().encode(), allowed_headers=lambda requested: requested, max_age_s=None
)  # fmt: skip
